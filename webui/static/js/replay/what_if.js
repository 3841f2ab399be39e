// What if: a click on a card that may be played plays it, arrow keys take moves back and make them again. The server
// decides what is legal; only the reload is spared.
import { cardPositions, slideCards } from "../table/motion.js";
import { InPlace, announce } from "../table/in_place.js";
import { keyName } from "./navigation.js";

class WhatIf {
  constructor({ signal, room, kept }) {
    this.root = document.querySelector("[data-what-if]");
    this.felt = this.root.querySelector("[data-felt]");
    this.room = room;
    this.undone = kept.undone ?? [];
    this.leads = {
      ArrowLeft: () => this.undo(),
      ArrowRight: () => this.redo(),
      Home: () => this.follow("[data-start-over]"),
      t: () => this.follow("[data-turn-table]"),
      w: () => this.room.leaveFor(this.root.querySelector("[data-back]").href),
    };
    this.root.addEventListener("click", (event) => this.click(event));
    this.root.addEventListener("submit", (event) => this.submit(event));
    addEventListener("keydown", (event) => this.press(event), { signal });
    this.showWorth();
    if (kept.positions) slideCards(this.felt, kept.positions);
    if (kept.undone) announce(this.root);
  }

  keep() {
    return { undone: this.undone, positions: cardPositions(this.felt) };
  }

  // What a choice is worth stands on its card, too.
  showWorth() {
    for (const card of this.felt.querySelectorAll(".legal")) {
      const choice = this.choiceOf(card);
      if (!choice?.dataset.worth) continue;
      card.dataset.cardValue = choice.dataset.worth;
      if ("best" in choice.dataset) card.dataset.choice = "best";
    }
  }

  follow(selector) {
    const link = this.root.querySelector(selector);
    if (link) this.room.visit(link.href);
  }

  undo() {
    const link = this.root.querySelector("[data-undo]");
    if (!link) return;
    this.undone.push(location.href);
    this.room.visit(link.href);
  }

  // What was taken back is made again; beyond that the line goes on as the record does.
  redo() {
    const address = this.undone.pop() ?? this.root.querySelector(".choice.recorded")?.href;
    if (address) this.room.visit(address);
  }

  play(address) {
    this.undone = [];
    this.room.visit(address);
  }

  click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = event.target.closest("a[data-in-place]");
    const address = link?.href ?? this.choiceOf(event.target.closest("[data-card]"))?.href;
    if (!address) return;
    event.preventDefault();
    if (link && "undo" in link.dataset) this.undo();
    else this.play(address);
  }

  submit(event) {
    if (!event.target.matches(".name-card")) return;
    event.preventDefault();
    this.play(`${location.pathname}?${new URLSearchParams(new FormData(event.target))}`);
  }

  // The choice that plays a card of the felt. Where a card may be played from two places, its place decides.
  choiceOf(card) {
    const place = card?.closest("[data-hand]")
      ? "hand"
      : card?.closest("[data-laid]")
        ? "table"
        : "";
    if (!place || !card.classList.contains("legal")) return null;
    return [...this.root.querySelectorAll("[data-choice-card]")].find(
      ({ dataset }) =>
        dataset.choiceCard === card.dataset.card &&
        (!dataset.choicePlace || dataset.choicePlace === place),
    );
  }

  press(event) {
    if (
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.target.matches("input, select, textarea")
    )
      return;
    const lead = this.leads[keyName(event)];
    if (!lead) return;
    event.preventDefault();
    lead();
  }
}

new InPlace((page) => new WhatIf(page));
performance.mark("ready");
