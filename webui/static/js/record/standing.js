// How a game stands, as the page shows it: the players with their points, whose turn it is, what is due, what was recorded.
import { sideOf } from "./record.js";
import { cardWords, SUITS, UNSEEN } from "./pack.js";

const find = (name) => document.querySelector(`[data-${name}]`);

function made(tag, words, classes = "") {
  const element = document.createElement(tag);
  element.className = classes;
  element.textContent = words;
  return element;
}

const fill = (name, tag, lines) =>
  find(name).replaceChildren(...lines.map((words) => made(tag, words)));

export function drawPlayers({ recording, state, deal, marker }) {
  const totals = state?.scores ?? marker.totals(recording);
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
  if (state?.turn_up && state.turn_up !== UNSEEN && state.stock)
    facts.push(`turned up: ${cardWords(state.turn_up)}`);
  if (state && deal?.knowledge !== "scores") facts.push(`stock: ${state.stock}`);
  if (sheet.target) facts.push(`target: ${sheet.target}`);
  find("facts").textContent = facts.join(", ");
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
    const said = state.said.at(-1);
    if (said) lines.push(said);
    if (state.turn && !state.stopped) lines.push(`${state.turn}.`);
  }
  find("turn").textContent = lines.join(" ");
  fill("due", "li", [...(state?.due ?? []), ...breachesHere(state, breach)]);
}

const isCard = (word) => /^[2-9TJQKA][SHDC]$/.test(word);

function breachesHere(state, breach) {
  const here = (state?.findings ?? []).filter(
    ({ severity, deal, event }) =>
      severity !== "note" && deal === state.deal && event === state.said.length - 1,
  );
  const lines = here.map(({ message }) => message);
  if (!breach) return lines;
  const allowed = breach.legal.map((card) => (isCard(card) ? cardWords(card) : card));
  const legal = allowed.length ? ` The rules allowed: ${allowed.join(", ")}.` : "";
  return [...lines, `In the record: ${breach.message}${legal}`];
}

export function drawEnd({ state, deal }) {
  const complete = Boolean(state?.complete);
  const stopped = state?.stopped && !state.over;
  const heading = complete ? "The end of the match" : "The end of the deal";
  find("end").querySelector("h2").textContent = stopped ? "The deal stops here" : heading;
  let sentences = state?.outcome.length ? state.outcome : ["The deal is over."];
  if (stopped)
    sentences = ["Nobody can say who holds what from here on. Undo, or go on with the next deal."];
  fill("outcome", "p", sentences);
  find("depth-next").hidden = find("next-deal").hidden = complete;
  if (deal) find("end").querySelector("select").value = deal.knowledge ?? "full";
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

// The running score, as people write it, and the events of the deal.
export function drawList({ recording, state, deal, marker }) {
  const running = state?.running ?? [];
  const { base, names } = recording.draft;
  const row = (cells, tag) => {
    const line = document.createElement("tr");
    line.append(...cells.map((cell) => made(tag, cell)));
    return line;
  };
  const heads = base.sides?.map((side) => side.map((seat) => names[seat]).join(" and ")) ?? names;
  find("scores").replaceChildren(
    row(["Deal", ...heads], "th"),
    ...running.map((scores, number) =>
      row([number + 1, ...(scores ?? heads.map(() => "open"))], "td"),
    ),
  );
  find("scores").hidden = !running.length;
  fill("dealt", "li", dealt(recording, deal));
  fill("events", "li", deal?.knowledge === "scores" ? marker.lines : (state?.said ?? []));
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
