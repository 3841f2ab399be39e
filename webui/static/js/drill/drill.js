// Try again: a click on a card that may be played chooses it, as the number of a choice does. The server knows what the
// choices are worth and tells it with the next page, which takes the place of this one.
import { InPlace } from "../table/in_place.js";
import { DrillProgress } from "./progress.js";

class Drill {
  constructor({ signal, room, kept }) {
    this.root = document.querySelector("[data-drill]");
    this.room = room;
    this.progress = new DrillProgress(this.root);
    this.isChoosing = false;
    const { drill, found } = this.root.dataset;
    if (found && kept.isChoosing) this.progress.add(drill, found === "yes");
    this.progress.show();
    this.root.addEventListener("click", (event) => this.click(event));
    addEventListener("keydown", (event) => this.press(event), { signal });
    if ("isChoosing" in kept) this.announce();
  }

  keep() {
    return { isChoosing: this.isChoosing };
  }

  // Only a choice made now counts, and not an answer that the reader comes back to.
  follow(link) {
    this.isChoosing = "choice" in link.dataset;
    this.room.visit(link.href);
  }

  // Screen readers hear a change of a text that was there.
  announce() {
    const say = this.root.querySelector("[role=status]");
    const words = say.textContent;
    say.textContent = "";
    requestAnimationFrame(() => {
      say.textContent = words;
    });
  }

  click(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if (event.target.closest("[data-forget]")) return this.progress.forget();
    const link =
      event.target.closest("a[data-in-place]") ??
      this.choiceOf(event.target.closest(".near [data-card]"));
    if (!link) return;
    event.preventDefault();
    this.follow(link);
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
    const link =
      event.key.toLowerCase() === "n"
        ? this.root.querySelector("[data-next]")
        : choices[event.key - 1];
    if (!link) return;
    event.preventDefault();
    this.follow(link);
  }
}

new InPlace((page) => new Drill(page));
performance.mark("ready");
