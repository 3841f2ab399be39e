// Parts of a page that take seconds to compute: fetched when the page is there. If one fails, what is there stays.
// A part that is still being made (202) is asked for again, as often as anybody would wait for it.
const MOST_TRIES = 20;
const PAUSE_MS = 1500;

async function fetchPart(part, tries) {
  const answer = await fetch(part.dataset.part, { headers: { "X-Requested-With": "fetch" } });
  if (answer.status === 202 && tries > 1) {
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    return fetchPart(part, tries - 1);
  }
  if (answer.ok && answer.status !== 202) part.innerHTML = await answer.text();
}

for (const part of document.querySelectorAll("[data-part]")) {
  part.setAttribute("aria-busy", "true");
  fetchPart(part, MOST_TRIES)
    .catch(() => {})
    .finally(() => part.removeAttribute("aria-busy"));
}
