// Autoplay: steps on at the pace that is chosen beside the slider ("walk"), or as fast as the game was played ("real")
// if the record has times. No pause is longer than the page says.
const UNTIMED_PAUSE = 300; // milliseconds

export class Autoplay {
  constructor(root, deal, { shownStep, stepOn, goTo }) {
    Object.assign(this, { deal, shownStep, stepOn, goTo, timer: 0, pace: "" });
    this.speed = root.querySelector("[data-speed]");
    this.playButton = root.querySelector("[data-play]");
    this.buttons = new Map(
      [...root.querySelectorAll("[data-autoplay]")].map((button) => [
        button.dataset.autoplay,
        button,
      ]),
    );
    this.words = new Map(
      [...this.buttons].map(([pace, button]) => [pace, button.firstElementChild.textContent]),
    );
    for (const [pace, button] of this.buttons)
      button.addEventListener("click", () => this.toggle(pace));
    this.playButton.addEventListener("click", () => this.toggle());
    this.speed.addEventListener("change", () => this.changeSpeed());
  }

  // A record without times has no button for real speed; its key then does nothing.
  toggle(pace = this.chosenPace()) {
    if (!this.buttons.has(pace)) return;
    const wasPlaying = this.isPlaying(pace);
    this.stop();
    if (!wasPlaying) this.start(pace);
  }

  start(pace) {
    if (this.shownStep() === this.deal.steps.length - 1 && !this.deal.more) this.goTo(0);
    this.pace = pace;
    this.wait();
    this.updateButtons();
  }

  stop() {
    if (!this.timer) return; // every key and click stops, and each new text of a button is a layout
    clearTimeout(this.timer);
    this.timer = 0;
    this.updateButtons();
  }

  changeSpeed() {
    if (!this.timer) return;
    this.stop();
    this.start(this.chosenPace());
  }

  chosenPace() {
    return this.speed.value === "recorded" ? "real" : "walk";
  }

  isPlaying(pace) {
    return this.timer !== 0 && this.pace === pace;
  }

  wait() {
    const next = this.deal.steps[this.shownStep() + 1];
    if (!next && !this.deal.more) return this.stop();
    this.timer = setTimeout(() => {
      this.stepOn();
      if (next) this.wait();
    }, this.pauseBefore(next));
  }

  pauseBefore(step) {
    if (this.pace === "walk")
      return Number(this.speed.value) || Number(this.speed.querySelector("[selected]").value);
    return Math.min(step?.ms ?? UNTIMED_PAUSE, Number(this.buttons.get("real").dataset.longest));
  }

  updateButtons() {
    for (const [pace, button] of this.buttons) {
      const playing = this.isPlaying(pace);
      button.setAttribute("aria-pressed", String(playing));
      button.firstElementChild.textContent = playing ? "Stop autoplay" : this.words.get(pace);
    }
    const playing = this.timer !== 0;
    this.playButton.setAttribute("aria-pressed", String(playing));
    this.playButton.querySelector("use").setAttribute("href", playing ? "#i-pause" : "#i-play");
  }
}
