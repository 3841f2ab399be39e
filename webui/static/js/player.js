// Plays a deal on by itself: as fast as it was played where the record has times, else at a walking pace.
const WALK = 1200;
const LONGEST = 6000;

export class Player {
  constructor(button, deal, { now, on }) {
    Object.assign(this, { button, deal, now, on, timer: 0 });
    button.addEventListener("click", () => this.toggle());
  }

  toggle() {
    if (this.timer) this.stop();
    else this.wait();
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
    this.timer = setTimeout(() => { this.on(); this.wait(); }, Math.min(next.ms ?? WALK, LONGEST));
  }

  tell() {
    this.button.setAttribute("aria-pressed", String(Boolean(this.timer)));
    this.button.firstElementChild.textContent = this.timer ? "Stop playing" : "Play on by itself";
  }
}
