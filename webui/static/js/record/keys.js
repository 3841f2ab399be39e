// Cards by two keys, the rank and the suit in either order; `?` alone is a card that nobody knows.
const SUITS = "SHDC";
const RANK_KEYS = { 1: "T", 0: "T" };

// The letter that is printed on the key, or where the keyboard has no Latin letters, the one at its place. Digits are by
// their place: some keyboards have them only with Shift.
function letter({ key, code }) {
  if (key === "?") return "?";
  if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase();
  return code.match(/^(?:Key|Digit|Numpad)([A-Z0-9])$/)?.[1] ?? "";
}

// What is typed with one more key: a card, the first half of one, or null if the key means nothing here.
export function typedCard(typed, event, ranks) {
  const given = letter(event);
  if (!given) return null;
  if (given === "?") return "??";
  const rank = RANK_KEYS[given] ?? given;
  if (SUITS.includes(given)) return typed && !SUITS.includes(typed) ? typed + given : given;
  if (!ranks.includes(rank)) return null;
  return typed && SUITS.includes(typed) ? rank + typed : rank;
}
