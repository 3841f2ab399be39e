// An evening refreshes itself: parts that have changed are exchanged, except where somebody is typing. A button prints it.
const PAUSE = 5000; // milliseconds

const line = document.querySelector("[data-refresh]");
const notice = document.querySelector("[data-changed]");
let commit = line.dataset.refresh;
// A page that answers a form is loaded again as what it shows; the form is not sent again.
if (line.dataset.address) history.replaceState(null, "", line.dataset.address + location.hash);

const livePartsOf = (page) => [...page.querySelectorAll("[data-live]")];
const idsOf = (page) =>
  livePartsOf(page)
    .map((part) => part.id)
    .join();

// Whether somebody has typed or chosen something in a part, also what was refused, or is at a field of it.
function isBusy(part) {
  const field = document.activeElement;
  return (
    (field.matches("input, select") && part.contains(field)) ||
    part.querySelector("[data-refused]") !== null ||
    [...part.querySelectorAll("input, select")].some(isChanged)
  );
}

function isChanged(field) {
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (!field.options) return field.value !== field.defaultValue;
  const first = [...field.options].find((option) => option.defaultSelected) ?? field.options[0];
  return field.value !== first?.value;
}

// What is unfolded stays so, and what is in focus.
function exchangePart(old, part) {
  const reached = (here) => [...here.querySelectorAll("a, button, summary")];
  const place = reached(old).indexOf(document.activeElement);
  const open = [...old.querySelectorAll("details")].map((each) => each.open);
  [...part.querySelectorAll("details")].forEach((each, number) => (each.open = open[number]));
  old.replaceWith(part);
  if (place >= 0) reached(part)[place]?.focus({ preventScroll: true });
}

function exchange(page) {
  let isWhole = true;
  for (const part of livePartsOf(page)) {
    const old = document.getElementById(part.id);
    if (wordsOf(old) === wordsOf(part)) continue;
    if (isBusy(old)) isWhole = false;
    else exchangePart(old, part);
  }
  return isWhole;
}

// The markup of a part as the server sent it, whatever is unfolded.
function wordsOf(part) {
  const copy = part.cloneNode(true);
  for (const each of copy.querySelectorAll("details")) each.open = false;
  return copy.innerHTML;
}

async function refresh() {
  const address = new URL(location.href);
  address.hash = "";
  address.searchParams.set("since", commit);
  const answer = await fetch(address);
  if (answer.status !== 200) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (idsOf(page) !== idsOf(document)) {
    if (isBusy(document.querySelector("main"))) notice.hidden = false;
    else location.reload();
    return;
  }
  const isWhole = exchange(page);
  line.textContent = "The evening has changed.";
  if (isWhole) commit = page.querySelector("[data-refresh]").dataset.refresh;
}

document.querySelector("[data-print]").addEventListener("click", () => print());
if (Number(commit)) {
  setInterval(() => {
    if (!document.hidden) refresh().catch(() => {}); // the next time the server may answer
  }, PAUSE);
}
