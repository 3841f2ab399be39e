// Events that are not on offer, entered as they happened: breaches of the rules, and whatever comes while no server answers.
const SUIT_LETTERS = { "\u2660": "S", "\u2665": "H", "\u2666": "D", "\u2663": "C" };
const CARDS = /(10|[akqjt2-9])([shdc\u2660\u2665\u2666\u2663])|\?\?/giu;
const BARE = {
  exchange: { type: "dix", action: "exchange" },
  show: { type: "dix", action: "show" },
  carte_blanche: { type: "carte_blanche" },
};
const IRREGULAR = {
  revoke: "revokes",
  exposed_card: "exposes a card",
  withdrawn_meld: "takes a meld back",
  misdeal: "has misdealt",
};

export class OtherEvents {
  constructor(form, take) {
    Object.assign(this, { form, take, fields: form.elements });
    form.addEventListener("change", () => this.showCards());
    form.addEventListener("submit", (event) => this.submit(event));
  }

  offer(names, sheet) {
    this.fields.seat.replaceChildren(...names.map((name, seat) => new Option(name, seat)));
    const kinds = [
      sheet.discards ? ["discard", "discards a card"] : ["play", "plays a card"],
      ["draw", "draws a card"],
    ];
    if (sheet.carte_blanche) kinds.push(["carte_blanche", "shows carte blanche"]);
    if (sheet.dix !== null)
      kinds.push(
        ["exchange", "exchanges the seven of trumps"],
        ["show", "shows the seven of trumps"],
      );
    // A marriage has two rows of points, and one name.
    for (const name of new Set(sheet.melds.map((row) => row.name)))
      kinds.push([`meld ${name}`, `melds ${name.replaceAll("_", " ")}`]);
    if (sheet.brisque) kinds.push(["score brisques", "counts brisques, as the paper has it"]);
    for (const { name, words } of sheet.bonuses)
      kinds.push([`score ${name}`, `scores ${words}, as the paper has it`]);
    for (const [name, words] of Object.entries(IRREGULAR)) kinds.push([`irregular ${name}`, words]);
    this.fields.what.replaceChildren(...kinds.map(([value, words]) => new Option(words, value)));
    this.showCards();
  }

  // A seat that somebody may be choosing stays.
  choose(seat) {
    const { seat: field } = this.fields;
    if (seat !== null && (field.disabled || !this.form.contains(document.activeElement)))
      field.value = seat;
  }

  // Whose turn it is changes by what was tapped before: until that is answered nobody chooses who it was, or enters it. Who
  // chooses already goes on. What happened can be written meanwhile: keys that no field takes would be cards.
  wait(isBusy) {
    if (isBusy && this.form.contains(document.activeElement)) return;
    this.fields.seat.disabled = this.form.querySelector("[type=submit]").disabled = isBusy;
  }

  showCards() {
    const what = this.fields.what.value;
    this.form.querySelector("[data-other-cards]").hidden = what in BARE || what.startsWith("score");
    this.form.querySelector("[data-other-number]").hidden = what !== "score brisques";
    this.fields.cards.setCustomValidity("");
  }

  get cards() {
    return [...this.fields.cards.value.matchAll(CARDS)].map(([all, rank, suit]) =>
      rank
        ? (rank === "10" ? "T" : rank.toUpperCase()) + (SUIT_LETTERS[suit] ?? suit.toUpperCase())
        : all,
    );
  }

  get event() {
    const { cards } = this;
    const seat = Number(this.fields.seat.value);
    const [type, name] = this.fields.what.value.split(" ");
    if (type in BARE) return { ...BARE[type], seat };
    if (type === "score") return this.score(name, seat);
    if (type === "irregular") return { type, seat, what: name, ...(cards.length ? { cards } : {}) };
    if (!cards.length || (!name && cards.length > 1)) return null;
    return name ? { type, seat, meld: name, cards } : { type, seat, card: cards[0] };
  }

  score(name, seat) {
    if (name !== "brisques") return { type: "score", seat, for: name };
    const { value } = this.fields.number;
    return value === "" ? null : { type: "score", seat, for: name, count: Number(value) };
  }

  submit(submitted) {
    submitted.preventDefault();
    const { event } = this;
    if (!event && this.fields.what.value === "score brisques") return this.fields.number.focus();
    if (!event) {
      const one = !this.fields.what.value.startsWith("meld");
      this.fields.cards.setCustomValidity(one ? "Write one card." : "Write the cards.");
      this.form.reportValidity();
      return;
    }
    this.fields.cards.value = this.fields.number.value = "";
    this.take(event);
  }
}
