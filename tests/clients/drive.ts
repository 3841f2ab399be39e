// What a program in TypeScript does with the types that openapi-typescript has written, and openapi-fetch: everything
// from upload to deletion. `node drive.js ADDRESS RECORD` runs it, once tsc has checked and translated it.
import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./generated.js";

type Sent = components["schemas"]["Record"];

const [address, file] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: address });
const text = readFileSync(file, "utf8");
const record: Sent = JSON.parse(text);

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

function found<T>(answer: { data?: T; error?: unknown }): T {
  check(answer.data !== undefined, JSON.stringify(answer.error));
  return answer.data;
}

const judged = found(await client.POST("/api/v1/validate", { body: record }));
check(typeof judged !== "string" && judged.verdict === "legal", "legal");

const upload = found(
  await client.POST("/api/v1/games", { body: record, params: { query: { reports: true } } }),
);
check("records" in upload, "stored at once");
const { digest, report } = upload.records[0];
check(typeof digest === "string" && report?.verdict === "legal", "stored with a report");
const path = { digest };

const list = found(await client.GET("/api/v1/games", { params: { query: { sheet: "bezique" } } }));
check(list.games.some((game) => game.digest === digest), "listed");
const kept = found(await client.GET("/api/v1/games/{digest}/record", { params: { path } }));
check(JSON.stringify(kept) === JSON.stringify(record), "the record as it was sent");
const judgement = found(await client.GET("/api/v1/games/{digest}/report", { params: { path } }));
check((judgement.findings ?? []).length === 0, "no findings");

const deal = { path: { digest, deal: 1 } };
const here = found(
  await client.GET("/api/v1/games/{digest}/deals/{deal}/position", {
    params: { ...deal, query: { step: 0 } },
  }),
);
const other = here.choices.find((choice) => !choice.recorded)?.event;
check(other !== undefined && other.type === "play", "another card");
const card: components["schemas"]["Card"] = other.card;
const tried = found(
  await client.POST("/api/v1/games/{digest}/deals/{deal}/what-if", {
    params: deal,
    body: { step: 0, events: [other], finish: false },
  }),
);
check(tried.events[0].type === "play" && tried.events[0].card === card, "what if");

let job = found(
  await client.POST("/api/v1/games/{digest}/review", {
    params: { path },
    body: { width: "exact", seed: 0, least: 20 },
  }),
);
for (let i = 0; i < 600 && (job.state === "waiting" || job.state === "running"); i++) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  job = found(await client.GET("/api/v1/games/{digest}/review/job", { params: { path } }));
}
const review = found(await client.GET("/api/v1/games/{digest}/review", { params: { path } }));
check(review.deals.some((each) => each.decisions.length > 0), "decisions");

const points = found(
  await client.GET("/api/v1/statistics/{name}", { params: { path: { name: "points_by_source" } } }),
);
const cells: (string | number | boolean | null)[] = points.rows.flat();
check(cells.length === points.rows.length * points.columns.length, "statistics");
const answer = found(
  await client.POST("/api/v1/sql", { body: { sql: "SELECT sheet, count(*) AS games FROM games GROUP BY ALL" } }),
);
check(JSON.stringify(answer.rows) === '[["bezique",1]]', "SQL");

const deleted = await client.DELETE("/api/v1/games/{digest}", { params: { path } });
check(deleted.response.status === 204, "deleted");
const gone = await client.GET("/api/v1/games/{digest}", { params: { path } });
check(gone.error?.status === 404, "gone");
