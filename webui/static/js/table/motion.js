// Moves cards visibly: notes where every card lay before a step, and slides those that lie elsewhere after it. Cards
// still on their way are stopped where they were noted, before the table changes: stopped after it, they would make the
// browser lay out the page a second time.
const prefersStill = matchMedia("(prefers-reduced-motion: reduce)");
const SLIDE_TIME = 160; // milliseconds
const running = [];

export function cardPositions(felt) {
  if (prefersStill.matches || "still" in document.documentElement.dataset) return null;
  const places = new Map();
  for (const [element, zone] of cardsOn(felt)) {
    const code = element.dataset.card;
    if (!places.has(code)) places.set(code, []);
    places.get(code).push({ zone, box: element.getBoundingClientRect() });
  }
  const pile = felt.querySelector("[data-pile]").getBoundingClientRect();
  for (const motion of running.splice(0)) motion.cancel();
  return { places, pile };
}

export function slideCards(felt, before) {
  if (!before) return;
  const moved = [];
  for (const [element, zone] of cardsOn(felt)) {
    if (zone.startsWith("pile")) continue;
    const from =
      takePosition(before.places.get(element.dataset.card), zone) ?? stockPosition(element, before);
    if (from) moved.push([element, from, element.getBoundingClientRect()]);
  }
  for (const [element, from, to] of moved) slide(element, from, to);
}

// Where a card lay: preferably a copy in the same zone, otherwise any copy.
function takePosition(copies, zone) {
  if (!copies?.length) return null;
  const same = copies.findIndex((copy) => copy.zone === zone);
  return copies.splice(Math.max(same, 0), 1)[0].box;
}

// A card that lay nowhere on the table comes from the stock.
function stockPosition(element, before) {
  return element.closest("[data-hand]") ? before.pile : null;
}

function slide(element, from, to) {
  const x = from.left - to.left;
  const y = from.top - to.top;
  if (Math.abs(x) + Math.abs(y) < 2) return;
  const scale = from.height && to.height ? Math.min(2, Math.max(0.5, from.height / to.height)) : 1;
  running.push(
    element.animate(
      [
        {
          transform: `translate(${x}px, ${y}px) scale(${scale})`,
          transformOrigin: "0 0",
          zIndex: 3,
        },
        { transform: "none", transformOrigin: "0 0", zIndex: 3 },
      ],
      { duration: SLIDE_TIME, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" },
    ),
  );
}

// Every card with the name of the zone in which it lies.
function* cardsOn(felt) {
  for (const zone of felt.querySelectorAll(
    "[data-hand], [data-laid], [data-trick], [data-tableau], [data-pile]",
  )) {
    const name = ["pile", "trick", "tableau", "hand", "laid"].find((kind) => kind in zone.dataset);
    for (const element of zone.querySelectorAll("[data-card]"))
      yield [element, `${name} ${zone.dataset[name]}`];
  }
}
