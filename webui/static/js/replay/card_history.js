// A click on a card opens the list of the steps at which its seat played, drew or melded it.
export class CardHistory {
  constructor(root, deal, go) {
    this.deal = deal;
    this.go = go;
    this.dialog = root.querySelector("[data-card-history]");
    this.list = this.dialog.querySelector("ol");
    this.title = this.dialog.querySelector("h2");
    this.dialog.addEventListener("click", (event) => {
      const step = event.target.closest("[data-to]")?.dataset.to;
      if (step === undefined) return;
      this.dialog.close();
      this.go(Number(step));
    });
    root.querySelector("[data-felt]").addEventListener("click", (event) => {
      const element = event.target.closest("[data-card]");
      if (element) this.open(element.dataset.card, seatOf(element));
    });
  }

  open(code, seat) {
    const { steps, cards } = this.deal;
    const isNamed = (step) => step.named.includes(code) && (seat === null || step.who === seat);
    const numbers = steps.flatMap((step, number) => (isNamed(step) ? [number] : []));
    if (!numbers.length || code.includes("?")) return;
    this.title.textContent = cards[code][0].replace(/^./, (letter) => letter.toUpperCase());
    this.list.replaceChildren(
      ...numbers.map((number) => {
        const line = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.to = number;
        button.textContent = `${number}. ${steps[number].say}`;
        line.append(button);
        return line;
      }),
    );
    this.dialog.showModal();
  }
}

// A card in the middle names its seat itself; one of the stock has none.
function seatOf(element) {
  const place = element.closest("[data-hand], [data-laid]");
  if (place) return Number(place.dataset.hand ?? place.dataset.laid);
  return element.dataset.seat === undefined ? null : Number(element.dataset.seat);
}
