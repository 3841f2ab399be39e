// The replay inside a frame of another page: stepping by key and by click, nothing else.
import { cardPositions, slideCards } from "../table/motion.js";
import { TableView } from "../table/table.js";
import { KEYS, LINKS, keyName, markEnd, navigationTargets } from "./navigation.js";

const root = document.querySelector("[data-replay]");
const deal = JSON.parse(document.getElementById("deal").textContent);
const felt = root.querySelector("[data-felt]");
const counter = root.querySelector("[data-number]");
const outcome = root.querySelector("[data-outcome]");
const links = [...root.querySelectorAll("[data-go]")];
const table = new TableView(root, deal);
const targets = navigationTargets(deal);
const last = deal.steps.length - 1;
let shown = Number(counter.textContent);

function go(name) {
  const to = targets[name](shown);
  if (to === shown) {
    if (deal.more && name === "on") location.assign(address({ step: to + 1, until: to + 1 }));
    return;
  }
  const before = Math.abs(to - shown) === 1 ? cardPositions(felt) : null;
  shown = to;
  table.draw(deal.steps[to]);
  slideCards(felt, before);
  updatePage();
}

function address(changes) {
  return `?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), ...changes })}`;
}

function updatePage() {
  counter.textContent = shown;
  if (outcome) outcome.hidden = shown !== last;
  root.querySelector("[data-full-page]").search = address({ step: shown });
  for (const link of links.filter((each) => each.dataset.go in targets)) {
    const to = targets[link.dataset.go](shown);
    link.search = address({ step: to });
    markEnd(link, to === shown && !(deal.more && shown === last && link.dataset.go === "on"));
  }
}

root.addEventListener("click", (event) => {
  const name = event.target.closest("[data-go]")?.dataset.go;
  if (!(name in targets) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(name);
});

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const key = keyName(event);
  const link = document.querySelector(LINKS[key] ?? "_");
  if (link) return link.click();
  if (!(KEYS[key] in targets)) return;
  event.preventDefault();
  go(KEYS[key]);
});

updatePage();
