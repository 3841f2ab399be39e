// A card as templates/_card.html draws it. An item is a card and its marks: "QS legal".
const SVG = "http://www.w3.org/2000/svg";
const MARKS = {
  legal: ", may be played",
  half: ", position uncertain: in the hand or on the table",
  either: ", position uncertain: in this meld or in another",
  won: ", takes the trick",
  pointed: ", pointed at",
};

function newCard(tag, code) {
  const element = document.createElement(tag);
  element.className = "card";
  element.dataset.card = code;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 60 84");
  svg.setAttribute("role", "img");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#c-${code.slice(0, 2).replaceAll("?", "x")}`);
  svg.append(use);
  element.append(svg);
  return element;
}

function applyMarks(element, item, known, by) {
  const [code, ...marks] = item.split(" ");
  const classes = ["card", ...marks].join(" ");
  const words =
    known[code][0] +
    marks.map((mark) => MARKS[mark] ?? "").join("") +
    (by ? `, played by ${by}` : "");
  if (element.className !== classes) element.className = classes;
  const svg = element.firstElementChild;
  if (svg.getAttribute("aria-label") !== words) svg.setAttribute("aria-label", words);
}

// Lays cards in a container, each with the seat that played it if that matters. A card that stays keeps its
// element: drawing a new one takes the browser longer than all the rest of a step.
export function layCards(container, items, known, { tag = "li", seats = [], names = [] } = {}) {
  const name = (code, seat) => `${code} ${seat ?? ""}`;
  const lying = Map.groupBy([...container.children], ({ dataset }) =>
    name(dataset.card, dataset.seat),
  );
  const wanted = items.map((item, number) => {
    const [code] = item.split(" ");
    const element = lying.get(name(code, seats[number]))?.shift() ?? newCard(tag, code);
    if (seats[number] !== undefined) element.dataset.seat = seats[number];
    applyMarks(element, item, known, names[seats[number]]);
    return element;
  });
  arrange(container, wanted);
}

// Makes these elements the children of a container, and moves none that is already in its place.
export function arrange(container, wanted) {
  const staying = new Set(wanted);
  for (const child of [...container.children]) if (!staying.has(child)) child.remove();
  let next = container.firstElementChild;
  for (const element of wanted) {
    if (element === next) next = next.nextElementSibling;
    else container.insertBefore(element, next);
  }
}

// A card in a line of text: Q♠.
export function inlineCard(code, known) {
  const [words, sign] = known[code];
  const element = document.createElement("span");
  element.className = `sign suit-${code[1].replace("?", "x")}`;
  element.setAttribute("aria-label", words);
  element.setAttribute("role", "img");
  element.textContent = sign;
  return element;
}
