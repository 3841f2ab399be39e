// What was best at a step: shown only when asked for, so that a reader can think first.
export class BestLine {
  constructor(root, review) {
    this.review = review;
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
    const best = this.review.best[step];
    this.place.hidden = !this.open;
    if (!this.open) return;
    this.place.textContent = best
      ? `${best.line ? `Best: ${best.line}. Worth now` : "Worth on average, one card face down"}: ${best.ways}.${best.lost ? ` What was played loses ${best.lost}.` : ""}`
      : "Nothing is chosen here after the close.";
  }
}
