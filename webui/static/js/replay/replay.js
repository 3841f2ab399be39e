// The replay: which step is shown, and every way to another one. All steps came with the page.
import { remember, travel } from "./motion.js";
import { Player } from "./autoplay.js";
import { Race } from "../charts/score_race.js";
import { BestLine } from "./best_line.js";
import { Help } from "./help.js";
import { bindSettings } from "../settings.js";
import { TableView } from "./table.js";
import { bindTabs } from "../tabs.js";
import { Trail } from "./card_history.js";
import { KEYS, LINKS, PACES, waysOf } from "./navigation.js";

const root = document.querySelector("[data-replay]");
const deal = JSON.parse(document.getElementById("deal").textContent);
const review = JSON.parse(document.getElementById("review")?.textContent ?? "null");
const felt = root.querySelector("[data-felt]");
const slider = root.querySelector("[data-slider]");
const counter = root.querySelector("[data-number]");
const events = [...root.querySelectorAll("[data-events] [data-step]")];
const eventsPanel = document.getElementById("panel-events");
const buttons = new Map([...root.querySelectorAll("[data-go]")].map((button) => [button.dataset.go, button]));
const last = deal.steps.length - 1;
const table = new TableView(root, deal);
const race = new Race(root.querySelector("[data-race]"), deal, go);
const openTab = bindTabs(root.querySelector("[data-tabs]"), (id) => { if (id === "tab-race") showRace(); });
let current = Number(counter.textContent);
let marked = root.querySelector("[data-events] [aria-current]");
let writing = 0;

const ways = waysOf(deal, review);
const best = review && new BestLine(root, review, deal);
const player = new Player(root, deal, { now: () => current, on: () => follow("on") });
const more = [...root.querySelectorAll("[data-way]")].filter((button) => button.dataset.way in ways);
const help = new Help(root, document);
const margin = [...root.querySelectorAll("[data-note-at]")];

// A step on where later ones are held back asks for the next.
function follow(name) {
  const to = ways[name](current);
  if (name === "on" && to === current && deal.more) location.assign(address({ step: current + 1, until: current + 1 }));
  else go(to);
}

function address(changes) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  return `?${query}`;
}

export function go(number) {
  const to = Math.min(Math.max(Math.round(number), 0), last);
  if (to === current) return;
  const near = Math.abs(to - current) === 1;
  const before = near ? remember(felt) : null;
  current = to;
  table.draw(deal.steps[to]);
  mark();
  race.move(to);
  scrollTo(events[to]);
  travel(felt, before);
  writeAddress();
}

// Everything around the table that names the step.
function mark() {
  slider.value = current;
  best?.show(current);
  for (const note of margin) note.hidden = Number(note.dataset.noteAt) !== current;
  slider.setAttribute("aria-valuetext", `Step ${current} of ${last}`);
  counter.textContent = current;
  dispatchEvent(new CustomEvent("step", { detail: current }));
  marked?.removeAttribute("aria-current");
  marked = events[current];
  marked.setAttribute("aria-current", "step");
  for (const [name, button] of buttons) {
    const to = ways[name]?.(current);
    if (to === undefined) continue;
    const end = to === current && !(name === "on" && deal.more);
    button.search = address({ step: to });
    button.toggleAttribute("data-end", end);
    if (end) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
  for (const button of more) button.disabled = ways[button.dataset.way](current) === current;
  for (const box of root.querySelectorAll("[data-at-step]")) box.value = box.value.replace(/step=\d+/, `step=${current}`);
  for (const link of root.querySelectorAll("[data-look]")) {
    link.search = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(link.search)), step: current });
    if (link.dataset.look === "hide") link.search = address({ step: current, until: current });
  }
}

function scrollTo(event) {
  const { offsetTop, offsetHeight } = event.parentElement;
  const above = offsetTop - eventsPanel.scrollTop;
  if (above < 40 || above + offsetHeight > eventsPanel.clientHeight - 40) {
    eventsPanel.scrollTop = offsetTop - eventsPanel.clientHeight / 2;
  }
}

// Browsers refuse an address that changes too often: write it when the steps come to rest.
function writeAddress() {
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", address({ step: current })), 100);
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
  if ("look" in link.dataset) return;
  const step = stepOf(link);
  if (step === null) return;
  event.preventDefault();
  player.stop();
  if (link.dataset.go === "on") follow("on");
  else go(step);
});

// A field keeps what is typed there; the slider, keys longer than a letter, but only until the mouse lets it go.
function keeps({ target, key }) {
  return target.matches("textarea, select, input") && (target !== slider || key.length > 1);
}
slider.addEventListener("pointerup", () => slider.blur());

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || keeps(event)) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "?") return help.open();
  const way = KEYS[event.key];
  const link = !way && document.querySelector(LINKS[event.key] ?? "_");
  if (way && !(way in ways)) return;
  if (best && event.key === "b") return best.toggle(current);
  const pace = PACES[event.key];
  if (!way && !link && !pace) return;
  event.preventDefault();
  if (pace) return player.toggle(pace);
  player.stop();
  if (way) follow(way);
  else link.click();
});

root.addEventListener("click", (event) => { if (event.target.closest("[data-best-toggle]")) best?.toggle(current); });
for (const button of more) button.addEventListener("click", () => { player.stop(); follow(button.dataset.way); });

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
// Left out of the layout for good, the lines out of sight would be looked at by the browser at every step.
function layWhole() {
  eventsPanel.classList.add("whole");
  scrollTo(marked);
}
wide.addEventListener("change", showRace);
whenIdle(showRace);
whenIdle(layWhole);
bindSettings(root);
new Trail(document, deal, go);
mark();
scrollTo(marked);
// The charts above the list come later, and take from its height.
new ResizeObserver(() => scrollTo(marked)).observe(eventsPanel);
performance.mark("ready");
