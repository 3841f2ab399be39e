// The replay: which step is shown, and how to get to others. All steps came with the page.
import { cardPositions, slideCards } from "./motion.js";
import { Autoplay } from "./autoplay.js";
import { bindFigureChoice } from "../charts/figure_choice.js";
import { ScoreRace } from "../charts/score_race.js";
import { BestLine } from "./best_line.js";
import { KeyHelp } from "./help.js";
import { bindSettings } from "../settings.js";
import { TableView } from "./table.js";
import { bindTabs } from "../tabs.js";
import { CardHistory } from "./card_history.js";
import { KEYS, LINKS, PACES, markEnd, navigationTargets } from "./navigation.js";

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
const race = new ScoreRace(root.querySelector("[data-score-race]"), deal, go);
const openTab = bindTabs(root.querySelector("[data-tabs]"), (id) => {
  if (id === "tab-score") showScoreRace();
  bringIntoSight(root.querySelector(".side"));
});
let current = Number(counter.textContent);
let currentEvent = root.querySelector("[data-events] [aria-current]");
let addressTimer = 0;

const targets = navigationTargets(deal, review);
const bestLine = review && new BestLine(root, review, deal);
const autoplay = new Autoplay(root, deal, { shownStep: () => current, stepOn: () => follow("on"), goTo: go });
const jumpButtons = [...root.querySelectorAll("[data-jump]")].filter((button) => button.dataset.jump in targets);
const help = new KeyHelp(root, document);
const comments = [...root.querySelectorAll("[data-comment-step]")];

// Where later steps are hidden, stepping on from the last one asks the server for one more.
function follow(name) {
  const to = targets[name](current);
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
  const isNext = Math.abs(to - current) === 1;
  const before = isNext ? cardPositions(felt) : null;
  current = to;
  table.draw(deal.steps[to]);
  updatePage();
  race.move(to);
  scrollTo(events[to]);
  slideCards(felt, before);
  writeAddress();
}

// Brings everything around the table to the step shown.
function updatePage() {
  slider.value = current;
  bestLine?.show(current);
  for (const comment of comments) comment.hidden = Number(comment.dataset.commentStep) !== current;
  slider.setAttribute("aria-valuetext", `Step ${current} of ${last}`);
  counter.textContent = current;
  dispatchEvent(new CustomEvent("step", { detail: current }));
  currentEvent?.removeAttribute("aria-current");
  currentEvent = events[current];
  currentEvent.setAttribute("aria-current", "step");
  updateLinks();
}

// Every address on the page that names the step.
function updateLinks() {
  for (const [name, button] of buttons) {
    const to = targets[name]?.(current);
    if (to === undefined) continue;
    button.search = address({ step: to });
    markEnd(button, to === current && !(name === "on" && deal.more));
  }
  for (const button of jumpButtons) button.disabled = targets[button.dataset.jump](current) === current;
  for (const box of root.querySelectorAll("[data-embed-code]")) box.value = box.value.replace(/step=\d+/, `step=${current}`);
  for (const link of root.querySelectorAll("[data-view]")) {
    link.search = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(link.search)), step: current });
    if (link.dataset.view === "hide") link.search = address({ step: current, until: current });
  }
}

// Where the panels lie below the table, opening one would change nothing in sight.
function bringIntoSight(side) {
  if (side.getBoundingClientRect().top > innerHeight / 3) side.scrollIntoView({ block: "start" });
  scrollTo(currentEvent);
}

function scrollTo(event) {
  const { offsetTop, offsetHeight } = event.parentElement;
  const above = offsetTop - eventsPanel.scrollTop;
  if (above < 40 || above + offsetHeight > eventsPanel.clientHeight - 40) {
    eventsPanel.scrollTop = offsetTop - eventsPanel.clientHeight / 2;
  }
}

// Browsers refuse an address that changes too often: write it when the stepping stops.
function writeAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => history.replaceState(null, "", address({ step: current })), 100);
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
  if ("view" in link.dataset) return;
  const step = stepOf(link);
  if (step === null) return;
  event.preventDefault();
  autoplay.stop();
  if (link.dataset.go === "on") follow("on");
  else go(step);
});

// Whether a key belongs to the field that has the focus. The slider takes only named keys such as arrows, and
// only until the mouse lets it go.
function isForField({ target, key }) {
  return target.matches("textarea, select, input") && (target !== slider || key.length > 1);
}
slider.addEventListener("pointerup", () => slider.blur());

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || isForField(event)) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "?") return help.open();
  const target = KEYS[event.key];
  const link = !target && document.querySelector(LINKS[event.key] ?? "_");
  if (target && !(target in targets)) return;
  if (bestLine && event.key === "b") return bestLine.toggle(current);
  const pace = PACES[event.key];
  if (!target && !link && !pace) return;
  event.preventDefault();
  if (pace) return autoplay.toggle(pace === "real" ? pace : undefined);
  autoplay.stop();
  if (target) follow(target);
  else link.click();
});

root.addEventListener("click", (event) => { if (event.target.closest("[data-best-line-toggle]")) bestLine?.toggle(current); });
for (const button of jumpButtons) button.addEventListener("click", () => { autoplay.stop(); follow(button.dataset.jump); });

slider.addEventListener("input", () => go(slider.valueAsNumber));
addEventListener("themechange", () => race.recolour());

const wide = matchMedia("(min-width: 1040px) and (min-height: 561px)");
bindFigureChoice(root, showScoreRace);
function showScoreRace() {
  if (!race.plotly && race.element.offsetParent) race.show(current);
}
function whenIdle(work) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work, { timeout: 1000 });
  else setTimeout(work, 200);
}
// The list begins with lines out of sight left out of the layout, for speed. Left out for good, they would cost
// the browser a look at every step.
function layOutEvents() {
  eventsPanel.classList.add("whole");
  scrollTo(currentEvent);
}
wide.addEventListener("change", showScoreRace);
whenIdle(showScoreRace);
whenIdle(layOutEvents);
bindSettings(root);
new CardHistory(document, deal, go);
updatePage();
scrollTo(currentEvent);
// The charts above the list appear later and make it shorter.
new ResizeObserver(() => scrollTo(currentEvent)).observe(eventsPanel);
performance.mark("ready");
