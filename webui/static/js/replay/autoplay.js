// Autoplay: steps on at an even pace ("walk"), or as fast as the game was played ("real") if the record has times.
// No pause is longer than the page says.
const EVEN_PAUSE = 1200; // milliseconds
const UNTIMED_PAUSE = 300;

export class Autoplay {
  constructor(root, deal, { shownStep, stepOn }) {
    Object.assign(this, { deal, shownStep, stepOn, timer: 0, pace: "" });
    this.buttons = new Map([...root.querySelectorAll("[data-autoplay]")].map((button) => [button.dataset.autoplay, button]));
    this.words = new Map([...this.buttons].map(([pace, button]) => [pace, button.firstElementChild.textContent]));
    for (const [pace, button] of this.buttons) button.addEventListener("click", () => this.toggle(pace));
  }

  // A record without times has no button for real speed; its key then does nothing.
  toggle(pace) {
    if (!this.buttons.has(pace)) return;
    const wasPlaying = this.isPlaying(pace);
    this.stop();
    if (wasPlaying) return;
    this.pace = pace;
    this.wait();
    this.updateButtons();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.updateButtons();
  }

  isPlaying(pace) {
    return this.timer !== 0 && this.pace === pace;
  }

  wait() {
    const next = this.deal.steps[this.shownStep() + 1];
    if (!next) return this.stop();
    this.timer = setTimeout(() => { this.stepOn(); this.wait(); }, this.pauseBefore(next));
  }

  pauseBefore(step) {
    if (this.pace === "walk") return EVEN_PAUSE;
    return Math.min(step.ms ?? UNTIMED_PAUSE, Number(this.buttons.get("real").dataset.longest));
  }

  updateButtons() {
    for (const [pace, button] of this.buttons) {
      const playing = this.isPlaying(pace);
      button.setAttribute("aria-pressed", String(playing));
      button.firstElementChild.textContent = playing ? "Stop autoplay" : this.words.get(pace);
    }
  }
}
