// The recorder: draws what the server says may come next, and adds to the record what is tapped or typed. It knows no rule.
// Without a connection it takes every step unchecked, and has all of them checked when the connection is back.
import { drafts, readLink, writeLink } from "./drafts.js";
import { typedCard } from "./keys.js";
import { Marker } from "./marker.js";
import { OtherEvents } from "./other.js";
import { Recording, sideOf } from "./record.js";
import { NewGame } from "./start.js";

const data = JSON.parse(document.getElementById("recorder-data").textContent);
const find = (name) => document.querySelector(`[data-${name}]`);
const UNSEEN = "??";
const RETRY = 5000;
const OPENED_FILE = "file";
const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

function cardWords(card) {
  if (card === UNSEEN) return "unknown card";
  return `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]]}`;
}

function button(words, act, classes = "button") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = classes;
  made.textContent = words;
  made.addEventListener("click", act);
  return made;
}

class Recorder {
  constructor() {
    this.work = Promise.resolve();
    this.typed = "";
    this.startForm = new NewGame(find("start"), data.sheets, (base, names, deal) => {
      this.open(Recording.begin(base, names));
      this.take({ deal });
    });
    this.marker = new Marker(find("marker"), (step) => this.take(step));
    this.others = new OtherEvents(find("other"), (event) => this.take({ events: [event] }));
    const on = (name, act) => find(name).addEventListener("click", act);
    on("undo", () => this.undo());
    on("redo", () => this.redo());
    on("next-deal", () => this.nextDeal());
    on("download", () => this.downloadRecord());
    on("notation", () => this.later(() => this.downloadNotation()));
    on("replay", () => this.later(() => this.openReplay()));
    find("open-file").addEventListener("change", (event) => this.openFile(event.target));
    on("verdict", () => this.check({ report: true }));
    on("link", () => this.copyLink());
    on("close", () => this.close());
    find("auto").addEventListener("change", () => this.later(() => this.check()));
    find("cut").addEventListener("submit", (event) => this.cut(event));
    find("store")?.addEventListener("submit", (event) => this.store(event));
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("online", () => this.recording && this.later(() => this.check()));
    addEventListener("hashchange", () => this.openLink());
    this.begin();
  }

  async begin() {
    this.listDrafts();
    if (await this.openLink()) return;
    if (!data.record) return;
    this.open(Recording.open(data.record, data.digest));
    this.goToBreach = true;
    this.later(() => this.check());
  }

  async openLink() {
    const draft = await readLink(location.hash);
    if (draft === null) return false;
    if (!draft?.steps) {
      this.tell("This link holds no game. Copy it once more, as a whole.", { bad: true });
      return false;
    }
    history.replaceState(null, "", location.pathname);
    this.open(new Recording(draft));
    drafts.keep(draft);
    this.later(() => this.check());
    return true;
  }

  // The games that are being recorded.

  listDrafts() {
    const all = drafts.all();
    find("drafts").hidden = !all.length;
    find("draft-list").replaceChildren(
      ...all.map((draft) => {
        const line = document.createElement("li");
        const day = new Date(draft.changed).toLocaleString("en-GB", {
          dateStyle: "medium",
          timeStyle: "short",
        });
        const words = `${draft.names.join(" – ")}, ${day}`;
        line.append(
          button(words, () => {
            this.open(new Recording(draft));
            this.later(() => this.check());
          }),
          button("Delete", () => this.deleteDraft(draft, words), "button quiet-button"),
        );
        line.lastChild.setAttribute("aria-label", `Delete ${words}`);
        return line;
      }),
    );
  }

  deleteDraft(draft, words) {
    drafts.delete(draft.id);
    this.listDrafts();
    this.tell(`Deleted: ${words}.`);
    const undo = button("Undo", () => {
      drafts.keep(draft);
      this.listDrafts();
      this.tell("");
    });
    find("told").append(" ", undo);
    undo.focus();
  }

  open(recording) {
    this.recording = recording;
    this.state = null;
    this.sheet = this.sheetOf(recording.draft.base.rules.id);
    for (const name of ["start", "drafts"]) find(name).hidden = true;
    find("recorder").hidden = false;
    document.querySelector("h1").textContent = recording.draft.names.join(" – ");
    this.tell("");
    this.drawCards();
    this.others.offer(recording.draft.names, this.sheet);
  }

  // A file is read on the device; the server tells its digest, which what is changed will name.
  async openFile(field) {
    const [file] = field.files;
    field.value = "";
    try {
      const recording = Recording.open(JSON.parse(await file.text()), OPENED_FILE);
      this.open(recording);
    } catch {
      return this.tell(`${file.name} holds no record in JSON. Send other files on the first page.`, {
        bad: true,
      });
    }
    this.goToBreach = true;
    this.later(() => this.check());
  }

  close() {
    this.recording = null;
    find("recorder").hidden = true;
    find("start").hidden = false;
    document.querySelector("h1").textContent = "Record a game";
    this.listDrafts();
  }

  sheetOf(id) {
    return data.sheets.find(({ sheet }) => sheet.id === id)?.sheet ?? data.sheets[0].sheet;
  }

  // Steps.

  later(act) {
    const work = this.work.then(act).catch((error) => this.tell(String(error), { bad: true }));
    find("recorder").setAttribute("aria-busy", "true");
    this.work = work;
    work.then(() => work === this.work && find("recorder").setAttribute("aria-busy", "false"));
    return work;
  }

  take(step) {
    this.recording.add(step);
    this.keep();
    return this.later(() => this.check());
  }

  keep() {
    if (drafts.keep(this.recording.draft)) return;
    this.tell("This browser keeps nothing. Download the game before you close the page.", {
      bad: true,
    });
  }

  undo() {
    if (!this.recording?.canUndo) return;
    this.goToBreach = false;
    this.recording.undo();
    this.keep();
    this.later(() => this.check({ auto: false }));
  }

  redo() {
    if (!this.recording?.canRedo) return;
    this.recording.redo();
    this.keep();
    this.later(() => this.check({ auto: false }));
  }

  get deal() {
    return this.recording.record.deals.at(-1);
  }

  // What has to be dealt before anything is played: the seat whose hand is to be written, or the turn-up.
  get dealing() {
    const { deal, sheet } = this;
    if (!deal || deal.setup || deal.knowledge === "scores" || deal.events.length) return null;
    const size = sheet.hand[this.recording.draft.names.length];
    const seat = (deal.hands ?? []).findIndex((hand) => hand.length < size);
    if (seat >= 0) return { seat, left: size - deal.hands[seat].length };
    return sheet.has_turn_up && !deal.turn_up ? { turnUp: true } : null;
  }

  // Asks the server how the record stands. Nothing is asked while cards are dealt, or by the marker alone.
  async check({ auto = true, report = false } = {}) {
    if (!this.recording) return;
    clearTimeout(this.retry);
    const record = this.recording.record;
    if (!record.deals.length || this.dealing) {
      this.state = null;
      this.unchecked = false;
      return this.draw();
    }
    try {
      const answer = await fetch(find("recorder").dataset.next + (report ? "?report=1" : ""), {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Requested-With": "fetch" },
        body: JSON.stringify(record),
      });
      if (!answer.ok) return this.refused(answer);
      const { state, sheet, digest, notation, replay } = await answer.json();
      Object.assign(this, { state, sheet, notation, replay, unchecked: false });
      const { draft } = this.recording;
      if (draft.opened === OPENED_FILE && !draft.edited) draft.opened = digest;
      this.tell("");
    } catch {
      Object.assign(this, { state: null, unchecked: true });
      this.retry = setTimeout(() => this.later(() => this.check()), RETRY);
    }
    if (this.goToBreach && this.backToBreach()) return this.check({ auto: false });
    this.draw();
    if (report && this.state) this.showReport(this.state.report);
    if (auto && !report && find("auto").checked && this.state?.forced && !this.state.over) {
      this.recording.add({ events: this.state.choices[0].events, auto: true });
      this.keep();
      return this.check();
    }
  }

  async refused(answer) {
    const busy = answer.status === 429 || answer.status >= 500;
    let words = `The server answered with error ${answer.status}.`;
    try {
      words = (await answer.json()).error.text;
    } catch {}
    Object.assign(this, { state: null, unchecked: true });
    if (busy) this.retry = setTimeout(() => this.later(() => this.check()), RETRY);
    this.draw();
    this.tell(words, { bad: true });
  }

  backToBreach() {
    this.goToBreach = false;
    const breach = this.state?.findings.find(
      ({ severity, event }) => severity === "illegal" && event !== null && event >= 0,
    );
    if (!breach) return false;
    this.recording.goBack(breach.deal, breach.event);
    this.breach = breach;
    return true;
  }

  // Cards: tapped or typed.

  chooseCard(card) {
    if (!this.recording || this.deal?.knowledge === "scores") return;
    const { dealing, state } = this;
    find("ask").hidden = true;
    this.breach = null;
    if (dealing) {
      if (dealing.turnUp) return card === UNSEEN || this.take({ turn_up: card });
      return this.take({ hand: dealing.seat, card });
    }
    if (!state) return this.unchecked && this.take({ events: [this.uncheckedEvent(card)] });
    const fitting = state.choices.filter(
      ({ kind, cards }) => kind !== "shown" && cards[0] === card,
    );
    if (fitting.length === 1) return this.take({ events: fitting[0].events });
    if (fitting.length) return this.askPlace(fitting);
    if (state.over) return;
    if (card === UNSEEN) return this.take({ events: [this.eventWith(card)] });
    this.askBreach(card);
  }

  eventWith(card) {
    const { step, seat } = this.state;
    const type = step === "draw" ? "draw" : /combine|discard/.test(step) ? "discard" : "play";
    return { type, seat, card };
  }

  uncheckedEvent(card) {
    const seat = Number(document.querySelector("[name=who]:checked")?.value ?? 0);
    return { type: "play", seat, card };
  }

  askPlace(choices) {
    this.ask(
      "From where?",
      choices.map((choice) => [choice.words, () => this.take({ events: choice.events })]),
    );
  }

  askBreach(card) {
    const event = this.eventWith(card);
    const name = this.recording.draft.names[event.seat];
    this.ask(`The rules do not let ${name} ${event.type} the ${cardWords(card)} now.`, [
      ["It really happened so", () => this.take({ events: [event] })],
    ]);
  }

  ask(words, answers) {
    const box = find("ask");
    const line = document.createElement("p");
    line.textContent = words;
    const made = [...answers, ["Cancel", () => {}]].map(([text, act]) =>
      button(text, () => {
        box.hidden = true;
        act();
      }),
    );
    box.replaceChildren(line, ...made);
    box.hidden = false;
    made[0].focus();
  }

  cut(event) {
    event.preventDefault();
    const { packet, guess } = event.target.elements;
    const cut = { type: "cut", seat: this.state.dealer, packet: Number(packet.value) };
    if (guess.value) cut.guess = Number(guess.value);
    event.target.reset();
    this.take({ events: [cut] });
  }

  key(event) {
    if (!this.recording || find("recorder").hidden || event.altKey || event.isComposing) return;
    if (event.target.matches("input:not([type=checkbox], [type=radio]), select, textarea")) return;
    const command = event.ctrlKey || event.metaKey;
    if (command && event.code === "KeyZ") {
      event.preventDefault();
      return event.shiftKey ? this.redo() : this.undo();
    }
    if (command && event.code === "KeyY") {
      event.preventDefault();
      return this.redo();
    }
    if (command) return;
    if (event.key === "Backspace") {
      event.preventDefault();
      if (this.typed) this.typed = "";
      else this.undo();
      return this.drawTyped();
    }
    const card = typedCard(this.typed, event, this.sheet.ranks);
    if (card === null) return;
    event.preventDefault();
    this.typed = card.length === 2 ? "" : card;
    this.drawTyped();
    if (card.length === 2) this.later(() => void this.chooseCard(card));
  }

  nextDeal() {
    const depth = find("end").querySelector("select").value;
    this.take({ deal: this.startForm.newDeal(this.nextDealer, depth, this.sheet, this.recording) });
  }

  get nextDealer() {
    const count = this.recording.draft.names.length;
    return this.state?.next_dealer ?? (this.deal.dealer + 1) % count;
  }

  // What is seen.

  draw() {
    const { state, deal } = this;
    const scoring = deal?.knowledge === "scores";
    this.drawPlayers();
    this.drawTurn();
    this.drawChoices();
    find("marker").hidden = !scoring;
    find("cards").hidden = scoring || !!state?.over;
    find("keys").hidden = scoring;
    if (scoring) this.marker.draw(this.recording, this.sheet, deal);
    find("other-box").hidden = scoring || !!this.dealing;
    if (state) this.others.choose(state.seat);
    find("cut").hidden = !state?.cut;
    if (state?.cut)
      for (const input of find("cut").querySelectorAll("input")) input.max = state.cut;
    find("undo").disabled = !this.recording.canUndo;
    find("redo").disabled = !this.recording.canRedo;
    const over = scoring ? this.marker.isOver : state?.over || state?.stopped;
    find("end").hidden = !over;
    if (over) this.drawEnd();
    this.drawList();
  }

  drawPlayers() {
    const { state, deal } = this;
    const marked = deal?.knowledge === "scores";
    const totals = state?.scores ?? this.marker.totals(this.recording);
    find("players").replaceChildren(
      ...this.recording.draft.names.map((name, seat) => {
        const line = document.createElement("li");
        const side = sideOf(this.recording.draft.base, seat);
        const own = marked ? (deal.claims?.scores[side] ?? 0) : state?.points?.[seat];
        const words = document.createElement("span");
        words.textContent = name + (deal?.dealer === seat ? " (deals)" : "");
        const points = document.createElement("b");
        points.className = "figure";
        points.textContent = own === undefined ? "" : own;
        const total = document.createElement("span");
        total.className = "muted figure";
        if (totals) total.textContent = `match ${totals[side]}`;
        line.append(words, points, total);
        if (state?.seat === seat && !state.over) line.setAttribute("aria-current", "true");
        return line;
      }),
    );
    const facts = [];
    if (state?.trump) facts.push(`Trumps: ${SUITS[state.trump]}`);
    if (state?.turn_up && state.turn_up !== UNSEEN && state.stock)
      facts.push(`turned up: ${cardWords(state.turn_up)}`);
    if (state && !marked) facts.push(`stock: ${state.stock}`);
    if (this.sheet.target) facts.push(`target: ${this.sheet.target}`);
    find("facts").textContent = facts.join(", ");
  }

  drawTurn() {
    const { state, dealing } = this;
    const { names } = this.recording.draft;
    const lines = [];
    if (this.unchecked) lines.push("No connection. What you enter is kept, and checked later.");
    else if (dealing?.turnUp) lines.push("Which card is turned up?");
    else if (dealing) lines.push(`${names[dealing.seat]}’s hand: ${dealing.left} more to enter.`);
    else if (state) {
      const said = state.said.at(-1);
      if (said) lines.push(said);
      if (state.turn) lines.push(`${state.turn}.`);
    }
    find("turn").textContent = lines.join(" ");
    const due = [...(state?.due ?? [])];
    const here = state?.findings.filter(
      ({ severity, deal, event }) =>
        severity !== "note" && deal === state.deal && event === state.said.length - 1,
    );
    for (const { message } of here ?? []) due.push(message);
    if (this.breach) due.push(`In the record: ${this.breach.message}`);
    find("due").replaceChildren(
      ...due.map((words) => {
        const line = document.createElement("li");
        line.textContent = words;
        return line;
      }),
    );
    if (this.unchecked) this.askWho();
  }

  // Without the server nobody says whose turn it is.
  askWho() {
    const events = this.deal?.events ?? [];
    const count = this.recording.draft.names.length;
    const next = events.length
      ? ((events.at(-1).seat ?? 0) + 1) % count
      : (this.deal?.dealer + 1) % count;
    const box = find("ask");
    const lines = this.recording.draft.names.map((name, seat) => {
      const label = document.createElement("label");
      const input = document.createElement("input");
      Object.assign(input, { type: "radio", name: "who", value: seat, checked: seat === next });
      label.append(input, ` ${name} plays`);
      return label;
    });
    box.replaceChildren(...lines);
    box.hidden = this.deal?.knowledge === "scores";
  }

  drawCards() {
    const rows = Object.keys(SUITS).map((suit) => {
      const row = document.createElement("div");
      row.className = "record-suit";
      row.append(...[...this.sheet.ranks].map((rank) => this.cardButton(rank + suit)));
      return row;
    });
    const unknown = document.createElement("div");
    unknown.className = "record-suit";
    unknown.append(this.cardButton(UNSEEN));
    find("cards").replaceChildren(...rows, unknown);
  }

  cardButton(card) {
    const made = button("", () => this.later(() => void this.chooseCard(card)), "record-card");
    made.dataset.card = card;
    made.setAttribute("aria-label", cardWords(card));
    if (card === UNSEEN) made.textContent = "? unknown";
    else {
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      svg.setAttribute("viewBox", "0 0 60 84");
      svg.setAttribute("aria-hidden", "true");
      const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
      use.setAttribute("href", `#c-${card}`);
      svg.append(use);
      made.append(svg);
    }
    return made;
  }

  drawChoices() {
    const { state, dealing } = this;
    const cards = new Set();
    for (const { kind, cards: own } of state?.choices ?? [])
      if (kind !== "shown") cards.add(own[0]);
    for (const each of find("cards").querySelectorAll("button")) {
      const { card } = each.dataset;
      const lit = dealing || this.unchecked || cards.has(card);
      each.classList.toggle("lit", Boolean(lit));
      each.setAttribute("aria-label", cardWords(card) + (lit ? "" : ", not legal now"));
    }
    const shown = (state?.choices ?? []).filter(({ kind }) => kind === "shown");
    find("shown").replaceChildren(
      ...shown.map((choice) => {
        const line = document.createElement("li");
        const points = choice.points ? ` ${choice.points}` : "";
        const made = button(choice.words + points, () => this.take({ events: choice.events }));
        made.dataset.cards = choice.cards.toSorted().join(" ");
        line.append(made);
        return line;
      }),
    );
  }

  drawTyped() {
    const { typed } = this;
    for (const each of find("cards").querySelectorAll("button"))
      each.classList.toggle("typed", Boolean(typed) && each.dataset.card.includes(typed));
  }

  drawEnd() {
    const { state } = this;
    const complete = Boolean(state?.complete);
    find("end").querySelector("h2").textContent = complete
      ? "The end of the match"
      : "The end of the deal";
    const sentences = state?.outcome.length ? state.outcome : ["The deal is over."];
    if (state?.stopped && !state.over)
      sentences.splice(
        0,
        sentences.length,
        "Nobody can say who holds what from here on. Undo, or go on with the next deal.",
      );
    find("outcome").replaceChildren(
      ...sentences.map((words) => {
        const line = document.createElement("p");
        line.textContent = words;
        return line;
      }),
    );
    find("depth-next").hidden = find("next-deal").hidden = complete;
    if (this.deal) find("end").querySelector("select").value = this.deal.knowledge ?? "full";
  }

  // The running score, as people write it, and the events of the deal.
  drawList() {
    const running = this.state?.running ?? [];
    const { names } = this.recording.draft;
    const row = (cells, tag) => {
      const line = document.createElement("tr");
      for (const cell of cells) {
        const made = document.createElement(tag);
        made.textContent = cell;
        line.append(made);
      }
      return line;
    };
    const { sides } = this.recording.draft.base;
    const heads = sides?.map((side) => side.map((seat) => names[seat]).join(" and ")) ?? names;
    find("scores").replaceChildren(
      row(["Deal", ...heads], "th"),
      ...running.map((scores, number) =>
        row([number + 1, ...(scores ?? heads.map(() => "open"))], "td"),
      ),
    );
    find("scores").hidden = !running.length;
    find("events").replaceChildren(
      ...(this.state?.said ?? []).map((words) => {
        const line = document.createElement("li");
        line.textContent = words;
        return line;
      }),
    );
  }

  showReport(report) {
    const found = (report.findings ?? []).map(({ message }) => message);
    const verdict = report.verdict.replaceAll("_", " ");
    find("report").textContent = [`Verdict: ${verdict}.`, ...found].join(" ");
  }

  // Keeping it.

  downloadRecord() {
    this.download(JSON.stringify(this.recording.record), "application/json", ".json");
  }

  async downloadNotation() {
    await this.check({ report: true });
    if (this.state) this.download(this.notation, "text/plain", ".bzq");
  }

  async openReplay() {
    await this.check({ report: true });
    if (!this.state) return;
    if (this.replay) location.assign(this.replay);
    else this.tell("The game is too long for an address. Store it, and replay it then.", { bad: true });
  }

  download(text, type, ending) {
    const blob = new Blob([text], { type });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${this.recording.draft.names
      .join("-")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}-]+/gu, "-")}${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  store(event) {
    if (!navigator.onLine) {
      event.preventDefault();
      return this.tell("There is no connection. The game is kept on this device.", { bad: true });
    }
    event.target.elements.record.value = JSON.stringify(this.recording.record);
  }

  async copyLink() {
    const link = await writeLink(this.recording.draft);
    const line = document.createElement("input");
    Object.assign(line, { readOnly: true, value: link, className: "record-link" });
    line.setAttribute("aria-label", "Link with this game");
    find("report").replaceChildren(
      "Open this link on the other device. The game is in the link itself, and no server gets it. ",
      line,
    );
    line.select();
    await navigator.clipboard?.writeText(link).catch(() => {});
  }

  tell(words, { bad = false } = {}) {
    for (const [name, shown] of [
      ["told", !bad],
      ["problem", bad],
    ]) {
      find(name).textContent = shown ? words : "";
      find(name).hidden = !shown || !words;
    }
  }
}

new Recorder();
