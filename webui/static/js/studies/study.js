// A study, step by step in place: → goes on to the answer, through the line and to the next moment, ← goes back, A shows the
// answer. Every step is an address of its own, which works without this.
import { cardPositions, slideCards } from "../table/motion.js";
import { InPlace, announce } from "../table/in_place.js";

const STEPS = { ArrowRight: "[data-on]", ArrowLeft: "[data-back]", KeyA: "[data-answer]" };

class Reader {
  constructor({ signal, room, kept }) {
    this.root = document.querySelector("[data-study]");
    this.felt = this.root?.querySelector("[data-felt]");
    this.room = room;
    this.root?.addEventListener("click", (event) => this.click(event));
    addEventListener("keydown", (event) => this.press(event), { signal });
    if (!kept.stepped) return;
    if (this.felt) slideCards(this.felt, kept.positions);
    announce(this.root);
    this.bringIntoView();
  }

  keep() {
    return { stepped: true, positions: this.felt ? cardPositions(this.felt) : null };
  }

  // The place in the line, or the table of another moment; a step that is in sight moves nothing.
  bringIntoView() {
    const here = document.getElementById("here");
    (here ?? this.root).scrollIntoView({ block: here ? "nearest" : "start" });
  }

  visit(link) {
    if (this.felt) this.room.visit(link.href);
    else location.assign(link.href);
  }

  click(event) {
    const link = event.target.closest("[data-on], [data-back], [data-in-place]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    this.visit(link);
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.matches("input, select, textarea")) return;
    const link = this.root?.querySelector(STEPS[event.code] ?? "_");
    if (!link) return;
    event.preventDefault();
    this.visit(link);
  }
}

new InPlace((page) => new Reader(page));
performance.mark("ready");
