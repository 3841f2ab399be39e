// What the review says of a step. The values of the choices are hidden until you ask for them, so that you can think
// first; from then on every card that could be played carries its value. A mistake is told when it has been made, and
// while the values are shown already where it is about to be made: in the headline, with its card marked on the table.
const NOT_SOLVED = "This step has no review: exact values start at the close.";
const WORSE = ["inaccuracy", "mistake", "blunder"];
const NO_CHOICE = "No decision at this step.";
const SCALE = "In points: the lead of who decides at the end of the deal.";
const CHANCE_SCALE = "In percent: the chance of winning the match.";

export class BestLine {
  constructor(root, review, deal) {
    this.root = root;
    this.review = review;
    this.deal = deal;
    this.firstSolved = Math.min(
      ...Object.keys(review.best).filter((step) => review.best[step].line),
    );
    this.panel = root.querySelector("[data-best-line]");
    this.whatIf = root.querySelector('[data-view="what-if"]');
    this.buttons = [...root.querySelectorAll("[data-best-line-toggle]")];
    this.marked = [];
    this.open = false;
  }

  toggle() {
    this.open = !this.open;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(this.open));
  }

  // The decision that a step is about: the next one, or the one just made.
  decisionAt(step) {
    return this.open ? this.choiceAt(step) : step - 1;
  }

  // The mistake that a step tells, if there is one.
  toldAt(step) {
    return this.review.headlines[this.decisionAt(step)];
  }

  show(step) {
    for (const card of this.marked.splice(0)) {
      delete card.dataset.cardValue;
      delete card.dataset.choice;
    }
    const decision = this.decisionAt(step);
    const told = this.toldAt(step);
    this.panel.hidden = !this.open && !told;
    if (this.panel.hidden) return;
    const best = this.review.best[decision];
    this.panel.replaceChildren(...(best ? this.describe(best, decision) : [this.why(step)]));
    if (this.open) best?.offers.forEach((offer) => this.label(offer, best.seat));
    else this.markMistake(told);
  }

  why(step) {
    return textElement(step < this.firstSolved ? NOT_SOLVED : NO_CHOICE);
  }

  // The step of the next choice: taking a trick is a step of its own that names no card, and is passed over.
  choiceAt(step) {
    const { steps } = this.deal;
    let next = step;
    while (!this.review.best[next] && steps[next + 1]?.named.length === 0) next += 1;
    return next;
  }

  // Identical cards have the same value; where the record tells them apart, a dot and a digit follow the card.
  label(offer, seat) {
    for (const card of this.cardsOf(seat, offer.card ?? "")) {
      this.mark(card, rank(offer), offer.worth);
    }
  }

  markMistake({ seat, bad, better, mark }) {
    for (const card of this.root.querySelectorAll(`[data-trick] [data-seat="${seat}"]`)) {
      if (faceOf(card.dataset.card) === bad) this.mark(card, "did", mark);
    }
    for (const face of better) {
      for (const card of this.cardsOf(seat, face)) this.mark(card, "best");
    }
  }

  cardsOf(seat, face) {
    const cards = this.root.querySelectorAll(
      `[data-hand="${seat}"] [data-card], [data-laid="${seat}"] [data-card]`,
    );
    return [...cards].filter((card) => faceOf(card.dataset.card) === faceOf(face));
  }

  mark(card, choice, value) {
    card.dataset.choice = choice;
    if (value) card.dataset.cardValue = value;
    this.marked.push(card);
  }

  describe(best, decision) {
    const verdict = textElement(best.says);
    verdict.className = "judgement";
    const parts = [verdict];
    if (!best.offers[0].did && best.lost) parts.push(this.better(best, decision));
    if (!this.open) return best.why ? [...parts, textElement(best.why)] : parts;
    const more = [
      best.why,
      best.line && `Best: ${best.line}.`,
      best.offers[0].chance ? `${SCALE} ${CHANCE_SCALE}` : SCALE,
    ].filter(Boolean);
    return [...parts, offerList(best.offers), ...more.map((words) => textElement(words))];
  }

  // What plays the better choice in What if, and where the mistake has been made already, what leads back to its values.
  better(best, decision) {
    const row = document.createElement("p");
    row.className = "better";
    const play = new URL(this.whatIf.href);
    play.searchParams.set("step", decision);
    if (best.move) play.searchParams.set("line", best.move);
    row.append(link(play, `Try ${best.offers[0].says}`, "button strong"));
    if (!this.open) {
      const back = link(`?${stepAddress(decision)}`, "What each choice is worth", "button");
      back.dataset.best = "";
      row.append(" ", back);
    }
    return row;
  }
}

const faceOf = (card) => card.slice(0, 2);

// What was chosen is marked as bad only if it cost something.
const rank = ({ best, did, grade }) => {
  if (best) return "best";
  if (!did) return "";
  return WORSE.includes(grade) ? "did" : "fair";
};

function stepAddress(step) {
  const query = new URLSearchParams(location.search);
  query.set("step", step);
  return query;
}

function offerList(offers) {
  const list = document.createElement("ul");
  list.className = "offers";
  list.append(
    ...offers.map((offer) => {
      const item = textElement(
        [`${offer.says} ${offer.worth}`, offer.chance].filter(Boolean).join(" · "),
        "li",
      );
      item.dataset.choice = rank(offer);
      if (offer.grade) item.append(" ", textElement(offer.grade, "small"));
      if (offer.did) item.append(" ", textElement("chosen", "small"));
      return item;
    }),
  );
  return list;
}

function link(address, words, look) {
  const element = textElement(words, "a");
  element.href = address;
  element.className = look;
  return element;
}

function textElement(words, tag = "p") {
  const element = document.createElement(tag);
  element.textContent = words;
  return element;
}
