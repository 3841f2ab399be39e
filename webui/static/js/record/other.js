// Events that are not on offer, entered as they happened: breaches of the rules, and whatever comes while no server answers.
const SUIT_LETTERS = { "\u2660": "S", "\u2665": "H", "\u2666": "D", "\u2663": "C" };
const CARDS = /(10|[akqjt2-9])([shdc\u2660\u2665\u2666\u2663])|\?\?/giu;
const BARE = { exchange: { type: "dix", action: "exchange" }, show: { type: "dix", action: "show" } };

export class OtherEvents {
  constructor(form, take) {
    Object.assign(this, { form, take, fields: form.elements });
    form.addEventListener("change", () => this.showCards());
    form.addEventListener("submit", (event) => this.submit(event));
  }

  offer(names, sheet) {
    this.fields.seat.replaceChildren(...names.map((name, seat) => new Option(name, seat)));
    const kinds = [
      ["play", "plays a card"],
      ["draw", "draws a card"],
    ];
    if (sheet.dix !== null)
      kinds.push(["exchange", "exchanges the seven of trumps"], ["show", "shows the seven of trumps"]);
    // A marriage has two rows of points, and one name.
    for (const name of new Set(sheet.melds.map((row) => row.name)))
      kinds.push([`meld ${name}`, `melds ${name.replaceAll("_", " ")}`]);
    this.fields.what.replaceChildren(...kinds.map(([value, words]) => new Option(words, value)));
    this.showCards();
  }

  choose(seat) {
    if (seat !== null && !this.form.contains(document.activeElement)) this.fields.seat.value = seat;
  }

  showCards() {
    this.form.querySelector("[data-other-cards]").hidden = this.fields.what.value in BARE;
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
    const [type, meld] = this.fields.what.value.split(" ");
    if (type in BARE) return { ...BARE[type], seat };
    if (!cards.length || (!meld && cards.length > 1)) return null;
    return meld ? { type, seat, meld, cards } : { type, seat, card: cards[0] };
  }

  submit(submitted) {
    submitted.preventDefault();
    const { event } = this;
    if (!event) {
      const one = !this.fields.what.value.startsWith("meld");
      this.fields.cards.setCustomValidity(one ? "Write one card." : "Write the cards.");
      this.form.reportValidity();
      return;
    }
    this.fields.cards.value = "";
    this.take(event);
  }
}
