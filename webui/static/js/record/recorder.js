// The recorder: draws what the server says may come next, and adds to the record what is tapped or typed. It knows no rule.
// Without a connection it takes every step unchecked, and has all of them checked when the connection is back.
import { drafts, keepPage, readLink } from "./device.js";
import { Ending, Keeping, lookAddress } from "./keeping.js";
import { Marker } from "./marker.js";
import { Offers } from "./offers.js";
import { OtherEvents } from "./other.js";
import { button, Pack, typedCard, UNSEEN } from "./pack.js";
import { Questions } from "./questions.js";
import { Recording } from "./record.js";
import {
  drawFacts,
  drawList,
  drawPlayers,
  drawTable,
  drawTurn,
  ofDeal,
  ofLastEvent,
  tell,
} from "./standing.js";
import { NewGame, OpenedFile, sheetOf } from "./start.js";

const data = JSON.parse(document.getElementById("recorder-data").textContent);
const find = (name) => document.querySelector(`[data-${name}]`);
const RETRY = 5000;
const LONGEST_WAIT = 20000;
const OPENED_FILE = "file";
const NO_COMPLETION = "no-legal-completion";

const isIllegal = ({ severity }) => severity === "illegal";
const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

class Recorder {
  constructor() {
    this.work = Promise.resolve();
    this.typed = "";
    this.startForm = new NewGame(find("start"), data.sheets, (base, names, deal) => {
      this.open(Recording.begin(base, names));
      this.take({ deal });
    });
    this.marker = new Marker(
      find("marker"),
      (step) => this.take(step),
      () => this.endDeal(),
    );
    this.others = new OtherEvents(find("other"), (event) =>
      this.later(() => this.propose(event, { affirmed: true })),
    );
    this.questions = new Questions(find("ask"));
    this.ending = new Ending(find("end"), {
      nextDeal: (depth) => this.nextDeal(depth),
      claim: (points) => this.take({ claims: points }),
      goBack: () => this.goBackTo(({ stops }) => stops),
    });
    this.offers = new Offers(
      find("shown"),
      (events) => this.later(() => this.takeOffered(events)),
      ({ all }) => (all ? this.pack.light(() => true) : this.lightPack()),
    );
    this.pack = new Pack(find("cards"), (card) => this.later(() => this.chooseCard(card)));
    this.keeping = new Keeping(this);
    this.file = new OpenedFile(find("open-file"), find("file-records"), (record, digest) => {
      this.openRecord(record, digest);
    });
    const on = (name, act) => find(name).addEventListener("click", act);
    on("undo", () => this.undo());
    on("redo", () => this.redo());
    on("redo-all", () => this.redo({ all: true }));
    on("close", () => this.later(() => this.close()));
    find("auto").addEventListener("change", () => this.later(() => this.check()));
    find("cut").addEventListener("submit", (event) => this.cut(event));
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("online", () => this.recording && this.later(() => this.check()));
    addEventListener("hashchange", () => this.openLink());
    this.begin();
  }

  async begin() {
    this.listDrafts();
    if (await this.openLink()) return;
    const { record, digest, origin } = data;
    if (record) return this.openRecord(record, digest, { origin, isStored: !origin });
    if (new URLSearchParams(location.search).has("game")) this.awaitGame();
  }

  // The page was kept without the game that its address names.
  awaitGame() {
    tell(
      "There is no connection, and the game of this address is on the server. It opens when the connection is back. What is recorded on this device stands below.",
      { bad: true },
    );
    addEventListener("online", () => this.recording || location.reload());
  }

  // Nothing is played by itself: whoever only looks changes nothing.
  openRecord(record, digest, source) {
    this.open(Recording.open(record, digest, source));
    this.goBackTo(isIllegal);
  }

  // Asks once more, and goes back to just before the first finding that is meant.
  goBackTo(isMeant) {
    this.later(() => {
      this.isMeant = isMeant;
      return this.check({ auto: false });
    });
  }

  async openLink() {
    const draft = await readLink(location.hash);
    if (draft === null) return false;
    if (!draft?.steps) {
      tell("This link holds no game. Copy it once more, as a whole.", { bad: true });
      return false;
    }
    history.replaceState(null, "", find("page").dataset.page);
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
        const stored = draft.stored ? ", stored" : "";
        const words = `${draft.names.join(" – ")}, ${day}${stored}`;
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
    tell(`Deleted: ${words}.`);
    const undo = button("Undo", () => {
      drafts.keep(draft);
      this.listDrafts();
      tell("");
    });
    find("told").append(" ", undo);
    undo.focus();
  }

  open(recording) {
    this.recording = recording;
    this.state = null;
    this.totalsBefore = null;
    this.sheet = sheetOf(data.sheets, recording.draft.base.rules);
    for (const name of ["start", "drafts"]) find(name).hidden = true;
    find("recorder").hidden = false;
    this.opening = true;
    const { origin } = recording.draft;
    find("origin").hidden = !origin;
    if (origin) find("origin").querySelector("a").href = lookAddress(origin);
    this.questions.nothing(); // a question is about the step that would come next
    document.querySelector("h1").textContent = recording.draft.names.join(" – ");
    tell("");
    this.keeping.begin();
    this.pack.draw(this.sheet.ranks);
    this.others.offer(recording.draft.names, this.sheet);
  }

  close() {
    this.recording = null;
    find("recorder").hidden = true;
    find("start").hidden = false;
    document.querySelector("h1").textContent = "Record a game";
    this.listDrafts();
  }

  // Steps.

  later(act) {
    const work = this.work.then(act).catch((error) => tell(String(error), { bad: true }));
    this.work = work;
    this.wait(true);
    work.then(() => work === this.work && this.wait(false));
    return work;
  }

  wait(isBusy) {
    find("recorder").setAttribute("aria-busy", String(isBusy));
    this.others.wait(isBusy);
  }

  // What was said of the record as it was.
  forget() {
    this.breach = null;
    this.stored = "";
    this.questions.nothing(); // a question is about the step that would come next
    this.keeping.begin();
  }

  take(step) {
    return this.change(() => this.recording.add(step));
  }

  // One change after another: what comes before the server has answered waits for its turn. The marker needs no answer, and
  // changes at once: no button may go away under the next tap.
  change(act, { auto = true } = {}) {
    if (this.deal?.knowledge !== "scores") return this.later(() => this.changeNow(act, { auto }));
    this.keepChange(act);
    this.drawMarker();
    return this.later(() => this.check({ auto }));
  }

  changeNow(act, { auto = true } = {}) {
    if (!this.recording) return;
    this.keepChange(act);
    return this.check({ auto });
  }

  takeNow(step) {
    return this.changeNow(() => this.recording.add(step));
  }

  keepChange(act) {
    this.isMeant = null;
    this.forget();
    act();
    this.keep();
  }

  keep() {
    if (drafts.keep(this.recording.draft)) return;
    tell("This browser keeps nothing. Download the game before you close the page.", {
      bad: true,
    });
  }

  undo() {
    this.change(() => this.recording.canUndo && this.recording.undo(), { auto: false });
  }

  redo({ all = false } = {}) {
    const act = () => (all ? this.recording.redoAll() : this.recording.redo());
    this.change(() => this.recording.canRedo && act(), { auto: false });
  }

  // A step that is tapped in the list: what came after it is set aside, and comes back with one tap.
  goBackToStep(step) {
    this.change(() => this.recording.goBackTo(step), { auto: false });
    find("undo").scrollIntoView({ block: "center" });
  }

  get deal() {
    return this.recording?.record.deals.at(-1);
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
      Object.assign(this, { state: null, digest: "", unchecked: false });
      return this.draw();
    }
    try {
      const answer = await this.send(record, { report });
      if (!answer.ok) return this.refused(answer);
      const { state, sheet, digest, notation, replay, stored } = await answer.json();
      Object.assign(this, { state, notation, replay, stored, digest, unchecked: false });
      if (!isSame(sheet, this.sheet)) this.sheet = sheet;
      this.totalsBefore = state.running.findLast(Boolean);
      this.claimResult();
      const { draft } = this.recording;
      if (draft.opened === OPENED_FILE && !draft.edited) draft.opened = digest;
      tell("");
    } catch {
      Object.assign(this, { state: null, unchecked: true });
      this.retry = setTimeout(() => this.later(() => this.check()), RETRY);
    }
    if (this.isMeant && this.goBack()) return this.check({ auto: false });
    this.draw();
    if (auto && !report && find("auto").checked && this.state?.forced && !this.state.over) {
      this.recording.add({ events: this.state.choices[0].events, auto: true });
      this.keep();
      return this.check();
    }
    if (this.state?.over && !report && this.deal.knowledge !== "scores")
      await this.keeping.showReport();
  }

  // A server that does not answer is as good as none: what waits for it goes on unchecked.
  send(record, { report = false } = {}) {
    return fetch(find("recorder").dataset.next + (report ? "?report=1" : ""), {
      signal: AbortSignal.timeout(LONGEST_WAIT),
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Requested-With": "fetch" },
      body: JSON.stringify(record),
    });
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
    tell(words, { bad: true });
  }

  goBack() {
    const breach = this.state?.findings.find((each) => each.event >= 0 && this.isMeant(each));
    this.isMeant = null;
    if (!breach || breach.event === null) return false;
    this.recording.goBack(breach.deal, breach.event);
    this.breach = breach;
    return true;
  }

  // Cards: tapped or typed.

  chooseCard(card) {
    if (!this.recording || this.deal?.knowledge === "scores") return;
    const { dealing, state } = this;
    if (this.offers.pick(card)) return;
    this.questions.nothing();
    if (dealing) {
      if (!dealing.turnUp) return this.dealCard(card, { hand: dealing.seat, card });
      return card === UNSEEN || this.dealCard(card, { turn_up: card });
    }
    if (!state) return this.unchecked && this.takeNow({ events: [this.uncheckedEvent(card)] });
    const fitting = state.choices.filter(
      ({ kind, cards }) => kind !== "shown" && cards[0] === card,
    );
    if (fitting.length === 1) return this.takeNow({ events: fitting[0].events });
    if (fitting.length) return this.questions.place(fitting, (events) => this.take({ events }));
    if (state.unlisted) return this.propose({ ...state.unlisted, card });
  }

  // A card that was dealt before may be there again only if the pack has another copy of it.
  async dealCard(card, step) {
    const { hands = [], turn_up } = this.deal;
    const isAgain = card !== UNSEEN && [...hands.flat(), turn_up].includes(card);
    const breaches = isAgain ? await this.breachesOf(step, ofDeal) : [];
    const tooMany = breaches.filter(({ code }) => code === "too-many-copies");
    if (!tooMany.length) return this.takeNow(step);
    this.questions.dealtBefore(tooMany, { take: () => this.take(step), undo: () => this.undo() });
  }

  // What was on offer when it was tapped; by now something else may have happened, as after a second tap.
  takeOffered(events) {
    const { state } = this;
    const offered = state?.choices.find((choice) => isSame(choice.events, events));
    if (offered?.unchecked) return this.propose(events.at(-1), { report: true });
    if (offered) return this.takeNow({ events });
    if (state?.choices.some(({ size }) => size) || !state) return this.propose(events.at(-1));
  }

  // Takes an event that is not on offer, or not checked. What breaks a rule is asked before, and of what was `affirmed` only what
  // ends the deal.
  async propose(event, { affirmed = false, report = false } = {}) {
    const step = { events: [event] };
    const breaches = await this.breachesOf(step, ofLastEvent, { report });
    if (!breaches.some(({ stops }) => stops || !affirmed)) return this.takeNow(step);
    this.questions.breach(event, this.recording.draft.names[event.seat], breaches, {
      take: () => this.take(step),
      undo: () => this.undo(),
    });
  }

  // What would be illegal of one more step; nothing as long as no server says so. With the `report`, also that nobody can have
  // held the cards for it.
  async breachesOf(step, isMeant = ofLastEvent, { report = false } = {}) {
    try {
      const answer = await this.send(this.recording.recordWith(step), { report });
      const { state } = await answer.json();
      const breaches = state.findings.filter((each) => isIllegal(each) && isMeant(each, state));
      const found = state.report?.findings ?? [];
      return [...breaches, ...found.filter(({ code }) => code === NO_COMPLETION)];
    } catch {
      return [];
    }
  }

  uncheckedEvent(card) {
    const seat = Number(document.querySelector("[name=who]:checked")?.value ?? 0);
    return { type: "play", seat, card };
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
      return this.pack.mark(this.typed);
    }
    const card = typedCard(this.typed, event, this.sheet.ranks);
    if (card === null) return;
    event.preventDefault();
    this.typed = card.length === 2 ? "" : card;
    this.pack.mark(this.typed);
    if (card.length === 2) this.later(() => this.chooseCard(card));
  }

  nextDeal(depth) {
    this.take({ deal: this.startForm.newDeal(this.nextDealer, depth, this.sheet, this.recording) });
  }

  // The marker says nothing of a deal that it counts until somebody says that it is over.
  async endDeal() {
    await this.take({ over: true });
    document.getElementById("end").focus();
  }

  get isOver() {
    return this.deal?.knowledge === "scores" ? this.recording.isCounted : this.state?.over;
  }

  // What only the scores tell of the end of the match stands in the record.
  claimResult() {
    const { recording } = this;
    const result = (this.isOver && recording.draft.edited && this.state.result) || null;
    if (isSame(result, recording.draft.result ?? null)) return;
    recording.claim(result);
    this.keep();
  }

  get nextDealer() {
    const count = this.recording.draft.names.length;
    return this.state?.next_dealer ?? (this.deal.dealer + 1) % count;
  }

  // What is seen.

  draw() {
    const { state, deal } = this;
    const scoring = deal?.knowledge === "scores";
    drawPlayers(this);
    drawFacts(this);
    drawTurn(this);
    if (this.unchecked) this.askWho();
    this.drawChoices();
    find("marker").hidden = !scoring;
    drawTable(this);
    const stopped = Boolean(state?.stopped);
    find("cards").hidden = find("table").hidden = scoring || stopped || !!state?.over;
    find("keys").hidden = find("auto-field").hidden = find("turn").hidden = scoring;
    if (scoring) this.drawMarker();
    find("other-box").hidden = scoring || stopped || !!this.dealing;
    if (state) this.others.choose(state.seat);
    find("cut").hidden = !state?.cut;
    if (state?.cut)
      for (const input of find("cut").querySelectorAll("input")) input.max = state.cut;
    find("undo").disabled = !this.recording.canUndo;
    find("redo").disabled = !this.recording.canRedo;
    find("rest").hidden = !this.recording.left;
    find("rest").firstElementChild.textContent = `${this.recording.leftWords}.`;
    const over = this.isOver || state?.stopped;
    find("end").hidden = !over;
    if (over) this.ending.draw(this);
    drawList(this, {
      goBack: (step) => this.goBackToStep(step),
      note: (paper) => this.take({ paper }),
    });
    if (this.opening) find("recorder").scrollIntoView();
    this.opening = false;
    find("stored-game").hidden = !this.stored;
    if (this.stored) find("stored-game").querySelector("a").href = this.stored;
  }

  askWho() {
    const { names } = this.recording.draft;
    const before = this.deal?.events.at(-1)?.seat ?? this.deal?.dealer;
    if (this.deal?.knowledge !== "scores") this.questions.who(names, (before + 1) % names.length);
  }

  drawMarker() {
    this.marker.draw(this.recording, this.sheet, this.deal);
  }

  drawChoices() {
    this.lightPack();
    const shown = (this.state?.choices ?? []).filter(({ kind }) => kind === "shown");
    this.offers.draw(shown, this.recording.draft.names);
  }

  lightPack() {
    const { state, dealing } = this;
    const choices = (state?.choices ?? []).filter(({ kind }) => kind !== "shown");
    const cards = new Set(choices.map((each) => each.cards[0]));
    this.pack.light((card) => Boolean(dealing || this.unchecked || cards.has(card)));
  }
}

new Recorder();
if (document.readyState === "complete") keepPage(find("page").dataset);
else addEventListener("load", () => keepPage(find("page").dataset));
