// A card as templates/_card.html draws it. An item is a card and its marks: "QS legal".
const SVG = "http://www.w3.org/2000/svg";
const MARKS = { legal: ", may be played", half: ", in hand or on the table" };

export function card(item, known, { tag = "li", seat = "" } = {}) {
  const [code, ...marks] = item.split(" ");
  const element = document.createElement(tag);
  element.className = ["card", ...marks].join(" ");
  element.dataset.card = code;
  if (seat !== "") element.dataset.seat = seat;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 60 84");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", known[code][0] + marks.map((mark) => MARKS[mark] ?? "").join(""));
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#c-${code.slice(0, 2).replaceAll("?", "x")}`);
  svg.append(use);
  element.append(svg);
  return element;
}

// A card in a line of text: Q♠.
export function small(code, known) {
  const [words, sign] = known[code];
  const element = document.createElement("span");
  element.className = `sign suit-${code[1].replace("?", "x")}`;
  element.setAttribute("aria-label", words);
  element.setAttribute("role", "img");
  element.textContent = sign;
  return element;
}
