// What a drill keeps in this browser, by player, and the days of its reader.
export class KeptByPlayer {
  constructor(store, player) {
    Object.assign(this, { store, player });
  }

  get all() {
    try {
      return JSON.parse(localStorage.getItem(this.store)) ?? {};
    } catch {
      return {};
    }
  }

  get value() {
    return this.all[this.player];
  }

  set value(value) {
    const all = { ...this.all, [this.player]: value };
    if (value === undefined) delete all[this.player];
    try {
      localStorage.setItem(this.store, JSON.stringify(all));
    } catch {
      /* a private window */
    }
  }
}

// A day where the reader is, as 2026-11-23.
export function dayIn(days) {
  const day = new Date();
  day.setHours(12);
  day.setDate(day.getDate() + days);
  return day.toLocaleDateString("sv-SE");
}

export function dayWords(day, month = "long") {
  return new Date(`${day}T12:00`).toLocaleDateString("en-GB", { day: "numeric", month });
}
