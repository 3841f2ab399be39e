// Plays a deal on by itself: at a walking pace, or as fast as it was played where the record has times. Nobody
// waits longer than the page says.
const WALK = 1200;
const UNTIMED = 300;

export class Player {
  constructor(root, deal, { now, on }) {
    Object.assign(this, { deal, now, on, timer: 0, pace: "" });
    this.buttons = new Map([...root.querySelectorAll("[data-play]")].map((button) => [button.dataset.play, button]));
    this.words = new Map([...this.buttons].map(([pace, button]) => [pace, button.firstElementChild.textContent]));
    for (const [pace, button] of this.buttons) button.addEventListener("click", () => this.toggle(pace));
  }

  // There is no button for the real speed where the record has no times.
  toggle(pace) {
    if (!this.buttons.has(pace)) return;
    const going = this.timer && this.pace === pace;
    this.stop();
    if (going) return;
    this.pace = pace;
    this.wait();
    this.tell();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.tell();
  }

  wait() {
    const next = this.deal.steps[this.now() + 1];
    if (!next) return this.stop();
    this.timer = setTimeout(() => { this.on(); this.wait(); }, this.pause(next));
  }

  pause(step) {
    if (this.pace === "walk") return WALK;
    return Math.min(step.ms ?? UNTIMED, Number(this.buttons.get("real").dataset.longest));
  }

  tell() {
    for (const [pace, button] of this.buttons) {
      const going = Boolean(this.timer) && this.pace === pace;
      button.setAttribute("aria-pressed", String(going));
      button.firstElementChild.textContent = going ? "Stop autoplay" : this.words.get(pace);
    }
  }
}
