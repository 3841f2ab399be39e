// Where the deal was heading, under the score race: the lead at its end with best play from every step on.
import { CONFIG, layout, load, plain, token } from "./plotly.js";

const place = document.querySelector("[data-outlook]");
const review = JSON.parse(document.getElementById("review").textContent);

function figure() {
  const base = layout();
  const color = token("series-1");
  const leads = review.outlook.map(([, lead]) => lead);
  return [
    [{
      type: "scatter", mode: "lines+markers", x: review.outlook.map(([step]) => step), y: leads, name: plain(review.who),
      line: { shape: "hv", color, width: 2 }, marker: { color, size: 5 }, hovertemplate: "%{y:+}<extra></extra>",
    }],
    {
      ...base, showlegend: false, dragmode: false, margin: { l: 44, r: 8, t: 8, b: 8 },
      xaxis: { ...base.xaxis, range: [0, Number(place.dataset.outlook)], showticklabels: false, fixedrange: true, automargin: false },
      yaxis: { ...base.yaxis, nticks: 4, range: [Math.min(...leads) - 15, Math.max(...leads) + 15], fixedrange: true, automargin: false, tickformat: "+d" },
    },
  ];
}

async function draw() {
  const plotly = await load();
  await plotly.react(place.querySelector("[data-outlook-line]"), ...figure(), CONFIG);
  place.dataset.drawn = "";
}

// Where nobody lost anything, the line is level: words say it.
const levels = new Set(review.outlook.map(([, lead]) => lead));
if (levels.size === 1) {
  const [level] = levels;
  place.hidden = false;
  place.querySelector("[data-outlook-line]").hidden = true;
  place.querySelector("p").textContent = `Nothing was lost after the close: ${review.who}’s lead at the end, ${level < 0 ? "−" : "+"}${Math.abs(level)}, was settled at its start.`;
} else if (levels.size) {
  place.hidden = false;
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    seen.disconnect();
    draw();
  }, { rootMargin: "200px" });
  seen.observe(place);
  addEventListener("themechange", () => { if (place.dataset.drawn !== undefined) draw(); });
}
