// A record as the steps that lead to it: each adds a deal, a card dealt, the turn-up, some events, or points marked. What is
// undone stays, to be done again.
export class Recording {
  constructor(draft) {
    this.draft = draft;
  }

  static begin(base, names) {
    return new Recording({ id: crypto.randomUUID(), names, base, steps: [], undone: [] });
  }

  // A record that was stored or downloaded: its deals as steps, the last of which may be undone.
  static open(record, digest, { origin, isStored = false } = {}) {
    const { deals = [], ...base } = structuredClone(record);
    const steps = deals.flatMap(({ events = [], ...deal }) => [
      { deal },
      ...events.map((event) => ({ events: [event] })),
    ]);
    const names = record.players.map(({ name }) => name);
    const draft = {
      id: crypto.randomUUID(),
      names,
      base,
      steps,
      undone: [],
      opened: digest,
      origin,
      storedAs: isStored ? digest : null,
    };
    return new Recording(draft);
  }

  get record() {
    const { base, steps, edited, opened, result } = this.draft;
    const record = structuredClone(base);
    record.deals = [];
    for (const [at, step] of steps.entries()) {
      apply(record, structuredClone(step), { edited });
      if (step.paper) record.deals.at(-1).events = this.eventsUpTo(at);
    }
    if (edited) delete record.result; // what an opened record claims of itself is not true of what was changed
    if (result) record.result = result;
    if (edited && opened) record.meta = { ...record.meta, replaces: opened };
    return record;
  }

  // The events of the deal that is played at a step, with it.
  eventsUpTo(at) {
    const steps = this.draft.steps.slice(0, at + 1);
    const own = steps.slice(steps.findLastIndex((step) => step.deal));
    return entriesOf(own).map(({ event }) => event);
  }

  // The record with one step more, which is not taken.
  recordWith(step) {
    return new Recording({ ...this.draft, steps: [...this.draft.steps, step] }).record;
  }

  // The steps of the last deal, behind the one that began it.
  get ownSteps() {
    const { steps } = this.draft;
    return steps.slice(steps.findLastIndex((step) => step.deal) + 1);
  }

  // The events of the last deal, each with the step that it came by.
  get entries() {
    return entriesOf(this.ownSteps);
  }

  // Whether a deal of scores alone is over: somebody said so, or it was opened with its points.
  get isCounted() {
    const own = this.ownSteps;
    return (
      own.some(({ over }) => over) || Boolean(!own.length && this.draft.steps.at(-1)?.deal.claims)
    );
  }

  // What the match came to, where its scores alone tell; null as long as it goes on.
  claim(result) {
    this.draft.result = result;
  }

  // Of every event of the last deal, whether it entered itself.
  get forced() {
    return this.entries.map(({ step }) => step.auto ?? false);
  }

  get canUndo() {
    return this.draft.steps.length > 1;
  }

  get canRedo() {
    return this.draft.undone.length > 0;
  }

  // How many steps that were taken back stand behind the place where the record is changed.
  get left() {
    return this.draft.undone.length;
  }

  get leftWords() {
    return this.left === 1
      ? "The step after this place is set aside"
      : `The ${this.left} steps after this place are set aside`;
  }

  isStoredAs(digest, { isPrivate = false } = {}) {
    Object.assign(this.draft, { stored: true, storedAs: digest, isPrivate });
  }

  // The digest of the stored game that this one would replace; empty if it is none of the collection, or the same.
  get replaces() {
    const { stored, edited, storedAs, isPrivate } = this.draft;
    return edited && !stored && !isPrivate ? (storedAs ?? "") : "";
  }

  // What is changed after it was stored is a new version of what was stored.
  edit() {
    const { draft } = this;
    if (draft.stored && draft.storedAs) draft.opened = draft.storedAs;
    Object.assign(draft, { edited: true, stored: false, result: null });
  }

  add(step) {
    const { draft } = this;
    draft.steps.push(step);
    this.edit();
    // One step takes the place of one that was taken back, and those behind it stay: a slip is mended where it was made.
    const next = draft.undone.at(-1);
    if (next && Object.keys(next).some((name) => name in step && name !== "auto"))
      draft.undone.pop();
    else if (!step.auto && !step.paper) draft.undone = [];
  }

  undo() {
    const { steps, undone } = this.draft;
    this.edit(); // a record that ends earlier is another one
    do undone.push(steps.pop());
    while (undone.at(-1).auto && steps.length > 1);
  }

  redo() {
    const { steps, undone } = this.draft;
    this.edit();
    do steps.push(undone.pop());
    while (undone.at(-1)?.auto);
  }

  redoAll() {
    while (this.canRedo) this.redo();
  }

  // Goes back to just before an event of a deal.
  goBack(deal, event) {
    const { steps, undone } = this.draft;
    const starts = steps.flatMap((step, at) => (step.deal ? [at] : []));
    const own = steps.slice(starts[deal], starts[deal + 1]);
    const at = steps.indexOf(entriesOf(own)[event]?.step);
    if (at >= 0) undone.push(...steps.splice(at).reverse());
  }

  // Goes back to just before a step.
  goBackTo(step) {
    const { steps, undone } = this.draft;
    this.edit();
    undone.push(...steps.splice(steps.indexOf(step)).reverse());
  }
}

function entriesOf(steps) {
  const entries = [];
  for (const step of steps) {
    const { events = [], paper } = structuredClone(step);
    entries.push(...events.map((event) => ({ event, step })));
    if (paper) noteOnPaper(entries, step, paper);
  }
  return entries;
}

// What stands on paper beside an event: its points, or who took the trick that it completes.
function noteOnPaper(entries, step, { at, type, points, winner }) {
  const { event } = entries[at] ?? {};
  if (event?.type !== type) return;
  if (winner === undefined) event.points = points;
  else if (entries[at + 1]?.event.type === "trick") entries[at + 1].event.winner = winner;
  else entries.splice(at + 1, 0, { event: { type: "trick", winner }, step });
}

const sidesOf = ({ sides, players }) => sides ?? players.map((_, seat) => [seat]);

// The number of the side on which a seat plays: scores are by side.
export function sideOf(record, seat) {
  return sidesOf(record).findIndex((side) => side.includes(seat));
}

function apply(record, step, { edited }) {
  const deal = record.deals.at(-1);
  if (step.deal) {
    record.deals.push({ ...step.deal, events: [] });
    // What a record that was opened claims of a deal is not true of what was changed; what is entered here is.
    if (edited && step.deal.knowledge !== "scores") delete record.deals.at(-1).claims;
  } else if (step.claims) deal.claims = { scores: step.claims };
  else if (step.claims === null) delete deal.claims;
  else if (step.events) deal.events.push(...step.events);
  else if (step.turn_up) deal.turn_up = step.turn_up;
  else if (step.hand !== undefined) deal.hands[step.hand].push(step.card);
  else if (step.mark || step.over) {
    deal.claims ??= { scores: sidesOf(record).map(() => 0) };
    for (const { seat, points } of step.mark ?? [])
      deal.claims.scores[sideOf(record, seat)] += points;
  }
}
