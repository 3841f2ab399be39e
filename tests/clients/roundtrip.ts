// Read and write every document with the types that quicktype has written: `node roundtrip.js DOCUMENTS`, beside
// generated.ts. A document must come back as it was; quicktype leaves the order of members open.
import { readFileSync } from "node:fs";
import { Convert } from "./generated.js";

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, ordered(each)]));
}

for (const document of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
  const written = Convert.documentToJson(Convert.toDocument(JSON.stringify(document)));
  const [one, other] = [JSON.parse(written), document].map((each) => JSON.stringify(ordered(each)));
  if (one !== other) throw new Error(`${one.slice(0, 300)} is not ${other.slice(0, 300)}`);
}
