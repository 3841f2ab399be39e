// How a recording begins: with the form for a new game, which remembers the last choice, or with a file.
import { lastRules } from "./device.js";
import { errorText } from "./keeping.js";
import { button } from "./pack.js";
import { tell } from "./standing.js";

const UNSEEN = "??";
const OPENED_FILE = "file";
const OCCASION = ["date", "event", "round", "table"];

// What the page knows of a record's rules before the server has answered: the sheet, with hands as large as its options say.
export function sheetOf(sheets, { id, options = {} }) {
  const { sheet, options: asked } = sheets.find((each) => each.sheet.id === id) ?? sheets[0];
  const chosen = asked.map(({ name, values }) =>
    values.find(({ value }) => value === String(options[name])),
  );
  return { ...sheet, hand: chosen.findLast((each) => each?.hand)?.hand ?? sheet.hand };
}

// Rules with their options in words, players, depth and dealer.
export class NewGame {
  constructor(form, sheets, start) {
    Object.assign(this, { form, sheets });
    this.fields = form.elements;
    const last = lastRules.get();
    this.fields.sheet.append(...sheets.map(({ sheet }) => new Option(sheet.name, sheet.id)));
    if (sheets.some(({ sheet }) => sheet.id === last.sheet)) this.fields.sheet.value = last.sheet;
    this.fields.sheet.addEventListener("change", () => this.changeSheet({}));
    this.fields.players.addEventListener("change", () => this.changePlayers());
    form.addEventListener("change", () => this.showSeat());
    form.addEventListener("input", () => {
      this.nameSeats();
      this.showOccasion();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.remember();
      const { base } = this;
      const sheet = sheetOf(sheets, base.rules);
      const deal = this.newDeal(Number(this.fields.dealer.value), this.depth, sheet);
      start(base, this.names, deal);
    });
    this.fillOccasion(new URLSearchParams(location.search), last);
    if (last.depth) this.fields.depth.value = last.depth;
    this.showSeat();
    this.listKnownPlayers();
  }

  get chosen() {
    return this.sheets.find(({ sheet }) => sheet.id === this.fields.sheet.value);
  }

  get depth() {
    return this.fields.depth.value;
  }

  get names() {
    return [...this.form.querySelectorAll("[name=name]")].map(
      (input, seat) => input.value.trim() || `Player ${seat + 1}`,
    );
  }

  get base() {
    const { sheet } = this.chosen;
    const rules = { id: sheet.id, edition: sheet.edition };
    const options = this.options;
    if (Object.keys(options).length) rules.options = options;
    const sides = this.sides ? { sides: this.sides } : {};
    return {
      format: "bezique-record",
      version: "1.0",
      rules,
      players: this.names.map((name) => ({ name })),
      ...sides,
      ...this.occasion,
    };
  }

  // Of the match: only what was written. Numbers of rounds and tables are numbers in a record.
  get occasion() {
    const values = OCCASION.map((name) => [name, this.fields[name].value.trim()]);
    const meta = values
      .filter(([, value]) => value)
      .map(([name, value]) => [
        name,
        /^[1-9]\d{0,5}$/.test(value) && name !== "event" ? Number(value) : value,
      ]);
    return meta.length ? { meta: Object.fromEntries(meta) } : {};
  }

  // The page of an evening leads here with the players and the occasion of a table; otherwise it is today, with the last rules.
  fillOccasion(asked, last) {
    const names = asked.getAll("player");
    this.changeSheet(names.length ? { ...last, names } : last);
    this.fields.date.value = new Date().toLocaleDateString("sv-SE");
    for (const name of OCCASION) if (asked.has(name)) this.fields[name].value = asked.get(name);
    this.form.querySelector("[data-occasion-box]").open = OCCASION.some((name) => asked.has(name));
    this.showOccasion();
  }

  showOccasion() {
    const { event, date } = this.fields;
    const day = date.valueAsDate?.toLocaleDateString("en-GB", {
      dateStyle: "long",
      timeZone: "UTC",
    });
    const words = [event.value, day].filter(Boolean).join(", ");
    this.form.querySelector("[data-occasion]").textContent = words;
  }

  // Partners sit alternately. The names of the sides follow from the seats.
  get sides() {
    const size = Number(this.fields.sides.value);
    return size > 1 ? this.sidesOf(size) : null;
  }

  sidesOf(size) {
    const seats = this.names.map((_, seat) => seat);
    const count = seats.length / size;
    return seats.slice(0, count).map((first) => seats.filter((seat) => seat % count === first));
  }

  // The options that differ from the defaults, as a record writes them.
  get options() {
    const changed = {};
    for (const option of this.chosen.options) {
      // While another sheet is being chosen, the options of the one before are still in the form.
      const value = this.form.querySelector(`[data-option="${option.name}"]`)?.value ?? "";
      if (value === option.default || value === "") continue;
      changed[option.name] = /^(true|false|-?\d+)$/.test(value) ? JSON.parse(value) : value;
    }
    return changed;
  }

  newDeal(dealer, depth, sheet, recording = null) {
    const deal = { dealer, knowledge: depth };
    const count = recording ? recording.draft.names.length : this.names.length;
    const size = sheet.hand[count];
    if (depth === "full") deal.hands = Array.from({ length: count }, () => []);
    if (depth === "seat") {
      deal.seat =
        recording?.record.deals.findLast((each) => each.seat !== undefined)?.seat ??
        Number(this.fields.seat.value);
      const hidden = () => Array(size).fill(UNSEEN);
      deal.hands = Array.from({ length: count }, (_, seat) => (seat === deal.seat ? [] : hidden()));
    }
    return deal;
  }

  changeSheet(last) {
    const { sheet, options } = this.chosen;
    this.fields.players.replaceChildren(
      ...sheet.players.map((count) => new Option(`${count} players`, count)),
    );
    if (sheet.players.includes(last.names?.length)) this.fields.players.value = last.names.length;
    const lines = options.map((option) => optionLine(option, last.options?.[option.name]));
    this.form.querySelector("[data-options]").replaceChildren(...lines);
    this.changePlayers(last.names);
  }

  changePlayers(names = this.names) {
    const count = Number(this.fields.players.value);
    const lines = Array.from({ length: count }, (_, seat) => {
      const line = document.createElement("p");
      const label = document.createElement("label");
      label.textContent = `Player ${seat + 1}`;
      label.htmlFor = `name-${seat}`;
      const input = document.createElement("input");
      Object.assign(input, {
        id: label.htmlFor,
        name: "name",
        maxLength: 200,
        value: names[seat] ?? "",
      });
      input.setAttribute("list", "known-players");
      line.append(label, input);
      return line;
    });
    this.form.querySelector("[data-names]").replaceChildren(...lines);
    this.fields.sides.replaceChildren();
    this.nameSeats();
  }

  nameSides() {
    const { names } = this;
    const sizes = this.chosen.sheet.partners[names.length] ?? [];
    const { value } = this.fields.sides;
    const words = (size) =>
      this.sidesOf(size)
        .map((side) => side.map((seat) => names[seat]).join(" and "))
        .join(", ");
    this.fields.sides.replaceChildren(
      new Option("everyone alone", 1),
      ...sizes.map((size) => new Option(words(size), size)),
    );
    if (value) this.fields.sides.value = value;
    this.form.querySelector("[data-sides-field]").hidden = !sizes.length;
  }

  nameSeats() {
    this.nameSides();
    for (const field of [this.fields.seat, this.fields.dealer]) {
      const { value } = field;
      field.replaceChildren(...this.names.map((name, seat) => new Option(name, seat)));
      if (value && value < this.names.length) field.value = value;
    }
    const changed = Object.keys(this.options).length;
    this.form.querySelector("[data-changed]").textContent = changed
      ? `${changed} changed`
      : "as in the book";
  }

  showSeat() {
    this.form.querySelector("[data-seat-field]").hidden = this.depth !== "seat";
  }

  remember() {
    const values = {};
    for (const option of this.chosen.options)
      values[option.name] = this.form.querySelector(`[data-option="${option.name}"]`).value;
    lastRules.set({
      sheet: this.fields.sheet.value,
      options: values,
      names: this.names,
      depth: this.depth,
    });
  }

  async listKnownPlayers() {
    const list = document.getElementById("known-players");
    if (!list.dataset.address) return;
    try {
      const answer = await fetch(list.dataset.address);
      if (!answer.ok) return;
      const { players = [] } = await answer.json();
      const names = players.map(({ player, name }) => name ?? player).filter(Boolean);
      list.append(...names.map((name) => new Option(name)));
    } catch {
      /* without a connection names are typed */
    }
  }
}

function optionLine(option, value = option.default) {
  const line = document.createElement("p");
  const label = document.createElement("label");
  label.textContent = option.says;
  label.htmlFor = `option-${option.name}`;
  const field = document.createElement(option.values.length ? "select" : "input");
  field.id = label.htmlFor;
  field.dataset.option = option.name;
  if (option.values.length)
    field.append(...option.values.map((each) => new Option(each.words, each.value)));
  else Object.assign(field, { type: "number", min: option.low, max: option.high });
  field.value = value;
  line.append(label, field);
  return line;
}

// A record that somebody has as a file: JSON or the notation, one or several, compressed or not. The server reads it;
// without a connection the device reads one record in JSON.
export class OpenedFile {
  constructor(field, list, open) {
    Object.assign(this, { list, open });
    field.addEventListener("change", () => {
      const [file] = field.files;
      if (file) this.read(file);
      field.value = "";
    });
  }

  async read(file) {
    this.list.replaceChildren();
    tell("");
    let answer;
    try {
      const address = `${this.list.dataset.records}?${new URLSearchParams({ name: file.name })}`;
      answer = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/octet-stream", "X-Requested-With": "fetch" },
        body: file,
      });
    } catch {
      return this.readHere(file);
    }
    if (!answer.ok) return tell(await errorText(answer), { bad: true });
    const { records, problems, further } = await answer.json();
    if (records.length === 1 && !problems.length && !further) return this.openRecord(records[0]);
    if (records.length) this.choose(file, records, further);
    const words = problems.join(" ") || `${file.name} holds no record.`;
    if (problems.length || !records.length) tell(words, { bad: true });
  }

  async readHere(file) {
    try {
      this.open(JSON.parse(await file.text()), OPENED_FILE);
    } catch {
      tell(`There is no connection, and ${file.name} is not one record in JSON.`, { bad: true });
    }
  }

  openRecord({ record, digest }) {
    this.list.replaceChildren();
    this.open(record, digest);
  }

  choose(file, records, further) {
    const line = document.createElement("p");
    const more = further ? ` Only the first ${records.length} are listed.` : "";
    line.textContent = `${file.name} holds several records. Which one?${more}`;
    const lines = document.createElement("ul");
    lines.className = "plain-list";
    for (const each of records) {
      const item = document.createElement("li");
      item.append(button(each.words, () => this.openRecord(each)));
      lines.append(item);
    }
    this.list.replaceChildren(line, lines);
    lines.querySelector("button").focus();
  }
}
