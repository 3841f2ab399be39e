// The replay in a frame: the steps by key and by click, nothing else.
import { remember, travel } from "./motion.js";
import { TableView } from "./table.js";
import { KEYS, LINKS, waysOf } from "./navigation.js";

const root = document.querySelector("[data-replay]");
const deal = JSON.parse(document.getElementById("deal").textContent);
const felt = root.querySelector("[data-felt]");
const counter = root.querySelector("[data-number]");
const links = [...root.querySelectorAll("[data-go]")];
const table = new TableView(root, deal);
const ways = waysOf(deal);
const last = deal.steps.length - 1;
let current = Number(counter.textContent);

function go(name) {
  const to = ways[name](current);
  if (to === current) return deal.more && name === "on" ? location.assign(address({ step: to + 1, until: to + 1 })) : undefined;
  const before = Math.abs(to - current) === 1 ? remember(felt) : null;
  current = to;
  table.draw(deal.steps[to]);
  travel(felt, before);
  mark();
}

function address(changes) {
  return `?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), ...changes })}`;
}

function mark() {
  counter.textContent = current;
  root.querySelector("[data-whole]").search = address({ step: current });
  for (const link of links.filter((each) => each.dataset.go in ways)) {
    const to = ways[link.dataset.go](current);
    link.search = address({ step: to });
    const end = to === current && !(deal.more && current === last && link.dataset.go === "on");
    link.toggleAttribute("data-end", end);
    if (end) link.setAttribute("aria-disabled", "true");
    else link.removeAttribute("aria-disabled");
  }
}

root.addEventListener("click", (event) => {
  const name = event.target.closest("[data-go]")?.dataset.go;
  if (!(name in ways) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(name);
});

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const link = document.querySelector(LINKS[event.key] ?? "_");
  if (link) return link.click();
  if (!(KEYS[event.key] in ways)) return;
  event.preventDefault();
  go(KEYS[event.key]);
});

mark();
