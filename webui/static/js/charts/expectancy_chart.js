// Win expectancy, trick by trick, under the score race.
import { CONFIG, baseLayout, escapeMarkup, loadPlotly, tokenColour } from "./plotly.js";

const place = document.querySelector("[data-expectancy]");
let expectancy = null;

function figure() {
  const base = baseLayout();
  const color = tokenColour("series-1");
  const steps = expectancy.chances.map((each) => each.step);
  const percents = expectancy.chances.map((each) => 100 * each.chance);
  return [
    [{
      type: "scatter", mode: "lines+markers", x: steps, y: percents, name: escapeMarkup(expectancy.who),
      line: { color, width: 2 }, marker: { color, size: 4 }, fill: "tozeroy", fillcolor: color.replace("rgb(", "rgba(").replace(")", ", 0.15)"),
      customdata: expectancy.chances.map((each) => each.near), hovertemplate: "%{y:.0f} %, %{customdata:.0f} similar positions<extra></extra>",
    }],
    {
      ...base, showlegend: false, dragmode: false, margin: { l: 44, r: 8, t: 8, b: 8 },
      xaxis: { ...base.xaxis, range: [0, Number(place.dataset.expectancy)], showticklabels: false, fixedrange: true, automargin: false },
      yaxis: { ...base.yaxis, range: [0, 100], tickvals: [0, 50, 100], ticksuffix: " %", fixedrange: true, automargin: false },
    },
  ];
}

async function draw() {
  const plotly = await loadPlotly();
  const chances = place.querySelector("[data-chances]");
  chances.hidden = false;
  await plotly.react(chances, ...figure(), CONFIG);
  place.dataset.drawn = "";
}

function describe() {
  const words = place.querySelector("[data-expectancy-words]");
  if (!expectancy.chances.length) {
    words.textContent = expectancy.matches
      ? `Win expectancy needs ${expectancy.enough} stored matches by these rules. There are ${expectancy.matches}.`
      : "";
    place.hidden = !expectancy.matches;
    return;
  }
  const percent = (each) => Math.round(100 * each.chance);
  const [first, last] = [expectancy.chances[0], expectancy.chances.at(-1)];
  words.textContent = `Win expectancy of ${expectancy.who}: ${percent(first)} % at the start of the deal, ${percent(last)} % ${"laterHidden" in place.dataset ? "now" : "at its end"}. Estimated from ${expectancy.matches.toLocaleString("en")} matches.`;
  words.title = expectancy.caveat;
  draw();
}

async function request() {
  const address = new URL("expectancy.json", `${location.origin}${location.pathname}/`);
  const query = new URLSearchParams(location.search);
  query.delete("step");
  address.search = query;
  const answer = await fetch(address);
  expectancy = answer.ok ? await answer.json() : { chances: [], matches: 0 };
  describe();
}

// Nothing is requested until the panel can be seen: it may stay behind a tab.
const observer = new IntersectionObserver(([entry]) => {
  if (!entry.isIntersecting) return;
  observer.disconnect();
  request();
}, { rootMargin: "200px" });
if (place) {
  observer.observe(place);
  addEventListener("themechange", () => { if (expectancy?.chances.length) draw(); });
}
