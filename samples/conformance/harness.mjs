// A harness for a program in JavaScript. This one settles deals; add `validate` and what else yours can do.
// Try it: bezique conform run -- node harness.mjs
import { createInterface } from "node:readline";

const RULES = { "rubicon-bezique": 1000, "rubicon-bezique-recommended": 1000 }; // the rubicon of each sheet

function settle({ sheet, points, brisques }) {
  const rubicon = RULES[sheet], counted = points.map((n, seat) => n + brisques[seat]);
  const tie = points[0] === points[1], low = (n) => (n[0] < n[1] ? 0 : 1);
  let totals = tie ? counted : points;
  if (totals[0] === totals[1]) return { totals, receives: [0, 0], winner: null };
  const saved = !tie && totals[low(totals)] < rubicon && counted[low(totals)] >= rubicon;
  if (saved) totals = counted;
  if (totals[0] === totals[1]) return { totals, receives: [0, 0], winner: null };
  const loser = low(totals), rubiconed = !saved && totals[loser] < rubicon;
  const [won, lost] = [1 - loser, loser].map((seat) => Math.floor((rubiconed ? points : totals)[seat] / 100) * 100);
  const receives = [0, 0];
  receives[1 - loser] = rubiconed ? 1000 + won + lost : 500 + won - lost;
  return { totals, receives, winner: 1 - loser };
}

const answers = { settle };
const hello = { protocol: "1.0", program: "settling", asks: Object.keys(answers), sheets: Object.keys(RULES),
  levels: ["full"], features: [], detail: "right" };

for await (const line of createInterface({ input: process.stdin })) {
  const { seq, ask, given } = JSON.parse(line);
  const answer = ask === "hello" ? hello : answers[ask] ? answers[ask](given) : { skip: "not known" };
  console.log(JSON.stringify({ seq, ...answer }));
}
