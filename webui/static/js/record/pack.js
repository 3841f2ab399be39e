// The pack to tap: every card of the game once, by suits, and the card that nobody knows. What may be tapped now is lit.
export const UNSEEN = "??";
export const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const SIGNS = { S: "\u2660", H: "\u2665", D: "\u2666", C: "\u2663" };
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };
const SVG = "http://www.w3.org/2000/svg";

export function cardWords(card) {
  if (card === UNSEEN) return "card not seen";
  return `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;
}

export const cardSigns = (cards) =>
  cards.map(([rank, suit]) => (rank === "T" ? "10" : rank) + (SIGNS[suit] ?? "")).join(" ");

export function button(words, act, classes = "button") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = classes;
  made.textContent = words;
  made.addEventListener("click", act);
  return made;
}

export function cardButton(card, choose) {
  const made = button("", () => choose(card), "record-card");
  made.dataset.card = card;
  made.setAttribute("aria-label", cardWords(card));
  if (card === UNSEEN) made.textContent = "? not seen";
  else made.append(drawFace(card));
  return made;
}

export function drawFace(card) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 60 84");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#c-${card.slice(0, 2).replaceAll("?", "x")}`);
  svg.append(use);
  return svg;
}

export class Pack {
  constructor(box, choose) {
    Object.assign(this, { box, choose });
  }

  draw(ranks) {
    const rows = Object.keys(SUITS).map((suit) => [...ranks].map((rank) => rank + suit));
    this.box.replaceChildren(
      ...[...rows, [UNSEEN]].map((cards) => {
        const row = document.createElement("div");
        row.className = "record-suit";
        row.append(...cards.map((card) => cardButton(card, this.choose)));
        return row;
      }),
    );
  }

  get buttons() {
    return this.box.querySelectorAll("button");
  }

  light(isLit) {
    for (const each of this.buttons) {
      const { card } = each.dataset;
      const lit = isLit(card);
      each.classList.toggle("lit", lit);
      each.setAttribute("aria-label", cardWords(card) + (lit ? "" : ", not legal now"));
    }
  }

  // Marks the cards that what was typed may become.
  mark(typed) {
    for (const each of this.buttons)
      each.classList.toggle("typed", Boolean(typed) && each.dataset.card.includes(typed));
  }
}

// Cards by two keys, the rank and the suit in either order; `?` alone is a card that nobody knows.

const RANK_KEYS = { 1: "T", 0: "T" };

// The letter that is printed on the key, or where the keyboard has no Latin letters, the one at its place. Digits are by
// their place: some keyboards have them only with Shift.
function letter({ key, code }) {
  if (key === "?") return "?";
  if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase();
  return code.match(/^(?:Key|Digit|Numpad)([A-Z0-9])$/)?.[1] ?? "";
}

// What is typed with one more key: a card, the first half of one, or null if the key means nothing here.
export function typedCard(typed, event, ranks) {
  const given = letter(event);
  if (!given) return null;
  if (given === "?") return "??";
  const rank = RANK_KEYS[given] ?? given;
  if (given in SUITS) return typed && !(typed in SUITS) ? typed + given : given;
  if (!ranks.includes(rank)) return null;
  return typed && typed in SUITS ? rank + typed : rank;
}
