// What a reader found in a drill, day by day, kept in this browser under the player's name and sent to nobody.
import { dayIn, dayWords, KeptByKey } from "./device.js";

const MOST_ANSWERS = 1000;
const DAYS_SHOWN = 7;

export class DrillProgress {
  constructor(root, returns) {
    this.box = root.querySelector("[data-progress-of]");
    this.returns = returns;
    this.kept = new KeptByKey("drill", this.box.dataset.progressOf);
  }

  // Every answer as [position, day, found], the oldest first.
  get answers() {
    return this.kept.value ?? [];
  }

  add(position, found) {
    this.kept.value = [...this.answers, [position, dayIn(0), found]].slice(-MOST_ANSWERS);
  }

  forget() {
    this.kept.value = undefined;
    this.show();
    this.box.parentElement.focus?.();
  }

  show() {
    const { answers } = this;
    this.box.hidden = answers.length === 0;
    const positions = new Map(answers.map(([position, , found]) => [position, found]));
    const found = [...positions.values()].filter(Boolean).length;
    this.box.querySelector("[data-progress-words]").textContent =
      `Found at the last try: ${found} of ${positions.size}.`;
    this.box.querySelector("[data-progress-due]").textContent = waitingWords(this.returns.waiting);
    const days = Map.groupBy(answers, ([, day]) => day);
    this.box
      .querySelector("[data-progress-days]")
      .replaceChildren(...[...days].slice(-DAYS_SHOWN).map(dayLine));
  }
}

function waitingWords(waiting) {
  const days = Object.values(waiting).map(({ day }) => day);
  if (!days.length) return "";
  const next = days.reduce((first, day) => (day < first ? day : first));
  const when = next <= dayIn(0) ? "today" : `on ${dayWords(next)}`;
  return `To come back: ${days.length}, the next ${when}.`;
}

function dayLine([day, answers]) {
  const line = document.createElement("li");
  const found = answers.filter(([, , right]) => right).length;
  const bar = document.createElement("meter");
  Object.assign(bar, { max: answers.length, value: found });
  bar.setAttribute("aria-hidden", "true");
  line.append(`${dayWords(day, "short")}: ${found} of ${answers.length} `, bar);
  return line;
}
