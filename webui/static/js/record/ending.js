// The end of a deal: what it came to, the points on paper beside it, where it stopped, and the next deal.
import { fill, find, sideNames } from "./standing.js";

export class Ending {
  constructor(box, { nextDeal, claim, goBack }) {
    Object.assign(this, { box, paper: find("paper") });
    find("next-deal").addEventListener("click", () => nextDeal(this.depth));
    find("back-to-breach").addEventListener("click", goBack);
    this.paper.addEventListener("submit", (event) => {
      event.preventDefault();
      const points = this.fields.map(({ value }) => Number(value));
      claim(this.fields.some(({ value }) => value !== "") ? points : null);
    });
  }

  get depth() {
    return this.box.querySelector("select").value;
  }

  get fields() {
    return [...this.paper.querySelectorAll("input")];
  }

  draw({ recording, state, deal }) {
    const complete = Boolean(state?.complete);
    const stopped = Boolean(state?.stopped && !state.over);
    const heading = complete ? "The end of the match" : "The end of the deal";
    this.box.querySelector("h2").textContent = stopped ? "The deal stops here" : heading;
    let sentences = state?.outcome.length ? state.outcome : ["The deal is over."];
    if (stopped)
      sentences = [
        "Nobody can say who holds what from here on. Go back and enter another card, or go on with the next deal.",
      ];
    fill("outcome", "p", sentences);
    find("back-to-breach").hidden = !stopped;
    find("depth-next").hidden = find("next-deal").hidden = complete;
    this.box.querySelector("select").value = deal.knowledge ?? "full";
    this.drawPaper(recording, state, deal);
  }

  // Points that somebody wrote down are a claim of the record. What is being typed stays.
  drawPaper(recording, state, deal) {
    this.paper.hidden = deal.knowledge === "scores" || !state;
    find("paper-said").textContent = state?.paper ?? "";
    const key = JSON.stringify([recording.draft.id, recording.record.deals.length, deal.claims]);
    if (key === this.drawn) return;
    this.drawn = key;
    const lines = sideNames(recording).map((name, side) => {
      const label = document.createElement("label");
      const field = document.createElement("input");
      Object.assign(field, { type: "number", inputMode: "numeric", step: 1, required: side > 0 });
      field.value = deal.claims?.scores?.[side] ?? "";
      label.append(name, field);
      return label;
    });
    this.paper.querySelector("[data-paper-fields]").replaceChildren(...lines);
  }
}
