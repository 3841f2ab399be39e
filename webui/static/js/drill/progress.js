// What a reader found in a drill, day by day, kept in this browser under the player's name and sent to nobody.
const STORE = "drill";
const MOST_ANSWERS = 1000;
const DAYS_SHOWN = 7;

export class DrillProgress {
  constructor(root) {
    this.box = root.querySelector("[data-progress-of]");
    this.player = this.box.dataset.progressOf;
  }

  // Every answer as [position, day, found], the oldest first.
  get answers() {
    return readAll()[this.player] ?? [];
  }

  add(position, found) {
    const all = readAll();
    all[this.player] = [...this.answers, [position, today(), found]].slice(-MOST_ANSWERS);
    writeAll(all);
  }

  forget() {
    const all = readAll();
    delete all[this.player];
    writeAll(all);
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
    const days = Map.groupBy(answers, ([, day]) => day);
    this.box
      .querySelector("[data-progress-days]")
      .replaceChildren(...[...days].slice(-DAYS_SHOWN).map(dayLine));
  }
}

function dayLine([day, answers]) {
  const line = document.createElement("li");
  const found = answers.filter(([, , right]) => right).length;
  const bar = document.createElement("meter");
  Object.assign(bar, { max: answers.length, value: found });
  bar.setAttribute("aria-hidden", "true");
  const words = new Date(`${day}T12:00`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
  });
  line.append(`${words}: ${found} of ${answers.length} `, bar);
  return line;
}

// The day where the reader is, as 2026-11-23.
const today = () => new Date().toLocaleDateString("sv-SE");

function readAll() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

function writeAll(all) {
  try {
    localStorage.setItem(STORE, JSON.stringify(all));
  } catch {
    /* a private window */
  }
}
