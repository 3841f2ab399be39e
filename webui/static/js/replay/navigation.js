// Where every way through a deal leads from a step. The steps say what is a choice, a meld, a finding, the
// record where it has notes, a review what was a mistake (one step before it) and what was missed.
export function waysOf(deal, review) {
  const { steps } = deal;
  const last = steps.length - 1;
  const all = steps.map((_, number) => number);
  const stops = {
    trick: all.filter((n) => n === 0 || steps[n].trick !== steps[n - 1].trick),
    choice: all.filter((n) => steps[n].choice),
    meld: all.filter((n) => steps[n].named.length > 1),
    finding: all.filter((n) => steps[n].findings.length),
    note: [...deal.margin.notes, ...deal.margin.lines].map((note) => note.step).sort((a, b) => a - b),
    ...(review && { mistake: review.mistakes.filter((n) => n <= last), miss: review.misses.filter((n) => n <= last) }),
  };
  const ways = {
    first: () => 0,
    back: (now) => Math.max(now - 1, 0),
    on: (now) => Math.min(now + 1, last),
    last: () => last,
  };
  for (const [name, at] of Object.entries(stops)) {
    ways[`${name}-back`] = (now) => at.findLast((n) => n < now) ?? (name === "trick" ? 0 : now);
    ways[`${name}-on`] = (now) => at.find((n) => n > now) ?? (name === "trick" ? last : now);
  }
  return ways;
}

export const KEYS = {
  Home: "first", End: "last", ArrowLeft: "back", ArrowRight: "on", ArrowUp: "trick-back", ArrowDown: "trick-on",
  d: "choice-on", D: "choice-back", m: "meld-on", M: "meld-back", f: "finding-on", F: "finding-back",
  n: "note-on", N: "note-back", e: "mistake-on", E: "mistake-back", l: "miss-on", L: "miss-back",
};

export const PACES = { p: "walk", r: "real" };

// Keys that follow a link of the page, by the link.
export const LINKS = {
  PageUp: '[data-go="deal-back"]', PageDown: '[data-go="deal-on"]', t: '[data-look="turn"]', w: '[data-look="what-if"]',
  h: '[data-look="hide"], [data-look="show"]', 0: '[data-look="see-all"]', 1: '[data-look="see-0"]',
  2: '[data-look="see-1"]', 3: '[data-look="see-2"]', 4: '[data-look="see-3"]', 5: '[data-look="see-4"]', 6: '[data-look="see-5"]',
};
