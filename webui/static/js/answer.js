// The figure of an answer.
import { CONFIG, dress, load } from "./plotly.js";

const place = document.querySelector("[data-chart]");

async function draw() {
  const figure = JSON.parse(document.getElementById("figure").textContent);
  const plotly = await load();
  const { data, layout } = dress(figure);
  const config = { ...CONFIG, displayModeBar: "hover", modeBarButtonsToRemove: ["lasso2d", "select2d", "autoScale2d"] };
  delete layout.title;
  const legend = { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" };
  await plotly.react(place, data, { ...layout, legend, margin: { t: 24, r: 16, b: 48, l: 48 } }, config);
  place.dataset.drawn = "";
}

if (place) {
  draw();
  addEventListener("themechange", draw);
}
