// The questions with their answers in one rulebook: which one is kept on the device.
import { whenNear, wrapText } from "./chart.js";
import { CONFIG, colourFigure, eachAxis, loadPlotly } from "./plotly.js";

const KEPT = "rulebook";
// A bar is no thicker than this: a lonely one that fills its plot looks like a great number.
const THICKEST_BAR = 28;
const PLOT_HEIGHT = 150;
const chosen = document.querySelector("[data-rulebook]");
const cards = [...document.querySelectorAll("[data-insight]")];
const figures = new Map();

function kept() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function keep(sheet) {
  try {
    localStorage.setItem(KEPT, sheet);
  } catch {
    // A device that keeps nothing shows the rulebook played most.
  }
}

// The title of an axis, on lines that fit beside or below a small plot.
function titled(axis) {
  const text = wrapText(axis.title?.text ?? "", 32);
  return { ...axis, automargin: true, title: { text, font: { size: 12 }, standoff: 8 } };
}

function barGap(data, layout) {
  const labels = new Set(
    data.filter((trace) => trace.orientation === "h").flatMap((trace) => trace.y),
  );
  return labels.size
    ? Math.max(layout.bargap, 1 - (labels.size * THICKEST_BAR) / PLOT_HEIGHT)
    : layout.bargap;
}

async function draw(place, figure) {
  const plotly = await loadPlotly();
  if (figures.get(place) !== figure) return; // a later one is there
  const { data, layout } = colourFigure(figure);
  const names = new Set(data.map((trace) => trace.legendgroup));
  await plotly.react(
    place,
    data,
    {
      ...layout,
      annotations: [],
      bargap: barGap(data, layout),
      height: undefined,
      title: { text: "" },
      font: { ...layout.font, size: 12 },
      showlegend: layout.showlegend && names.size > 1,
      legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
      margin: { l: 8, r: 8, t: 8, b: 8 },
      ...eachAxis(layout, titled),
    },
    { ...CONFIG, staticPlot: true },
  );
  place.dataset.drawn = "";
}

async function answer(card) {
  const sheet = chosen.value;
  const [place, said] = [card.querySelector("[data-figure]"), card.querySelector("[data-says]")];
  card.setAttribute("aria-busy", "true");
  said.textContent = "Counting …";
  const address = new URL(card.dataset.insight, location.href);
  address.searchParams.set("sheet", sheet);
  const response = await fetch(address).catch(() => null);
  const found = response?.ok ? await response.json().catch(() => null) : null;
  if (sheet !== chosen.value) return; // another rulebook was chosen meanwhile
  card.removeAttribute("aria-busy");
  said.textContent = found ? found.headline : "No answer came. Reload the page.";
  place.hidden = !found?.figure;
  figures.set(place, found?.figure ?? null);
  if (found?.figure) await draw(place, found.figure);
}

const observer = whenNear(answer);

function show() {
  const about = document.querySelector("[data-of-rulebook]");
  about.href = about.dataset.ofRulebook.replace("RULEBOOK", chosen.value);
  for (const card of cards) {
    const link = card.querySelector("a");
    const address = new URL(link.href);
    address.searchParams.set("sheet", chosen.value);
    link.href = address;
    observer.unobserve(card);
    observer.observe(card);
  }
}

if (chosen && cards.length) {
  const own = new URL(location.href).searchParams.get("sheet") ? null : kept();
  if (own && [...chosen.options].some((option) => option.value === own)) chosen.value = own;
  chosen.addEventListener("change", () => {
    keep(chosen.value);
    history.replaceState(null, "", `?sheet=${encodeURIComponent(chosen.value)}`);
    show();
  });
  addEventListener("themechange", () => {
    for (const [place, figure] of figures) if (figure) draw(place, figure);
  });
  show();
}
