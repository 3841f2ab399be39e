// The replay: which step is shown, and every way to another one. All steps came with the page.
import { remember, travel } from "./motion.js";
import { Race } from "./race.js";
import { TableView } from "./table.js";
import { bindTabs } from "./tabs.js";

const root = document.querySelector("[data-replay]");
const deal = JSON.parse(document.getElementById("deal").textContent);
const felt = root.querySelector("[data-felt]");
const slider = root.querySelector("[data-slider]");
const counter = root.querySelector("[data-number]");
const events = [...root.querySelectorAll("[data-events] [data-step]")];
const eventsPanel = document.getElementById("panel-events");
const buttons = new Map([...root.querySelectorAll("[data-go]")].map((button) => [button.dataset.go, button]));
const last = deal.steps.length - 1;
const starts = deal.steps.flatMap((step, number) => (number === 0 || step.trick !== deal.steps[number - 1].trick ? [number] : []));

const table = new TableView(root, deal);
const race = new Race(root.querySelector("[data-race]"), deal, go);
const openTab = bindTabs(root.querySelector("[data-tabs]"), (id) => { if (id === "tab-race") showRace(); });
let current = Number(counter.textContent);
let writing = 0;

const WAYS = {
  first: () => 0,
  "trick-back": () => starts.findLast((start) => start < current) ?? 0,
  back: () => Math.max(current - 1, 0),
  on: () => Math.min(current + 1, last),
  "trick-on": () => starts.find((start) => start > current) ?? last,
  last: () => last,
};
const KEYS = { Home: "first", ArrowUp: "trick-back", ArrowLeft: "back", ArrowRight: "on", ArrowDown: "trick-on", End: "last" };

export function go(number) {
  const to = Math.min(Math.max(Math.round(number), 0), last);
  if (to === current) return;
  const near = Math.abs(to - current) === 1;
  const before = near ? remember(felt) : null;
  current = to;
  table.draw(deal.steps[to]);
  travel(felt, before);
  mark();
  race.move(to);
  writeAddress();
}

// Everything around the table that names the step.
function mark() {
  slider.value = current;
  slider.setAttribute("aria-valuetext", `Step ${current} of ${last}`);
  counter.textContent = current;
  for (const event of events) event.removeAttribute("aria-current");
  events[current].setAttribute("aria-current", "step");
  scrollTo(events[current]);
  for (const [name, button] of buttons) {
    const to = WAYS[name]();
    button.search = `?step=${to}`;
    button.toggleAttribute("data-end", to === current);
    if (to === current) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
}

function scrollTo(line) {
  const above = line.offsetTop - eventsPanel.scrollTop;
  if (above < 40 || above + line.offsetHeight > eventsPanel.clientHeight - 40) {
    eventsPanel.scrollTop = line.offsetTop - eventsPanel.clientHeight / 2;
  }
}

// Browsers refuse an address that changes too often: write it when the steps come to rest.
function writeAddress() {
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", `?step=${current}`), 100);
}

function stepOf(link) {
  if (link.hash || link.origin !== location.origin || link.pathname !== location.pathname) return null;
  const step = new URLSearchParams(link.search).get("step");
  return step === null ? null : Number(step);
}

root.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if ("openFinding" in link.dataset) openTab("tab-findings");
  const step = stepOf(link);
  if (step === null) return;
  event.preventDefault();
  go(step);
});

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select")) return;
  const way = KEYS[event.key];
  if (!way) return;
  event.preventDefault();
  go(WAYS[way]());
});

slider.addEventListener("input", () => go(slider.valueAsNumber));
addEventListener("themechange", () => race.redress());

const wide = matchMedia("(min-width: 1040px)");
function showRace() {
  if (!race.plotly && race.element.offsetParent) race.show(current);
}
function whenIdle(work) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work, { timeout: 1000 });
  else setTimeout(work, 200);
}
wide.addEventListener("change", showRace);
whenIdle(showRace);
mark();
