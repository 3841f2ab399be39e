// Fills the table of templates/deals/_table.html, and the text below it, from one step.
import { arrange, inlineCard, layCards } from "./card.js";

const PLACES = [
  "pile",
  "stock",
  "trick",
  "tableau",
  "trump",
  "heading",
  "phase",
  "out",
  "say",
  "happened",
  "next",
  "turn",
  "plays",
  "options",
];

// A step in words: what happens, and who takes the trick.
export const sentences = (step) => [step.say, step.taken].filter(Boolean).join(" ");

export class TableView {
  constructor(root, deal) {
    this.root = root;
    this.deal = deal;
    this.felt = root.querySelector("[data-felt]");
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
      unsure: root.querySelector(`[data-unsure="${seat}"]`),
    }));
    this.findings = [...root.querySelectorAll("[data-finding]")];
    this.shownValues = new Map();
  }

  // A `headline` stands in place of what happened; `more` is then said below it.
  draw(step, { headline = "", more = "" } = {}) {
    step.seats.forEach((seat, number) => this.drawSeat(seat, number, step));
    this.drawMiddle(step);
    this.drawText(step, headline, more);
  }

  // Puts a seat at the near edge of the table; the others sit opposite, in turn from it.
  seatNear(near) {
    const [name] = this.felt.className.match(/near-\d/);
    if (name === `near-${near}`) return;
    this.felt.classList.replace(name, `near-${near}`);
    const inTurn = this.seats.map(
      (_, place, { length }) => this.seats[(near + place) % length].box,
    );
    this.felt.querySelector(".near").append(inTurn[0]);
    this.felt.querySelector(".far").append(...inTurn.slice(1));
  }

  drawSeat(view, number, step) {
    const seat = this.seats[number];
    seat.box.classList.toggle("to-act", step.seat === number);
    layCards(seat.hand, [...view.hand, ...Array(view.backs).fill("??")], this.deal.cards);
    this.drawGroups(seat.laid, view.laid, (group) => `${this.deal.names[number]}, ${group.words}`);
    for (const name of ["points", "total", "won"]) setText(seat[name], view[name] ?? "–");
    seat.unsure.hidden = !view.unsure;
    const gains = step.gains.filter((gain) => gain.seat === number);
    seat.box.classList.toggle("gains", gains.length > 0);
    this.rebuild(seat.gain, gains, (gain) => text("span", `+${gain.points} ${gain.words}`));
  }

  drawGroups(place, groups, label) {
    const lying = Map.groupBy([...place.children], (box) => box.getAttribute("aria-label"));
    arrange(
      place,
      groups.map((group) => {
        const box = lying.get(label(group))?.shift() ?? emptyGroup(label(group), group);
        box.className = `group of-${group.kind}`;
        layCards(box.firstElementChild, group.cards, this.deal.cards);
        return box;
      }),
    );
  }

  // Rebuilds the children of a container, but only if the values they are made from have changed.
  rebuild(container, values, make) {
    const key = JSON.stringify(values);
    if (this.shownValues.get(container) === key) return;
    this.shownValues.set(container, key);
    container.replaceChildren(...values.map(make));
  }

  drawMiddle(step) {
    const cards = this.deal.cards;
    const pile = step.turn_up ? [`${step.turn_up} turned`] : [];
    if (step.stock) pile.push("??");
    layCards(this.places.get("pile"), pile, cards, { tag: "span" });
    setText(this.places.get("stock"), step.stock);
    const trick = this.places.get("trick");
    if (trick)
      layCards(
        trick,
        step.centre.map(([, item]) => item),
        cards,
        { seats: step.centre.map(([seat]) => seat), names: this.deal.names },
      );
    const tableau = this.places.get("tableau");
    if (tableau) this.drawGroups(tableau, step.tableau, (pile) => `Pile of the ${pile.words}`);
    for (const name of ["heading", "phase", "out"]) setText(this.places.get(name), step[name]);
    this.drawTrump(step.trump);
  }

  drawTrump(trump) {
    const place = this.places.get("trump");
    if (place.dataset.trump === (trump ?? "")) return;
    const sign = document.querySelector(`template[data-trump-sign="${trump ?? ""}"]`);
    place.replaceChildren(sign.content.cloneNode(true));
    place.dataset.trump = trump ?? "";
  }

  drawText(step, headline, more) {
    const cards = this.deal.cards;
    setText(this.places.get("say"), headline || sentences(step));
    const happened = this.places.get("happened");
    if (happened) {
      setText(happened, more);
      happened.hidden = !more;
    }
    this.findings.forEach((shown) => {
      shown.hidden = !step.findings.includes(Number(shown.dataset.finding));
    });
    this.places.get("next").hidden = !step.turn;
    setText(this.places.get("turn"), step.turn);
    this.rebuild(this.places.get("plays"), oneOfEachFace(step.plays), (code) =>
      inlineCard(code, cards),
    );
    this.rebuild(this.places.get("options"), step.options, (option) => this.option(option));
  }

  option(option) {
    const line = text("li", `${option.words} `);
    line.append(...option.cards.map((code) => inlineCard(code, this.deal.cards)));
    if (option.points) {
      const points = text("b", option.points);
      points.className = "figure";
      line.append(" ", points);
    }
    if (option.ways > 1) line.append(` in ${option.ways} ways`);
    return line;
  }
}

// Players cannot tell copies apart: of the cards that look alike, one is named.
function oneOfEachFace(codes) {
  const faces = codes.map((code) => code.slice(0, 2));
  return codes.filter((_, index) => faces.indexOf(faces[index]) === index);
}

function text(tag, words) {
  const element = document.createElement(tag);
  element.textContent = words;
  return element;
}

// Setting the same text again would make the browser lay out the page again, and a screen reader say it twice.
function setText(element, words) {
  const wanted = String(words);
  if (element.textContent !== wanted) element.textContent = wanted;
}

function emptyGroup(label, group) {
  const box = document.createElement("div");
  box.className = "group";
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", label);
  const list = document.createElement("ul");
  list.className = "group-cards";
  const name = text("span", group.words);
  name.className = "group-name";
  name.setAttribute("aria-hidden", "true");
  box.append(list, name);
  return box;
}
