// The figure of an answer.
import { CONFIG, dress, load } from "./plotly.js";

const place = document.querySelector("[data-chart]");

// A title in lines that a narrow plot can hold.
function broken(text) {
  const most = Math.max(20, place.clientWidth / 12);
  return text.split(" ").reduce((lines, word) => {
    const long = lines.length - lines.lastIndexOf(">") + word.length > most;
    return lines + (lines && (long ? "<br>" : " ")) + word;
  }, "");
}

async function draw() {
  const figure = JSON.parse(document.getElementById("figure").textContent);
  const plotly = await load();
  const { data, layout } = dress(figure);
  const config = { ...CONFIG, displayModeBar: "hover", modeBarButtonsToRemove: ["lasso2d", "select2d", "autoScale2d"] };
  delete layout.title;
  for (const axis of [layout.xaxis, layout.yaxis]) if (axis.title) axis.title.text = broken(axis.title.text);
  const legend = { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" };
  await plotly.react(place, data, { ...layout, legend, margin: { t: 24, r: 16, b: 64, l: 48 } }, config);
  place.dataset.drawn = "";
}

if (place) {
  draw();
  addEventListener("themechange", draw);
}
