// Where each button and key leads from a step: a function from the step shown to the next one, by the name of
// the button. The steps say which of them are choices, melds and findings, the record where its notes are, a review
// where mistakes and missed chances are (one step before them).
export function navigationTargets(deal, review) {
  const { steps } = deal;
  const last = steps.length - 1;
  const all = steps.map((_, number) => number);
  const stops = {
    trick: all.filter((n) => n === 0 || steps[n].trick !== steps[n - 1].trick),
    choice: all.filter((n) => steps[n].choice),
    meld: all.filter((n) => steps[n].named.length > 1),
    finding: all.filter((n) => steps[n].findings.length),
    note: [...deal.margin.notes, ...deal.margin.lines]
      .map((note) => note.step)
      .sort((a, b) => a - b),
    ...(review && {
      mistake: review.mistakes.filter((n) => n <= last),
      miss: review.misses.filter((n) => n <= last),
    }),
  };
  const targets = {
    first: () => 0,
    back: (shown) => Math.max(shown - 1, 0),
    on: (shown) => Math.min(shown + 1, last),
    last: () => last,
  };
  // Beyond the last stop a key stays where it is, but from the last trick it goes to the end of the deal.
  for (const [name, steps] of Object.entries(stops)) {
    const isTrick = name === "trick";
    targets[`${name}-back`] = (shown) => steps.findLast((n) => n < shown) ?? (isTrick ? 0 : shown);
    targets[`${name}-on`] = (shown) => steps.find((n) => n > shown) ?? (isTrick ? last : shown);
  }
  return targets;
}

// Whether a link leads on: at the end of the deal it stays, greyed out.
export function markEnd(link, isEnd) {
  link.toggleAttribute("data-end", isEnd);
  if (isEnd) link.setAttribute("aria-disabled", "true");
  else link.removeAttribute("aria-disabled");
}

// What a key is called in the lists below. A letter is what stands on the key, or on keyboards of other scripts what stands
// there on a Latin one; it is small unless Shift is held, whatever Caps Lock says.
export function keyName({ key, code = "", shiftKey }) {
  const letter = /^[a-z]$/i.test(key) ? key : code.match(/^Key([A-Z])$/)?.[1];
  if (letter) return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
  if (key === "?" || (shiftKey && code === "Slash")) return "?";
  return code.match(/^(?:Digit|Numpad)([0-9])$/)?.[1] ?? key;
}

// Keys that lead to a step.
export const KEYS = {
  Home: "first",
  End: "last",
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "trick-back",
  ArrowDown: "trick-on",
  d: "choice-on",
  D: "choice-back",
  m: "meld-on",
  M: "meld-back",
  f: "finding-on",
  F: "finding-back",
  n: "note-on",
  N: "note-back",
  e: "mistake-on",
  E: "mistake-back",
  l: "miss-on",
  L: "miss-back",
};

// Keys that start and stop autoplay.
export const PACES = { p: "walk", r: "real" };

// Keys that follow a link of the page.
export const LINKS = {
  PageUp: '[data-go="deal-back"]',
  PageDown: '[data-go="deal-on"]',
  t: '[data-view="turn"]',
  w: '[data-view="what-if"]',
  h: '[data-view="hide"], [data-view="show"]',
  0: '[data-view="see-all"]',
  1: '[data-view="see-0"]',
  2: '[data-view="see-1"]',
  3: '[data-view="see-2"]',
  4: '[data-view="see-3"]',
  5: '[data-view="see-4"]',
  6: '[data-view="see-5"]',
};
