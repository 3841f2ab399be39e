// The chart of an answer, drawn from the figure that came with the page.
import { drawChart } from "./chart.js";

const place = document.querySelector("[data-chart]");

function draw() {
  drawChart(place, JSON.parse(document.getElementById("figure").textContent));
}

if (place) {
  draw();
  addEventListener("themechange", draw);
}
