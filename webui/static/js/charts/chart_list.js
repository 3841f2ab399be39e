// The charts of a page that has several, each drawn when it scrolls into view.
import { drawChart, whenNear } from "./chart.js";

const figures = new Map();

async function draw(place) {
  if (!figures.has(place)) {
    const answer = await fetch(place.dataset.chartAddress);
    figures.set(place, answer.ok ? await answer.json() : null);
  }
  const figure = figures.get(place);
  if (figure) {
    await drawChart(place, figure);
  } else {
    place.textContent = "No chart yet: no deals match.";
    place.classList.add("empty", "nothing");
    place.dataset.drawn = "";
  }
}

const observer = whenNear(draw);

for (const place of document.querySelectorAll("[data-chart-address]")) observer.observe(place);
addEventListener("themechange", () => [...figures.keys()].forEach(draw));
