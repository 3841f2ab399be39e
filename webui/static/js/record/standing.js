// How a game stands, as the page shows it: the players with their points, whose turn it is, what is due, what was recorded.
import { sideOf } from "./record.js";
import { button, cardWords, drawFace, SUITS, UNSEEN } from "./pack.js";

export const find = (name) => document.querySelector(`[data-${name}]`);

function made(tag, words, classes = "") {
  const element = document.createElement(tag);
  element.className = classes;
  element.textContent = words;
  return element;
}

export const fill = (name, tag, lines) =>
  find(name).replaceChildren(...lines.map((words) => made(tag, words)));

export function drawPlayers({ recording, state, deal, marker, totalsBefore }) {
  const totals = state?.scores ?? marker.totals(recording) ?? totalsBefore;
  const lines = recording.draft.names.map((name, seat) => {
    const side = sideOf(recording.draft.base, seat);
    const own =
      deal?.knowledge === "scores" ? (deal.claims?.scores[side] ?? 0) : state?.points?.[seat];
    const line = document.createElement("li");
    line.append(
      made("span", name),
      made("b", own ?? "", "figure"),
      made("span", deal?.dealer === seat ? "deals" : "", "muted"),
      made("span", totals ? `match ${totals[side]}` : "", "muted figure"),
    );
    if (state?.seat === seat && !state.over) line.setAttribute("aria-current", "true");
    return line;
  });
  find("players").replaceChildren(...lines);
}

export function drawFacts({ state, deal, sheet }) {
  const facts = [];
  if (state?.trump) facts.push(`Trumps: ${SUITS[state.trump]}`);
  if (state && deal?.knowledge !== "scores") facts.push(`stock: ${state.stock}`);
  if (sheet.target) facts.push(`target: ${sheet.target.toLocaleString("en")}`);
  const told = facts.join(", ");
  find("facts").textContent = told.charAt(0).toUpperCase() + told.slice(1);
}

// What lies on the table as far as it is recorded: the turn-up, the trick, the melds of each player. The strip keeps its height,
// whatever lies there, so that the pack below it stays in its place.
export function drawTable({ state }) {
  const box = find("table");
  const groups = state?.lying ?? [];
  const drawn = JSON.stringify(groups);
  if (box.dataset.drawn === drawn) return;
  box.dataset.drawn = drawn;
  box.replaceChildren(...groups.map(lying));
}

function lying({ kind, words, cards }) {
  const group = document.createElement("figure");
  group.className = `lying of-${kind}`;
  const list = document.createElement("ul");
  list.append(...cards.map(cardOf));
  const caption = document.createElement("figcaption");
  caption.textContent = words;
  group.append(list, caption);
  return group;
}

// A card is followed by its marks: "QS won".
function cardOf(item) {
  const [card, ...marks] = item.split(" ");
  const element = document.createElement("li");
  element.className = ["card", ...marks].join(" ");
  const face = drawFace(card);
  face.removeAttribute("aria-hidden");
  face.setAttribute("role", "img");
  face.setAttribute(
    "aria-label",
    cardWords(card) + (marks.includes("won") ? ", takes the trick" : ""),
  );
  element.append(face);
  return element;
}

export function drawTurn({ recording, state, deal, dealing, unchecked, breach }) {
  const { names } = recording.draft;
  const lines = [];
  if (unchecked) lines.push("No connection. What you enter is kept, and checked later.");
  else if (dealing?.turnUp) lines.push("Which card is turned up?");
  else if (dealing) {
    const hand = deal.hands[dealing.seat].map(cardWords).join(", ");
    lines.push(
      `${names[dealing.seat]}’s hand: ${hand && `${hand}; `}${dealing.left} more to enter.`,
    );
  } else if (state && deal?.knowledge !== "scores") {
    lines.push(...lastSaid(recording, state));
    if (state.turn && !state.stopped) lines.push(`${state.turn}.`);
  }
  find("turn").textContent = lines.join(" ");
  fill("due", "li", [...(state?.due ?? []), ...breachesHere(state, breach)]);
}

// What was entered last, and what entered itself since.
function lastSaid(recording, { said }) {
  const { forced } = recording;
  const at = forced.lastIndexOf(false);
  const alone = said.filter((_, number) => number > at && forced[number]);
  const words = alone.length
    ? [`Played by itself, as nothing else can be: ${alone.join(" ")}`]
    : [];
  return [...said.slice(at, at + 1), ...words];
}

const isCard = (word) => /^[2-9TJQKA][SHDC]$/.test(word);

const STOPS =
  "Enter what really happened: as it is written, the deal cannot go on after it. Redo brings it back as it is.";

export const ofLastEvent = ({ deal, event }, state) =>
  deal === state.deal && event === state.said.length - 1;
export const ofDeal = ({ deal, event }, state) => deal === state.deal && event === null;

// Of the last event, and of what was dealt: a card that lies there too often stays wrong whatever is played.
function breachesHere(state, breach) {
  const here = (state?.findings ?? []).filter(
    (each) =>
      (each.severity !== "note" && ofLastEvent(each, state)) ||
      (each.severity === "illegal" && ofDeal(each, state)),
  );
  const lines = here.map(({ message }) => message);
  if (!breach) return lines;
  const allowed = breach.legal.map((card) => (isCard(card) ? cardWords(card) : card));
  const legal = allowed.length ? ` The rules allowed: ${allowed.join(", ")}.` : "";
  const stops = breach.stops ? ` ${STOPS}` : "";
  return [...lines, `In the record: ${breach.message}${legal}${stops}`];
}

const isKnown = (card) => card !== UNSEEN;

// The hands and the turn-up, as far as they are entered: they are compared with what lies on the table.
function dealt(recording, deal) {
  const lines = (deal?.hands ?? []).flatMap((hand, seat) => {
    const cards = hand.filter(isKnown).map(cardWords);
    return cards.length ? [`${recording.draft.names[seat]} is dealt ${cards.join(", ")}`] : [];
  });
  return deal?.turn_up ? [...lines, `Turned up: ${cardWords(deal.turn_up)}`] : lines;
}

export const sideNames = ({ draft: { base, names } }) =>
  base.sides?.map((side) => side.map((seat) => names[seat]).join(" and ")) ?? names;

// The running score, as people write it, and the events of the deal.
export function drawList({ recording, state, deal, marker }, { goBack, note }) {
  const running = state?.running ?? [];
  const row = (cells, tag) => {
    const line = document.createElement("tr");
    line.append(...cells.map((cell) => made(tag, cell)));
    return line;
  };
  const heads = sideNames(recording);
  find("scores").replaceChildren(
    row(["Deal", ...heads], "th"),
    ...running.map((scores, number) =>
      row([number + 1, ...(scores ?? heads.map(() => "open"))], "td"),
    ),
  );
  find("scores").hidden = !running.length;
  fill("dealt", "li", dealt(recording, deal));
  const lines = deal?.knowledge === "scores" ? markerLines(marker) : eventLines(recording, state);
  const { names } = recording.draft;
  find("events").replaceChildren(...lines.map((line) => inList(line, names, { goBack, note })));
}

// A line that is tapped offers the way back to its step, and what paper may say of its event.
function inList({ words, step, event, at, trick = "", breaches = [] }, names, { goBack, note }) {
  const line = made("li", "");
  const text = button(
    words,
    () => {
      const offered = line.querySelector("[data-go-back]");
      text.ariaExpanded = String(!offered);
      if (offered) return offered.remove();
      const box = made("span", "", "record-offered");
      box.dataset.goBack = "";
      box.append(button("Go back to here", () => goBack(step)));
      if (event) box.append(...onPaper(event, names, { at, isTrick: Boolean(trick), note }));
      text.after(" ", box);
    },
    "record-line",
  );
  text.ariaExpanded = "false";
  line.append(text);
  for (const told of [trick, ...breaches])
    if (told) line.append(made("span", told, "record-trick"));
  return line;
}

const WITH_POINTS = ["meld", "dix", "carte_blanche", "score"];

// Who took the trick on paper, or the points that stand there.
function onPaper(event, names, { at, isTrick, note }) {
  const { type } = event;
  if (isTrick)
    return names.map((name, winner) =>
      button(`On paper, ${name} takes the trick`, () => note({ at, type, winner })),
    );
  if (!WITH_POINTS.includes(type)) return [];
  const label = made("label", "Points on paper");
  const field = document.createElement("input");
  Object.assign(field, { type: "number", inputMode: "numeric", value: event.points ?? "" });
  label.append(" ", field);
  const keep = button("Keep them", () => {
    if (field.value !== "") note({ at, type, points: Number(field.value) });
  });
  return [label, keep];
}

const markerLines = (marker) => marker.lines.map(([step, words]) => ({ step, words }));

// The events; where one entered itself, a trick was completed, or paper says something else than the rules, its line says so.
function eventLines(recording, state) {
  const tricks = new Map(state?.taken.map(({ event, words }) => [event, words]));
  const { forced, entries } = recording;
  return (state?.said ?? []).map((words, at) => ({
    words: forced[at] ? `${words} (by itself)` : words,
    ...entries[at],
    at,
    trick: tricks.get(at),
    breaches: state.findings
      .filter((each) => each.deal === state.deal && each.event === at && each.severity !== "note")
      .map(({ message }) => message),
  }));
}

export function tell(words, { bad = false } = {}) {
  for (const [name, shown] of [
    ["told", !bad],
    ["problem", bad],
  ]) {
    find(name).textContent = shown ? words : "";
    find(name).hidden = !shown || !words;
  }
}
