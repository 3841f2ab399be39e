// What became of a card: a click on one opens a list of the steps that name it, of its seat.
export class Trail {
  constructor(root, deal, go) {
    this.deal = deal;
    this.go = go;
    this.box = root.querySelector("[data-trail]");
    this.list = this.box.querySelector("ol");
    this.title = this.box.querySelector("h2");
    this.box.addEventListener("click", (event) => {
      const step = event.target.closest("[data-to]")?.dataset.to;
      if (step === undefined) return;
      this.box.close();
      this.go(Number(step));
    });
    root.querySelector("[data-felt]").addEventListener("click", (event) => {
      const element = event.target.closest("[data-card]");
      if (element) this.open(element.dataset.card, seatOf(element));
    });
  }

  open(code, seat) {
    const { steps, cards } = this.deal;
    const found = steps.flatMap((step, number) => (step.named.includes(code) && (seat === null || step.who === seat) ? [number] : []));
    if (!found.length || code.includes("?")) return;
    this.title.textContent = cards[code][0].replace(/^./, (letter) => letter.toUpperCase());
    this.list.replaceChildren(...found.map((number) => {
      const line = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.to = number;
      button.textContent = `${number}. ${steps[number].say}`;
      line.append(button);
      return line;
    }));
    this.box.showModal();
  }
}

function seatOf(element) {
  const place = element.closest("[data-hand], [data-laid]");
  if (place) return Number(place.dataset.hand ?? place.dataset.laid);
  return element.dataset.seat === undefined ? null : Number(element.dataset.seat);
}
