// The drop zone: files are sent as they are dropped, and the verdicts appear in place.
const form = document.querySelector("[data-drop]");
const place = document.querySelector("[data-verdicts]");
const files = form.querySelector("input[type=file]");

const MEGABYTE = 1e6;

async function send(body) {
  const size = body.getAll("files").reduce((sum, file) => sum + file.size, 0);
  form.classList.add("busy");
  say(size > MEGABYTE ? `Sending ${Math.round(size / MEGABYTE)} MB…` : "Checking…");
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
    if (answer.redirected) return location.assign(answer.url);
    if (answer.ok) place.innerHTML = await answer.text();
    else say(await reason(answer), { bad: true });
  } catch {
    say("The server is not responding. Try again.", { bad: true });
  }
  form.classList.remove("busy");
  files.value = "";
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "start" });
}

async function reason(answer) {
  try {
    return (await answer.json()).error.text;
  } catch {
    return `The server answered with error ${answer.status}.`;
  }
}

function say(words, { bad = false } = {}) {
  const line = document.createElement("p");
  line.className = bad ? "problem" : "muted";
  if (bad) line.setAttribute("role", "alert");
  line.textContent = words;
  place.replaceChildren(line);
}

function sendFiles(dropped) {
  const body = new FormData();
  body.set("csrf_token", form.elements.csrf_token.value);
  for (const file of dropped) body.append("files", file);
  send(body);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  send(new FormData(form));
});
files.addEventListener("change", () => { if (files.files.length) sendFiles(files.files); });

let depth = 0;
const over = (change) => {
  depth = Math.max(0, depth + change);
  form.classList.toggle("over", depth > 0);
};
addEventListener("dragenter", (event) => { if (event.dataTransfer?.types.includes("Files")) over(1); });
addEventListener("dragleave", () => over(-1));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  over(-depth);
  if (event.dataTransfer?.files.length) sendFiles(event.dataTransfer.files);
});
