import { button } from "./pack.js";
import { sideNames } from "./standing.js";

// The marker for a deal of which only the scores are recorded: it adds up what is tapped, with no server. All points are those
// of the rule sheet that the page brought along.
const TRICK = "trick";
const BRISQUES = "brisques";
const ON_PAPER = "Points on paper";

export class Marker {
  constructor(box, take, end) {
    Object.assign(this, { box, take, end });
  }

  // What was tapped, each step with its words; of brisques the last count.
  get lines() {
    return this.steps
      .filter((step) => step.mark && (step.what !== BRISQUES || step === this.counted))
      .map((step) => {
        const { mark, seat, what, counts } = step;
        if (counts) return [step, `Brisques: ${this.brisqueWords.join("; ")}`];
        if (what === ON_PAPER) return [step, `${ON_PAPER}: ${step.points.join(" : ")}`];
        const points = mark[0].points ? `, ${mark[0].points}` : "";
        return [step, `${this.names[seat]}: ${what}${points}`];
      });
  }

  get brisqueWords() {
    const { counts } = this.counted;
    return this.names.map(
      (name, seat) => `${name} ${counts[seat]}, ${counts[seat] * this.sheet.brisque} points`,
    );
  }

  // The points of the match by side, with those of the deal at hand; null if a deal before it shows more than its scores.
  totals(recording) {
    const { record } = recording;
    if (record.deals.slice(0, -1).some(({ knowledge }) => knowledge !== "scores")) return null;
    const sums = (record.sides ?? record.players).map(() => 0);
    for (const { knowledge, claims } of record.deals)
      if (knowledge === "scores") claims?.scores?.forEach((points, side) => (sums[side] += points));
    return sums;
  }

  draw(recording, sheet, deal) {
    Object.assign(this, { recording, sheet, deal, names: recording.draft.names });
    this.steps = recording.ownSteps;
    this.isOver = recording.isCounted;
    this.counted = this.steps.findLast(({ what }) => what === BRISQUES);
    const key = JSON.stringify([recording.draft.id, recording.record.deals.length, this.steps]);
    if (this.drawn === sheet && this.key === key) return;
    Object.assign(this, { key, drawn: sheet });
    // A deal of a record that was opened has its points, and nobody knows by which taps.
    if (this.isOver && !this.steps.length) return this.box.replaceChildren();
    const tapped = this.box.contains(document.activeElement) && document.activeElement.ariaLabel;
    this.box.replaceChildren(...this.parts);
    if (tapped) this.box.querySelector(`[aria-label="${CSS.escape(tapped)}"]`)?.focus();
  }

  get parts() {
    const tricks = this.steps.filter(({ what }) => what === TRICK);
    const leads = tricks.at(-1)?.seat ?? (this.deal.dealer + 1) % this.names.length;
    this.tricks = tricks.length;
    const next = this.isOver ? "The deal is over." : `${this.names[leads]} leads.`;
    return [
      line(`Tricks: ${this.tricks} of ${this.sheet.tricks}. ${next}`, "muted"),
      ...this.reminders.map((words) => line(words, "record-remind")),
      ...this.names.map((name, seat) => this.column(name, seat)),
      this.onPaper(),
      this.ending(),
    ];
  }

  get reminders() {
    // Points typed from paper hold the last trick and the brisques, too.
    if (this.steps.at(-1)?.what === ON_PAPER) return [];
    if (this.tricks < this.sheet.tricks && !this.isOver) return [];
    const lines = this.sheet.bonuses
      .filter(({ name, words }) => name === "last_trick" && !this.has(words))
      .map(({ points }) => `Last trick? ${points} points.`);
    return this.sheet.brisque && !this.counted ? [...lines, "Count the brisques."] : lines;
  }

  has(what) {
    return this.steps.some((step) => step.what === what);
  }

  column(name, seat) {
    const box = document.createElement("section");
    box.className = "record-column";
    const head = document.createElement("h3");
    head.textContent = name;
    const list = document.createElement("ul");
    const add = (words, points, { what = words, isSpent = false } = {}) => {
      const item = document.createElement("li");
      const text = points ? `${words} ${points}` : words;
      const made = this.button(text, name, () => this.mark(seat, points, what));
      made.disabled = this.isOver || isSpent;
      item.append(made);
      list.append(item);
    };
    const { melds, dix, bonuses, tricks } = this.sheet;
    const isPlayed = this.names.length === 2 && this.tricks >= tricks;
    add("won a trick", 0, { what: TRICK, isSpent: isPlayed });
    if (dix) add("seven of trumps", dix);
    for (const { words, points } of melds) if (points) add(words, points);
    for (const { name: bonus, words, points } of bonuses)
      add(words, points, { isSpent: bonus === "last_trick" && this.has(words) });
    box.append(head, list);
    return box;
  }

  mark(seat, points, what) {
    this.take({ mark: [{ seat, points }], seat, what });
  }

  button(words, name, act) {
    const made = button(words, act);
    made.setAttribute("aria-label", `${name}: ${words}`);
    return made;
  }

  // At the end the brisques of the first player are chosen: the other has the rest. They may be counted again.
  ending() {
    const box = document.createElement("div");
    box.className = "record-buttons";
    if (this.sheet.brisque && this.names.length === 2) box.append(...this.brisques());
    const end = this.button("The deal is over", "Marker", this.end);
    end.disabled = this.isOver;
    box.append(end);
    return box;
  }

  brisques() {
    const label = document.createElement("label");
    label.textContent = `Brisques of ${this.names[0]} `;
    const field = document.createElement("select");
    field.ariaLabel = label.textContent.trim();
    if (!this.counted) field.append(new Option("–", ""));
    for (let count = 0; count <= this.sheet.brisques; count++)
      field.append(new Option(count, count));
    if (this.counted) field.value = this.counted.counts[0];
    field.addEventListener("change", () => this.countBrisques(Number(field.value)));
    label.append(field);
    if (!this.counted) return [label];
    const rest = line(`${this.brisqueWords.join("; ")}: all others, filled in.`, "muted");
    rest.setAttribute("role", "status");
    return [label, rest];
  }

  // Who has no more on paper than the points of the deal types them: the step adds what they differ by from those marked.
  onPaper() {
    const form = document.createElement("form");
    form.className = "record-paper";
    form.append(line("Or only the points of the deal, as they stand on paper:", "muted"));
    const points = this.deal.claims?.scores ?? [];
    const fields = sideNames(this.recording).map((name, side) => {
      const label = document.createElement("label");
      const field = document.createElement("input");
      Object.assign(field, { type: "number", inputMode: "numeric", step: 1, required: true });
      Object.assign(field, { ariaLabel: `Points of ${name}`, value: points[side] || "" });
      label.append(name, field);
      form.append(label);
      return field;
    });
    const sent = button("Enter the points", () => {});
    sent.type = "submit";
    form.append(sent);
    for (const each of [...fields, sent]) each.disabled = this.isOver;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.typePoints(fields.map(({ value }) => Number(value)));
    });
    return form;
  }

  typePoints(points) {
    const { base } = this.recording.draft;
    const before = this.deal.claims?.scores ?? [];
    const seats = base.sides?.map(([seat]) => seat) ?? this.names.map((_, seat) => seat);
    const mark = points.map((all, side) => ({
      seat: seats[side],
      points: all - (before[side] ?? 0),
    }));
    this.take({ mark, points, what: ON_PAPER });
  }

  // A second count takes the place of the first: the step adds what it differs by.
  countBrisques(own) {
    const counts = [own, this.sheet.brisques - own];
    const before = this.counted?.counts ?? [0, 0];
    const mark = counts.map((count, seat) => ({
      seat,
      points: (count - before[seat]) * this.sheet.brisque,
    }));
    this.take({ mark, counts, what: BRISQUES });
  }
}

function line(words, classes) {
  const made = document.createElement("p");
  made.className = classes;
  made.textContent = words;
  return made;
}
