// What follows when a deal or a match is over: its result, and storing, keeping or downloading the record.
import { writeLink } from "./device.js";
import { fill, find, sideNames, tell } from "./standing.js";

const UNTICKED = "The record as it was has lost its tick in the list of what you sent.";
const IN_TRASH = "The one stored before is in the trash. It can be brought back from there.";
const STAYS = "The one stored before could not be moved to the trash: it stays beside the new one.";
const STILL_TICKED =
  "The list of what you sent did not answer. Untick the original record there, or both will be stored.";

export class Keeping {
  constructor(recorder) {
    this.recorder = recorder;
    // What was tapped before belongs to the record: each waits until that is answered.
    const on = (name, act) =>
      find(name).addEventListener("click", () => recorder.later(() => recorder.recording && act()));
    on("download", () => this.download(JSON.stringify(this.record), "application/json", ".json"));
    on("notation", () => this.downloadNotation());
    on("replay", () => this.openReplay());
    on("verdict", () => this.showReport());
    on("link", () => this.copyLink());
    find("store")?.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.isStoring) return; // a second click sends nothing again
      this.isStoring = true;
      recorder
        .later(() => recorder.recording && this.store(event.target))
        .finally(() => (this.isStoring = false));
    });
  }

  get record() {
    return this.recorder.recording.record;
  }

  // What its files are called.
  get name() {
    const names = this.recorder.recording.draft.names.join("-").toLowerCase();
    return names.replaceAll(/[^\p{L}\p{N}-]+/gu, "-");
  }

  begin() {
    this.mayLeaveOut = false;
    find("report").textContent = "";
    find("stored").replaceChildren();
  }

  async checkWhole() {
    await this.recorder.check({ report: true });
    const { state, unchecked } = this.recorder;
    if (!state && !unchecked) tell("Enter what was dealt first.", { bad: true });
    return state;
  }

  async showReport() {
    const state = await this.checkWhole();
    if (!state) return;
    const { verdict, findings = [] } = state.report;
    const words = findings.map(({ message }) => message);
    find("report").textContent = [`Verdict: ${verdict.replaceAll("_", " ")}.`, ...words].join(" ");
  }

  async downloadNotation() {
    if (await this.checkWhole()) this.download(this.recorder.notation, "text/plain", ".bezique");
  }

  async openReplay() {
    if (!(await this.checkWhole())) return;
    const { stored, replay } = this.recorder;
    if (stored || replay) return location.assign(stored || replay);
    tell("The game is too long for an address. Store it, and replay it then.", { bad: true });
  }

  download(text, type, ending) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = this.name + ending;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // What speaks against storing the game as it is; empty if nothing does.
  get doubt() {
    const { recording, state, deal, isOver } = this.recorder;
    if (deal.knowledge === "scores" && state?.complete && !isOver)
      return "The match counts only once the deal is over. Tap “The deal is over” first,";
    if (!recording.left) return "";
    return `${recording.leftWords}, and would not be stored. Bring back what is set aside,`;
  }

  // Sends the game once; the verdict then stands on this page, with what to do next.
  async store(form) {
    const { recording } = this.recorder;
    await this.recorder.check({ auto: false });
    const doubt = this.doubt;
    if (doubt && !this.mayLeaveOut) {
      this.mayLeaveOut = true;
      return tell(`${doubt} or press Store once more.`, { bad: true });
    }
    if (recording.replaces) return this.askWhetherToReplace(form);
    return this.send(form);
  }

  // What was stored before by this draft, or opened from the collection, is one game with what is stored now.
  askWhetherToReplace(form) {
    const send = (replace) => () => this.recorder.later(() => this.send(form, { replace }));
    const stays = ["Store the new one, keep both", send(false)];
    const cancel = ["Cancel", () => {}];
    const { questions } = this.recorder;
    if (form.dataset.trash)
      return questions.ask(
        "Replace the one stored before? The new one names it, and the old one goes to the trash, where it can be brought back.",
        [["Replace it", send(true)], stays, cancel],
      );
    questions.ask(
      "Replace the one stored before? The new one names it. The old one stays beside it until the keeper of this site deletes it.",
      [["Store the new one", send(false)], cancel],
    );
  }

  async send(form, { replace = false } = {}) {
    const { recording } = this.recorder;
    const { replaces } = recording;
    const sent = form.querySelector("[type=submit]");
    const body = new FormData(form);
    body.set("files", new File([JSON.stringify(this.record)], `${this.name}.json`));
    sent.disabled = true; // a second click sends nothing again
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        body,
        headers: { "X-Requested-With": "fetch" },
      });
      if (!answer.ok) return tell(await errorText(answer), { bad: true });
      const isPrivate = body.has("private");
      recording.isStoredAs(this.recorder.digest, { isPrivate });
      await this.recorder.check({ auto: false });
      this.recorder.keep();
      const untold = await this.untick(body.get("csrf_token"));
      if (answer.redirected) return location.assign(answer.url);
      find("stored").innerHTML = await answer.text();
      if (untold) tell(untold, { bad: untold !== UNTICKED });
      if (replace) await this.moveToTrash(form, replaces, body.get("csrf_token"));
    } catch {
      return tell("The server is not responding. The game is kept on this device.", { bad: true });
    } finally {
      sent.disabled = false;
    }
    find("stored").focus();
  }

  async moveToTrash(form, digest, token) {
    const address = form.dataset.trash.replace(/0{64}/, digest);
    const body = new URLSearchParams({ csrf_token: token });
    const answer = await fetch(address, { method: "POST", body, redirect: "manual" });
    const isMoved = answer.type === "opaqueredirect";
    tell(isMoved ? IN_TRASH : STAYS, { bad: !isMoved });
  }

  // The record as it was sent loses its tick in the list, so that it is not stored as well.
  async untick(token) {
    const { origin } = this.recorder.recording.draft;
    if (!origin) return "";
    const body = new URLSearchParams({
      csrf_token: token,
      shown: origin.content,
      from: origin.page,
    });
    try {
      const address = `${lookAddress(origin)}/choose`;
      const answer = await fetch(address, { method: "POST", body, redirect: "manual" });
      return answer.type === "opaqueredirect" ? UNTICKED : STILL_TICKED;
    } catch {
      return STILL_TICKED;
    }
  }

  async copyLink() {
    const link = await writeLink(this.recorder.recording.draft);
    const line = document.createElement("input");
    Object.assign(line, { readOnly: true, value: link, className: "record-link" });
    line.setAttribute("aria-label", "Link with this game");
    find("report").replaceChildren(
      "Open this link on the other device. The game is in the link itself, and no server gets it. ",
      line,
    );
    line.select();
    const copied = navigator.clipboard?.writeText(link).then(() => "The link was copied. ");
    line.before((await copied?.catch(() => "")) ?? "");
  }
}

export function lookAddress({ sent }) {
  return find("page").dataset.look + encodeURIComponent(sent);
}

export async function errorText(answer) {
  try {
    return (await answer.json()).error.text;
  } catch {
    return `The server answered with error ${answer.status}.`;
  }
}

// The end of a deal: what it came to, the points on paper beside it, where it stopped, and the next deal.
export class Ending {
  constructor(box, { nextDeal, claim, goBack }) {
    Object.assign(this, { box, paper: find("paper") });
    find("next-deal").addEventListener("click", () => nextDeal(this.depth));
    find("back-to-breach").addEventListener("click", goBack);
    this.paper.addEventListener("submit", (event) => {
      event.preventDefault();
      const before = find("paper-running").checked ? this.before : [];
      const points = this.fields.map(({ value }, side) => Number(value) - (before[side] ?? 0));
      claim(this.fields.some(({ value }) => value !== "") ? points : null);
    });
  }

  get depth() {
    return this.box.querySelector("select").value;
  }

  get fields() {
    return [...this.paper.querySelectorAll("input[type=number]")];
  }

  draw({ recording, state, deal }) {
    const complete = Boolean(state?.complete);
    const stopped = Boolean(state?.stopped && !state.over);
    const heading = complete ? "The end of the match" : "The end of the deal";
    this.box.querySelector("h2").textContent = stopped ? "The deal stops here" : heading;
    let sentences = state?.outcome.length ? state.outcome : this.countedWords(recording, deal);
    if (stopped)
      sentences = [
        "Nobody can say who holds what from here on. Go back and enter another card, or go on with the next deal.",
      ];
    fill("outcome", "p", sentences);
    find("back-to-breach").hidden = !stopped;
    find("depth-next").hidden = find("next-deal").hidden = complete;
    this.keepDepth(recording, deal);
    this.drawPaper(recording, state, deal);
  }

  // Without a server's word on who won, the points alone.
  countedWords(recording, { knowledge, claims }) {
    if (knowledge !== "scores" || !claims) return ["The deal is over."];
    const sides = sideNames(recording);
    return [sides.map((name, side) => `${name} ${claims.scores[side]}`).join(", ") + "."];
  }

  // The next deal shows what the deal before it did, unless somebody chooses otherwise.
  keepDepth({ draft, record }, { knowledge = "full" }) {
    const key = `${draft.id} ${record.deals.length}`;
    if (key === this.ofDeal) return;
    this.ofDeal = key;
    this.box.querySelector("select").value = knowledge;
  }

  // Points that somebody wrote down are a claim of the record. What is being typed stays.
  drawPaper(recording, state, deal) {
    this.paper.hidden = deal.knowledge === "scores" || !state;
    find("paper-said").textContent = state?.paper ?? "";
    this.before = scoresOnPaper(recording.record.deals.slice(0, -1), state?.running ?? []);
    find("paper-running-field").hidden = !this.before?.length;
    const key = JSON.stringify([recording.draft.id, recording.record.deals.length, deal.claims]);
    if (key === this.drawn) return;
    this.drawn = key;
    find("paper-running").checked = false;
    const lines = sideNames(recording).map((name, side) => {
      const label = document.createElement("label");
      const field = document.createElement("input");
      Object.assign(field, { type: "number", inputMode: "numeric", step: 1, required: side > 0 });
      field.value = deal.claims?.scores?.[side] ?? "";
      label.append(name, field);
      return label;
    });
    this.paper.querySelector("[data-paper-fields]").replaceChildren(...lines);
  }
}

// The scores of the match that stand on paper behind these deals: of each what it claims, or what the rules count. Null where both
// are open, and empty without a deal.
function scoresOnPaper(deals, running) {
  let sums = [];
  for (const [number, { claims }] of deals.entries()) {
    const [earlier, now] = [number ? running[number - 1] : [], running[number]];
    const counted = earlier && now?.map((points, side) => points - (earlier[side] ?? 0));
    const points = claims?.scores ?? counted;
    if (!points || !sums) return null;
    sums = points.map((each, side) => each + (sums[side] ?? 0));
  }
  return sums;
}
