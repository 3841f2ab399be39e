// A figure of the server, in full: drawn into a place in the page's colours, its axes fitted to the width.
import { CONFIG, dress, load, token } from "./plotly.js";

// A finger cannot hover: on a phone the buttons would lie over the legend for good.
const hovers = matchMedia("(hover: hover)").matches;
const OPTIONS = { ...CONFIG, displayModeBar: hovers && "hover", modeBarButtonsToRemove: ["lasso2d", "select2d", "autoScale2d"] };

// Below so many pixels an upright title costs too much of the width: the caption says the unit.
const NARROW = 520;

// A text in lines of at most so many letters.
function broken(text, most) {
  return text.split(" ").reduce((lines, word) => {
    const long = lines.length - lines.lastIndexOf(">") + word.length > most;
    return lines + (lines && (long ? "<br>" : " ")) + word;
  }, "");
}

// The names of bars that lie, in lines: in one they would leave a narrow plot no room.
function shortened(trace) {
  return trace.orientation === "h" ? { ...trace, y: trace.y.map((name) => broken(String(name), 20)) } : trace;
}

export async function drawChart(place, figure) {
  const plotly = await load();
  const { data, layout } = dress(figure);
  place.style.height = layout.height ? `${layout.height}px` : "";
  const titled = (axis) => (axis.title?.text ? { ...axis, title: { ...axis.title, font: { size: 13 }, text: broken(axis.title.text, Math.max(20, place.clientWidth / 9)) } } : axis);
  const narrow = place.clientWidth < NARROW;
  await plotly.react(place, narrow ? data.map(shortened) : data, {
    ...layout,
    title: undefined,
    xaxis: titled(layout.xaxis),
    yaxis: narrow ? { ...layout.yaxis, title: undefined } : titled(layout.yaxis),
    modebar: { bgcolor: "rgba(0,0,0,0)", color: token("muted"), activecolor: token("accent"), orientation: "v" },
    legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
    margin: { t: 24, r: 16, b: 64, l: 48 },
  }, OPTIONS);
  place.dataset.drawn = "";
}
