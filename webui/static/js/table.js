// Fills the table of templates/deals/_table.html and the words below it from one step.
import { card, small } from "./card.js";

const PLACES = [
  "pile", "stock", "trick", "tableau", "trump", "heading", "phase", "out", "say", "next", "turn", "plays", "options",
];

export class TableView {
  constructor(root, deal) {
    this.root = root;
    this.deal = deal;
    this.places = new Map();
    for (const name of PLACES) {
      this.places.set(name, root.querySelector(`[data-${name}]`));
    }
    this.seats = deal.names.map((_, seat) => ({
      box: root.querySelector(`[data-seat-box="${seat}"]`),
      hand: root.querySelector(`[data-hand="${seat}"]`),
      laid: root.querySelector(`[data-laid="${seat}"]`),
      points: root.querySelector(`[data-points="${seat}"]`),
      total: root.querySelector(`[data-total="${seat}"]`),
      won: root.querySelector(`[data-won="${seat}"]`),
      gain: root.querySelector(`[data-gain="${seat}"]`),
    }));
    this.remarks = [...root.querySelectorAll("[data-remark]")];
  }

  draw(step) {
    step.seats.forEach((seat, number) => this.drawSeat(seat, number, step));
    this.drawMiddle(step);
    this.drawWords(step);
  }

  drawSeat(view, number, step) {
    const seat = this.seats[number];
    const cards = this.deal.cards;
    seat.box.classList.toggle("due", step.seat === number);
    seat.hand.replaceChildren(
      ...view.hand.map((item) => card(item, cards)),
      ...Array.from({ length: view.backs }, () => card("??", cards)),
    );
    seat.laid.replaceChildren(...view.laid.map((group) => this.group(group, `${this.deal.names[number]}, ${group.words}`)));
    for (const name of ["points", "total", "won"]) seat[name].textContent = view[name];
    seat.gain.replaceChildren(
      ...step.gains.filter((gain) => gain.seat === number).map((gain) => text("span", `+${gain.points} ${gain.words}`)),
    );
  }

  group(group, label) {
    const box = document.createElement("div");
    box.className = `group of-${group.kind}`;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", label);
    const list = document.createElement("ul");
    list.className = "group-cards";
    list.append(...group.cards.map((item) => card(item, this.deal.cards)));
    const name = text("span", group.words);
    name.className = "group-name";
    name.setAttribute("aria-hidden", "true");
    box.append(list, name);
    return box;
  }

  drawMiddle(step) {
    const cards = this.deal.cards;
    const pile = [];
    if (step.turn_up) pile.push(card(`${step.turn_up} turned`, cards, { tag: "span" }));
    if (step.stock) pile.push(card("??", cards, { tag: "span" }));
    this.places.get("pile").replaceChildren(...pile);
    this.places.get("stock").textContent = step.stock;
    this.places.get("trick")?.replaceChildren(...step.centre.map(([seat, item]) => card(item, cards, { seat })));
    this.places.get("tableau")?.replaceChildren(...step.tableau.map((pile) => this.group(pile, `Pile of the ${pile.words}`)));
    for (const name of ["heading", "phase", "out"]) this.places.get(name).textContent = step[name];
    this.drawTrump(step.trump);
  }

  drawTrump(trump) {
    const place = this.places.get("trump");
    if (place.dataset.trump === (trump ?? "")) return;
    const sign = document.querySelector(`template[data-trump-sign="${trump ?? ""}"]`);
    place.replaceChildren(sign.content.cloneNode(true));
    place.dataset.trump = trump ?? "";
  }

  drawWords(step) {
    const cards = this.deal.cards;
    const say = this.places.get("say");
    if (say.textContent !== step.say) say.textContent = step.say;
    this.remarks.forEach((note) => { note.hidden = !step.findings.includes(Number(note.dataset.remark)); });
    this.places.get("next").hidden = !step.turn;
    this.places.get("turn").textContent = step.turn;
    this.places.get("plays").replaceChildren(...step.plays.map((code) => small(code, cards)));
    this.places.get("options").replaceChildren(...step.options.map((option) => this.option(option)));
  }

  option(option) {
    const line = text("li", `${option.words} `);
    line.append(...option.cards.map((code) => small(code, this.deal.cards)));
    if (option.points) {
      const points = text("b", option.points);
      points.className = "figure";
      line.append(" ", points);
    }
    if (option.ways > 1) line.append(` in ${option.ways} ways`);
    return line;
  }
}

function text(tag, words) {
  const element = document.createElement(tag);
  element.textContent = words;
  return element;
}
