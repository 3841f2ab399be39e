// The figure of an answer.
import { drawChart } from "./chart.js";

const place = document.querySelector("[data-chart]");

function draw() {
  drawChart(place, JSON.parse(document.getElementById("figure").textContent));
}

if (place) {
  draw();
  addEventListener("themechange", draw);
}
