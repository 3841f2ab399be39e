// The best line at a step, hidden until you ask for it so that you can think first. While it is shown, every
// card on the table that could be played carries its value.
const NOT_SOLVED = "This step has no review: exact values start at the close.";
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
    this.buttons = [...root.querySelectorAll("[data-best-line-toggle]")];
    this.open = false;
  }

  toggle(step) {
    this.open = !this.open;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(this.open));
    this.show(step);
  }

  show(step) {
    if (!this.open && this.panel.hidden) return;
    for (const card of this.root.querySelectorAll("[data-card-value]")) {
      delete card.dataset.cardValue;
      delete card.dataset.choice;
    }
    this.panel.hidden = !this.open;
    if (!this.open) return;
    const best = this.review.best[this.choiceAt(step)];
    this.panel.replaceChildren(
      ...(best ? describe(best) : [textElement(step < this.firstSolved ? NOT_SOLVED : NO_CHOICE)]),
    );
    best?.offers.forEach((offer) => this.label(offer, best.seat));
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
    for (const card of this.root.querySelectorAll(
      `[data-hand="${seat}"] [data-card], [data-laid="${seat}"] [data-card]`,
    )) {
      if (faceOf(card.dataset.card) !== faceOf(offer.card ?? "")) continue;
      card.dataset.cardValue = offer.worth;
      card.dataset.choice = rank(offer);
    }
  }
}

const faceOf = (card) => card.slice(0, 2);

const rank = (offer) => (offer.best ? "best" : offer.did ? "did" : "");

function describe(best) {
  const list = document.createElement("ul");
  list.className = "offers";
  list.append(
    ...best.offers.map((offer) => {
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
  const more = [
    best.why,
    SCALE,
    best.offers[0].chance && CHANCE_SCALE,
    best.line && `Best: ${best.line}.`,
  ].filter(Boolean);
  return [textElement(best.says), list, ...more.map((words) => textElement(words))];
}

function textElement(words, tag = "p") {
  const element = document.createElement(tag);
  element.textContent = words;
  return element;
}
