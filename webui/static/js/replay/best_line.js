// What was best at a step: shown only when asked for, so that a reader can think first. Every card that could
// be played wears its worth on the table, too.
const BEFORE = "This step has no review: exact values start at the close.";
const NOTHING = "No decision at this step.";

export class BestLine {
  constructor(root, review, deal) {
    this.root = root;
    this.review = review;
    this.deal = deal;
    this.solved = Math.min(...Object.keys(review.best).filter((step) => review.best[step].line));
    this.place = root.querySelector("[data-best]");
    this.buttons = [...root.querySelectorAll("[data-best-toggle]")];
    this.open = false;
  }

  toggle(step) {
    this.open = !this.open;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(this.open));
    this.show(step);
  }

  show(step) {
    for (const card of this.root.querySelectorAll("[data-worth]")) {
      delete card.dataset.worth;
      delete card.dataset.choice;
    }
    this.place.hidden = !this.open;
    if (!this.open) return;
    const best = this.review.best[this.choiceAt(step)];
    this.place.replaceChildren(...(best ? told(best) : [line(step < this.solved ? BEFORE : NOTHING)]));
    best?.offers.forEach((offer) => this.label(offer, best.seat));
  }

  // The choice that comes next: that a trick is taken is a step of its own, which names no card.
  choiceAt(step) {
    const { steps } = this.deal;
    let at = step;
    while (!this.review.best[at] && steps[at + 1]?.named.length === 0) at += 1;
    return at;
  }

  // Like cards are worth the same.
  label(offer, seat) {
    for (const card of this.root.querySelectorAll(`[data-hand="${seat}"] [data-card], [data-laid="${seat}"] [data-card]`)) {
      if (card.dataset.card !== offer.card) continue;
      card.dataset.worth = offer.worth;
      card.dataset.choice = rank(offer);
    }
  }
}

const rank = (offer) => (offer.best ? "best" : offer.did ? "did" : "");

function told(best) {
  const mean = best.line ? "" : " on average";
  const list = document.createElement("ul");
  list.className = "offers";
  list.append(...best.offers.map((offer) => {
    const item = line(`${offer.says} ${offer.worth}`, "li");
    item.dataset.choice = rank(offer);
    if (offer.did) item.append(" ", line("played", "small"));
    return item;
  }));
  const head = line(best.lost > 0 ? `This decision lost ${best.lost}${mean}.` : "This was the best choice.");
  return [head, list, ...(best.line ? [line(`Best: ${best.line}.`)] : [])];
}

function line(words, tag = "p") {
  const element = document.createElement(tag);
  element.textContent = words;
  return element;
}
