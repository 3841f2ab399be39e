// Small still pictures of the questions' charts, each drawn when it scrolls into view.
import { CONFIG, arrangePanels, colourFigure, eachAxis, loadPlotly } from "./plotly.js";

const BARE_AXIS = {
  showticklabels: false,
  showgrid: false,
  zeroline: false,
  title: { text: "" },
  ticks: "",
  automargin: false,
};

// A bar is no thicker than this: a lonely one that fills its picture looks like a great number.
const THICKEST_BAR = 28;

function barGap(place, data, layout) {
  const labels = new Set(
    data.filter((trace) => trace.orientation === "h").flatMap((trace) => trace.y),
  );
  if (!labels.size || layout.meta?.panels) return layout.bargap;
  return Math.max(layout.bargap, 1 - (labels.size * THICKEST_BAR) / place.clientHeight);
}

async function draw(place) {
  const [plotly, answer] = await Promise.all([loadPlotly(), fetch(place.dataset.thumbnail)]);
  const figure = answer.ok ? await answer.json() : null;
  if (!figure) {
    place.textContent = place.dataset.empty;
    return;
  }
  const { data, layout } = colourFigure(figure);
  await plotly.react(
    place,
    data,
    {
      ...layout,
      ...(layout.meta?.panels
        ? arrangePanels(layout, Math.ceil(Math.sqrt(layout.meta.panels)), { xgap: 0.2 })
        : {}),
      annotations: [],
      bargap: barGap(place, data, layout),
      height: undefined,
      title: { text: "" },
      showlegend: false,
      margin: { l: 4, r: 4, t: 4, b: 4 },
      ...eachAxis(layout, (axis) => ({ ...axis, ...BARE_AXIS })),
    },
    { ...CONFIG, staticPlot: true },
  );
  place.dataset.drawn = "";
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      observer.unobserve(entry.target);
      draw(entry.target);
    }
  },
  { rootMargin: "200px" },
);

const places = [...document.querySelectorAll("[data-thumbnail]")];
places.forEach((place) => observer.observe(place));
addEventListener("themechange", () =>
  places.filter((place) => "drawn" in place.dataset).forEach(draw),
);
