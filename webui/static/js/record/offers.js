// What may be shown now: melds, sevens, carte blanche. Where there are many, those of one name stand behind one button; then
// cards are chosen until one of them is left.
import { button, cardButton, cardSigns } from "./pack.js";

const MOST_SINGLY = 8;
const NEAR = 24;
const SECOND_TAP = 400;
const UNCHECKED = "may have scored already: checked when you tap it";

export class Offers {
  constructor(list, take, light) {
    Object.assign(this, { list, take, light, names: [] });
    list.addEventListener("click", (event) => this.passSecondTap(event), true);
    // A tap elsewhere, as on a card, ends the pair.
    document.addEventListener("click", ({ target }) => this.forgetTap(target), true);
  }

  // The second of two quick taps at one place means what the first did, though another button stands there by now.
  passSecondTap(event) {
    const { clientX, clientY, timeStamp, target, detail } = event;
    const first = this.tapped;
    this.tapped = { clientX, clientY, timeStamp, target };
    if (!detail || !first || first.target.isConnected) return;
    const isNear = Math.hypot(clientX - first.clientX, clientY - first.clientY) < NEAR;
    if (isNear && timeStamp - first.timeStamp < SECOND_TAP) event.stopPropagation();
  }

  forgetTap(target) {
    if (!this.list.contains(target)) this.tapped = null;
  }

  // What is the same stays as it is, under a finger that taps it.
  draw(choices, names) {
    const drawn = JSON.stringify([choices, names]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.show(choices, names);
  }

  show(choices, names) {
    Object.assign(this, { choices, names, opened: null });
    const lines = isLong(choices) ? this.groups() : choices.map((each) => this.whole(each));
    this.list.replaceChildren(...lines.map(inLine));
  }

  whole(choice) {
    const points = choice.points ? `: ${choice.points}` : "";
    return this.chosen(choice.words.replace(/\.$/, "") + points, choice);
  }

  chosen(text, choice) {
    const words = choice.unchecked ? `${text} (${UNCHECKED})` : text;
    // The second click of two at once means the same meld.
    const made = button(words, ({ detail }) => detail < 2 && this.take(choice.events));
    made.dataset.cards = choice.cards.toSorted().join(" ");
    return made;
  }

  groups() {
    const groups = new Map();
    for (const choice of this.choices) {
      const key = `${choice.seat} ${choice.group}`;
      groups.set(key, [...(groups.get(key) ?? []), choice]);
    }
    return [...groups.values()].flatMap((choices) => {
      const [first] = choices;
      if (!first.group) return choices.map((each) => this.whole(each));
      const words = [first.group, pointsOf(choices)].join(" ");
      const made =
        choices.length === 1 && !first.size
          ? this.chosen(words, first)
          : button(`${words} …`, () => this.open(choices, [], { focus: true }));
      made.setAttribute("aria-label", `${this.names[first.seat]}: ${words}`);
      made.dataset.group = first.group;
      return [made];
    });
  }

  // Asks for as many cards as a meld has, whichever they are: they are tapped in the pack, or typed.
  name(group, picked) {
    const open = group.find(({ size }) => size);
    const [event] = open.events;
    if (picked.length === open.size) return this.take([{ ...event, cards: picked }]);
    this.opened = { group, picked, next: null };
    const line = document.createElement("span");
    const left = open.size - picked.length;
    line.textContent = `${this.names[open.seat]}, ${open.group}: ${cardSigns(picked)} tap ${left} more in the pack`;
    line.setAttribute("role", "status");
    this.light({ all: true });
    this.list.replaceChildren(...[line, this.back(open.group)].map(inLine));
  }

  back(group) {
    return button("Back", () => {
      this.show(this.choices, this.names);
      this.light({ all: false });
      this.list.querySelector(`[data-group="${group}"]`)?.focus();
    });
  }

  // Asks for the cards of a group, of which some are picked. What all that is left have in common is picked, too.
  open(group, wanted, { focus }) {
    if (group.some(({ size }) => size)) return this.name(group, wanted);
    const left = group.filter(({ cards }) => rest(cards, wanted) !== null);
    if (left.length === 1) return this.take(left[0].events);
    const picked = left.map(({ cards }) => cards).reduce(common);
    this.opened = {
      group,
      picked,
      next: new Set(left.flatMap(({ cards }) => rest(cards, picked))),
    };
    const line = document.createElement("span");
    line.textContent = `${this.names[left[0].seat]}, ${left[0].group}: ${cardSigns(picked)} which cards?`;
    const singly = left.length <= MOST_SINGLY || !this.opened.next.size;
    const answers = singly
      ? left.map((each) => this.exact(each, left))
      : this.further(left, picked);
    this.list.replaceChildren(...[line, ...answers, this.back(left[0].group)].map(inLine));
    if (focus) answers[0].focus();
  }

  exact(choice, left) {
    const same = left.filter(({ cards }) => rest(cards, choice.cards) !== null).length > 1;
    const words = same ? choice.words : cardSigns(choice.cards);
    const points = pointsOf(left).includes("–") ? ` ${choice.points}` : "";
    return this.chosen(words + points, choice);
  }

  further(left, picked) {
    const cards = [...this.opened.next].map((card) => {
      const made = cardButton(card, () => this.pick(card));
      made.classList.add("lit");
      delete made.dataset.card; // the pack has the card of this name
      made.dataset.pick = card;
      return made;
    });
    const done = left.find((choice) => choice.cards.length === picked.length);
    return done ? [...cards, this.chosen("No more", done)] : cards;
  }

  // Takes a card for the group that is open; false if there is none, or the card does not belong to it.
  pick(card) {
    if (!this.opened || (this.opened.next && !this.opened.next.has(card))) return false;
    this.open(this.opened.group, [...this.opened.picked, card], { focus: true });
    return true;
  }
}

const isLong = (choices) => choices.length > MOST_SINGLY || choices.some(({ size }) => size);

function inLine(content) {
  const line = document.createElement("li");
  line.append(content);
  return line;
}

function pointsOf(choices) {
  const points = choices.map((each) => each.points);
  const [least, most] = [Math.min(...points), Math.max(...points)];
  if (!most) return "";
  return least === most ? String(most) : `${least}–${most}`;
}

// The cards without some of them; null if these are not all among them.
function rest(cards, wanted) {
  const left = [...cards];
  for (const card of wanted) {
    const at = left.indexOf(card);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

function common(cards, others) {
  const left = [...others];
  return cards.filter((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
