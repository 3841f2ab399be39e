// Ctrl + Enter runs the statement.
const form = document.querySelector("[data-sql]");
form.elements.q.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.requestSubmit();
});
