// The outlook under the score race: the lead at the end of the deal with best play from each step on.
import { CONFIG, baseLayout, escapeMarkup, loadPlotly, tokenColour } from "./plotly.js";

export function showOutlook(review, signal) {
  const place = document.querySelector("[data-outlook]");

  function figure() {
    const base = baseLayout();
    const color = tokenColour("series-1");
    const leads = review.outlook.map(([, lead]) => lead);
    return [
      [
        {
          type: "scatter",
          mode: "lines+markers",
          x: review.outlook.map(([step]) => step),
          y: leads,
          name: escapeMarkup(review.who),
          line: { shape: "hv", color, width: 2 },
          marker: { color, size: 5 },
          hovertemplate: "%{y:+}<extra></extra>",
        },
      ],
      {
        ...base,
        showlegend: false,
        dragmode: false,
        margin: { l: 44, r: 8, t: 8, b: 8 },
        xaxis: {
          ...base.xaxis,
          range: [0, Number(place.dataset.outlook)],
          showticklabels: false,
          fixedrange: true,
          automargin: false,
        },
        yaxis: {
          ...base.yaxis,
          nticks: 4,
          range: [Math.min(...leads) - 15, Math.max(...leads) + 15],
          fixedrange: true,
          automargin: false,
          tickformat: "+d",
        },
      },
    ];
  }

  async function draw() {
    const plotly = await loadPlotly();
    await plotly.react(place.querySelector("[data-outlook-line]"), ...figure(), CONFIG);
    place.dataset.drawn = "";
  }

  // If nobody lost anything the line is level, and a sentence says more than a chart.
  const levels = new Set(review.outlook.map(([, lead]) => lead));
  if (levels.size === 1) {
    const [level] = levels;
    place.hidden = false;
    place.querySelector("[data-outlook-line]").hidden = true;
    place.querySelector("p").textContent =
      `No points were lost after the close: ${review.who}’s lead at the end of the deal, ${level < 0 ? "−" : level > 0 ? "+" : ""}${Math.abs(level)}, was decided at the close.`;
  } else if (!levels.size) {
    document.querySelector('[data-show-figure="outlook"]').remove();
  } else {
    place.hidden = false;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry.isIntersecting) return;
        observer.disconnect();
        draw();
      },
      { rootMargin: "200px" },
    );
    observer.observe(place);
    addEventListener(
      "themechange",
      () => {
        if (place.dataset.drawn !== undefined) draw();
      },
      { signal },
    );
    signal.addEventListener("abort", () => observer.disconnect());
  }
}
