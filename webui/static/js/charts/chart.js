// A chart in full size: a figure of the server in the colours of the page, its axes fitted to the width.
import {
  CONFIG,
  arrangePanels,
  colourFigure,
  eachAxis,
  loadPlotly,
  panelsFor,
  tokenColour,
} from "./plotly.js";
import { bindSaving } from "./save_chart.js";

// A finger cannot hover: on a phone the buttons would cover the legend all the time.
const canHover = matchMedia("(hover: hover)").matches;
const OPTIONS = {
  ...CONFIG,
  displayModeBar: canHover && "hover",
  modeBarButtonsToRemove: ["toImage", "lasso2d", "select2d", "autoScale2d"],
};

// Narrower than this (in pixels), an upright title takes too much of the width: the caption names the unit.
const NARROW_WIDTH = 520;

// A text in lines of at most so many letters.
export function wrapText(text, most) {
  return text.split(" ").reduce((lines, word) => {
    const long = lines.length - lines.lastIndexOf(">") + word.length > most;
    return lines + (lines && (long ? "<br>" : " ")) + word;
  }, "");
}

// The names of horizontal bars, wrapped: on one line they would leave no room for the bars of a narrow chart.
function wrapNames(trace) {
  return trace.orientation === "h"
    ? { ...trace, y: trace.y.map((name) => wrapText(String(name), 20)) }
    : trace;
}

// An observer that does something once for each element that it is given, when that comes near the window.
export function whenNear(act) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer.unobserve(entry.target);
        act(entry.target);
      }
    },
    { rootMargin: "200px" },
  );
  return observer;
}

export async function drawChart(place, figure) {
  const plotly = await loadPlotly();
  const { data, layout: single } = colourFigure(figure);
  const { columns, xgap } = panelsFor(place.clientWidth, data);
  const layout = single.meta?.panels
    ? { ...single, ...arrangePanels(single, columns, { xgap, top: 60 }) }
    : single;
  place.style.height = layout.height ? `${layout.height}px` : "";
  const titled = (axis) =>
    axis.title?.text
      ? {
          ...axis,
          title: {
            ...axis.title,
            font: { size: 13 },
            text: wrapText(axis.title.text, Math.max(20, place.clientWidth / 9)),
          },
        }
      : axis;
  const narrow = place.clientWidth < NARROW_WIDTH;
  await plotly.react(
    place,
    narrow ? data.map(wrapNames) : data,
    {
      ...layout,
      title: undefined,
      ...eachAxis(layout, (axis, name) =>
        layout.meta?.panels || (narrow && name === "yaxis")
          ? { ...axis, title: undefined }
          : titled(axis),
      ),
      modebar: {
        bgcolor: "rgba(0,0,0,0)",
        color: tokenColour("muted"),
        activecolor: tokenColour("accent"),
        orientation: "v",
      },
      legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
      margin: { t: 24, r: 16, b: 64, l: 48 },
    },
    OPTIONS,
  );
  if (place.dataset.games && !("drawn" in place.dataset))
    place.on("plotly_click", (event) => openGames(place, event.points[0]));
  bindSaving(place, figure);
  place.dataset.drawn = "";
}

// The games behind a bar or a point, with the filters of the page.
function openGames(place, point) {
  const filters = point.customdata?.[1];
  if (!filters) return;
  const address = new URL(place.dataset.games, location.href);
  for (const [name, value] of new URLSearchParams(filters)) address.searchParams.set(name, value);
  location.assign(address);
}
