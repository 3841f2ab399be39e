// What the page asks before it takes a step: from where a card comes, whether a breach really happened, who plays.
import { button, cardWords, UNSEEN } from "./pack.js";

const STOPS = "After this the deal cannot go on: nobody can say any more who holds what.";
const ASKED = "Was another card meant, or is a card before it wrong?";

export class Questions {
  constructor(box) {
    this.box = box;
  }

  ask(words, answers) {
    const line = document.createElement("p");
    line.textContent = words;
    const made = answers.map(([text, act]) =>
      button(text, () => {
        this.box.hidden = true;
        act();
      }),
    );
    this.box.replaceChildren(line, ...made);
    this.box.hidden = false;
    made[0].focus();
  }

  nothing() {
    this.box.hidden = true;
    this.box.replaceChildren();
  }

  place(choices, take) {
    const answers = choices.map(({ words, events }) => [words, () => take(events)]);
    this.ask("From where?", [...answers, ["Cancel", () => {}]]);
  }

  // What is wrong with an event that somebody entered. Of one that ends the deal, to take it is the last answer.
  breach(event, name, breaches, { take, undo }) {
    const { type, card } = event;
    const what = card && card !== UNSEEN ? `${type} the ${cardWords(card)}` : "do this";
    const words = [
      `The rules do not let ${name} ${what} now.`,
      ...breaches.map((each) => each.message),
    ];
    if (!breaches.some(({ stops }) => stops))
      return this.ask(words.join(" "), [
        ["It really happened so", take],
        ["Cancel", () => {}],
      ]);
    this.ask([...words, STOPS, ASKED].join(" "), answersTo(take, undo));
  }

  // What is wrong with a card that is dealt once more.
  dealtBefore(breaches, { take, undo }) {
    const words = breaches.map((each) => each.message);
    this.ask([...words, ASKED].join(" "), answersTo(take, undo));
  }

  // Without the server nobody says whose turn it is.
  who(names, next) {
    const lines = names.map((name, seat) => {
      const label = document.createElement("label");
      const input = document.createElement("input");
      Object.assign(input, { type: "radio", name: "who", value: seat, checked: seat === next });
      label.append(input, ` ${name} plays`);
      return label;
    });
    this.box.replaceChildren(...lines);
    this.box.hidden = false;
  }
}

// Where another card may be meant, to take the one that was tapped is the last answer.
const answersTo = (take, undo) => [
  ["Enter another card", () => {}],
  ["Take back the step before", undo],
  ["It really happened so", take],
];
