// The marker for a deal of which only the scores are recorded: it adds up what is tapped, with no server. All points are those
// of the rule sheet that the page brought along.
export class Marker {
  constructor(box, take) {
    Object.assign(this, { box, take });
    this.ended = null;
  }

  get isOver() {
    return this.ended === this.key;
  }

  // What was tapped, in words.
  get lines() {
    return this.steps.map(({ mark, seat, what }) => {
      if (seat !== undefined)
        return `${this.names[seat]}: ${what}${mark[0].points ? `, ${mark[0].points}` : ""}`;
      return mark.map((each) => `${this.names[each.seat]}: ${what}, ${each.points}`).join("; ");
    });
  }

  // The points of the match by side, with those of the deal at hand; null unless only scores are recorded.
  totals(recording) {
    const { record } = recording;
    if (record.deals.some(({ knowledge }) => knowledge !== "scores")) return null;
    const sums = (record.sides ?? record.players).map(() => 0);
    for (const { claims } of record.deals)
      claims?.scores?.forEach((points, side) => (sums[side] += points));
    return sums;
  }

  draw(recording, sheet, deal) {
    Object.assign(this, { recording, sheet, deal });
    const { steps } = recording.draft;
    this.steps = steps.slice(steps.findLastIndex((step) => step.deal) + 1);
    const key = JSON.stringify([recording.draft.id, recording.record.deals.length, this.steps]);
    // A deal of a record that was opened has its points, and nobody knows by which taps.
    if (!this.steps.length && deal.claims?.scores) this.ended = key;
    if (this.drawn === sheet && this.key === key && !this.isOver) return;
    Object.assign(this, { key, drawn: sheet, names: recording.draft.names });
    const tricks = this.steps.filter(({ what }) => what === "trick");
    const leads = tricks.at(-1)?.seat ?? (deal.dealer + 1) % this.names.length;
    if (this.isOver && !this.steps.length) return this.box.replaceChildren();
    const lines = [
      line(`Tricks: ${tricks.length} of ${sheet.tricks}. ${this.names[leads]} leads.`, "muted"),
      ...this.reminders(tricks).map((words) => line(words, "record-remind")),
      ...this.names.map((name, seat) => this.column(name, seat)),
      this.ending(),
    ];
    this.box.replaceChildren(...lines);
  }

  reminders(tricks) {
    const lines = [];
    if (tricks.length === this.sheet.tricks || this.isOver) {
      for (const { name, words, points } of this.sheet.bonuses)
        if (name === "last_trick" && !this.has(words)) lines.push(`Last trick? ${points} points.`);
      if (this.sheet.brisque && !this.has("brisques")) lines.push("Count the brisques.");
    }
    return lines;
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
    const add = (words, points, what = words) => {
      const item = document.createElement("li");
      const text = points ? `${words} ${points}` : words;
      item.append(this.button(text, name, () => this.mark(seat, points, what)));
      list.append(item);
    };
    add("won a trick", 0, "trick");
    const { melds, dix, bonuses } = this.sheet;
    if (dix) add("seven of trumps", dix);
    for (const { words, points } of melds) if (points) add(words, points);
    for (const { words, points } of bonuses) add(words, points);
    box.append(head, list);
    return box;
  }

  mark(seat, points, what) {
    this.take({ mark: [{ seat, points }], seat, what });
  }

  button(words, name, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button";
    made.textContent = words;
    made.setAttribute("aria-label", `${name}: ${words}`);
    made.addEventListener("click", act);
    return made;
  }

  // At the end the brisques of the first player are chosen: the other has the rest.
  ending() {
    const box = document.createElement("div");
    box.className = "record-buttons";
    const { brisque, brisques } = this.sheet;
    if (brisque && this.names.length === 2 && !this.has("brisques")) {
      const label = document.createElement("label");
      label.textContent = `Brisques of ${this.names[0]} `;
      const field = document.createElement("select");
      field.append(new Option("–", ""));
      for (let count = 0; count <= brisques; count++) field.append(new Option(count, count));
      field.addEventListener("change", () => {
        const own = Number(field.value);
        const both = [own, brisques - own].map((count, seat) => ({
          seat,
          points: count * brisque,
        }));
        this.take({ mark: both, what: "brisques" });
      });
      label.append(field);
      box.append(label);
    }
    box.append(
      this.button("The deal is over", "Marker", () => {
        this.ended = this.key;
        this.draw(this.recording, this.sheet, this.deal);
        document.querySelector("[data-end]").hidden = false;
        document.getElementById("end").focus();
      }),
    );
    return box;
  }
}

function line(words, classes) {
  const made = document.createElement("p");
  made.className = classes;
  made.textContent = words;
  return made;
}
