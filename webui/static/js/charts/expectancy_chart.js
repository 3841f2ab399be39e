// The chance of winning the match, trick by trick, under the score race.
import { CONFIG, layout, load, plain, token } from "./plotly.js";

const place = document.querySelector("[data-expectancy]");
let found = null;

function figure() {
  const base = layout();
  const color = token("series-1");
  const steps = found.chances.map((one) => one.step);
  const percents = found.chances.map((one) => 100 * one.chance);
  return [
    [{
      type: "scatter", mode: "lines+markers", x: steps, y: percents, name: plain(found.who),
      line: { color, width: 2 }, marker: { color, size: 4 }, fill: "tozeroy", fillcolor: color.replace("rgb(", "rgba(").replace(")", ", 0.15)"),
      customdata: found.chances.map((one) => one.near), hovertemplate: "%{y:.0f} %, %{customdata:.0f} states near<extra></extra>",
    }],
    {
      ...base, showlegend: false, dragmode: false, margin: { l: 44, r: 8, t: 8, b: 8 },
      xaxis: { ...base.xaxis, range: [0, Number(place.dataset.expectancy)], showticklabels: false, fixedrange: true, automargin: false },
      yaxis: { ...base.yaxis, range: [0, 100], tickvals: [0, 50, 100], ticksuffix: " %", fixedrange: true, automargin: false },
    },
  ];
}

async function draw() {
  const plotly = await load();
  const chances = place.querySelector("[data-chances]");
  chances.hidden = false;
  await plotly.react(chances, ...figure(), CONFIG);
  place.dataset.drawn = "";
}

function tell() {
  const words = place.querySelector("[data-expectancy-words]");
  if (!found.chances.length) {
    words.textContent = found.matches
      ? `Win expectancy needs ${found.enough} stored matches by these rules. There are ${found.matches}.`
      : "";
    place.hidden = !found.matches;
    return;
  }
  const percent = (one) => Math.round(100 * one.chance);
  const [first, last] = [found.chances[0], found.chances.at(-1)];
  words.textContent = `Win expectancy of ${found.who}: ${percent(first)} % at the start of the deal, ${percent(last)} % ${"held" in place.dataset ? "now" : "at its end"}. Estimated from ${found.matches.toLocaleString("en")} matches.`;
  words.title = found.caveat;
  draw();
}

async function ask() {
  const address = new URL("expectancy.json", `${location.origin}${location.pathname}/`);
  const until = new URLSearchParams(location.search);
  until.delete("step");
  address.search = until;
  const answer = await fetch(address);
  found = answer.ok ? await answer.json() : { chances: [], matches: 0 };
  tell();
}

// It waits until the panel is seen: behind a tab nothing is asked.
const seen = new IntersectionObserver(([entry]) => {
  if (!entry.isIntersecting) return;
  seen.disconnect();
  ask();
}, { rootMargin: "200px" });
if (place) {
  seen.observe(place);
  addEventListener("themechange", () => { if (found?.chances.length) draw(); });
}
