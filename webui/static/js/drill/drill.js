// Try again: a click on a card that may be played chooses it, as the number of a choice does. The server knows what the
// choices are worth and tells it with the next page, which takes the place of this one. What the reader missed on another
// day comes before the next position of the player.
import { keyName } from "../replay/navigation.js";
import { InPlace, announce } from "../table/in_place.js";
import { dayWords } from "./device.js";
import { DrillProgress } from "./progress.js";
import { DrillReturns } from "./returns.js";

class Drill {
  constructor({ signal, room, kept }) {
    this.root = document.querySelector("[data-drill]");
    this.room = room;
    const { drill, drillAddress, found, player } = this.root.dataset;
    this.returns = new DrillReturns(player);
    this.progress = new DrillProgress(this.root, this.returns);
    this.isChoosing = false;
    if (found && kept.isChoosing) {
      this.progress.add(drill, found === "yes");
      this.returns.note(drill, drillAddress, found === "yes");
    }
    this.progress.show();
    this.showReturns();
    this.root.addEventListener("click", (event) => this.click(event));
    addEventListener("keydown", (event) => this.press(event), { signal });
    if ("isChoosing" in kept) announce(this.root);
  }

  keep() {
    return { isChoosing: this.isChoosing };
  }

  // Which positions have come back, and when this one will; the next position is then the first of them.
  showReturns() {
    const { drill, drillOfPlayer, found } = this.root.dataset;
    const due = this.returns.due(drill);
    const next = this.root.querySelector("[data-next]");
    if (due.length && next && drillOfPlayer !== undefined) this.lead(next, due[0]);
    const link = this.root.querySelector("[data-due]");
    if (due.length && link) {
      this.lead(link, due[0]);
      link.textContent = `Try what you missed: ${due.length}`;
      link.parentElement.hidden = false;
    }
    const day = this.returns.waiting[drill]?.day;
    const returns = this.root.querySelector("[data-returns]");
    if (!returns || !day || !found) return;
    returns.hidden = false;
    returns.textContent = `This position comes back on ${dayWords(day)}.`;
  }

  lead(link, { position, address }) {
    link.href = address;
    link.dataset.returning = position;
  }

  // Only a choice made now counts, and not an answer that the reader comes back to. A position that is no more is dropped.
  follow(link) {
    this.isChoosing = "choice" in link.dataset;
    const { returning } = link.dataset;
    this.room.visit(link.href, { gone: returning && (() => this.drop(returning)) });
  }

  drop(position) {
    this.returns.drop(position);
    this.reload();
  }

  // After the visit that is under way.
  reload() {
    queueMicrotask(() => this.room.visit(location.href, { record: "none" }));
  }

  click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if (event.target.closest("[data-forget]")) return this.forget();
    const link =
      event.target.closest("a[data-in-place]") ??
      this.choiceOf(event.target.closest(".near [data-card]"));
    if (!link) return;
    event.preventDefault();
    this.follow(link);
  }

  forget() {
    this.returns.forget();
    this.progress.forget();
    this.reload();
  }

  choiceOf(card) {
    const face = card?.dataset.card.slice(0, 2); // where the record tells like cards apart, a dot and a digit follow
    return card && this.root.querySelector(`[data-choice-card="${face}"]`);
  }

  press(event) {
    if (
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.target.matches("input, select, textarea")
    )
      return;
    const choices = this.root.querySelectorAll("[data-choice]");
    const key = keyName(event);
    const link = key === "n" ? this.root.querySelector("[data-next]") : choices[key - 1];
    if (!link) return;
    event.preventDefault();
    this.follow(link);
  }
}

new InPlace((page) => new Drill(page));
performance.mark("ready");
