// Parts of a page that take seconds to compute: fetched when the page is there. If one fails, its link stays.
for (const part of document.querySelectorAll("[data-part]")) {
  part.setAttribute("aria-busy", "true");
  fetch(part.dataset.part, { headers: { "X-Requested-With": "fetch" } })
    .then(async (answer) => {
      if (answer.ok) part.innerHTML = await answer.text();
    })
    .catch(() => {})
    .finally(() => part.removeAttribute("aria-busy"));
}
