// What drills keep in this browser, by player or day, and the days of their reader.
export class KeptByKey {
  constructor(store, key, most = Infinity) {
    Object.assign(this, { store, key, most });
  }

  get all() {
    try {
      return JSON.parse(localStorage.getItem(this.store)) ?? {};
    } catch {
      return {};
    }
  }

  get value() {
    return this.all[this.key];
  }

  set value(value) {
    const all = { ...this.all, [this.key]: value };
    if (value === undefined) delete all[this.key];
    const kept = Object.entries(all).sort().slice(-this.most);
    try {
      localStorage.setItem(this.store, JSON.stringify(Object.fromEntries(kept)));
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
