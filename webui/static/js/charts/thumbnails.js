// The questions' figures, small and still, each drawn when it comes into sight.
import { CONFIG, dress, load } from "./plotly.js";

const bare = { showticklabels: false, showgrid: false, zeroline: false, title: { text: "" }, ticks: "", automargin: false };

async function draw(place) {
  const [plotly, answer] = await Promise.all([load(), fetch(place.dataset.figure)]);
  const figure = answer.ok ? await answer.json() : null;
  if (!figure) return;
  const { data, layout } = dress(figure);
  await plotly.react(place, data, {
    ...layout,
    height: undefined,
    title: { text: "" },
    showlegend: false,
    margin: { l: 4, r: 4, t: 4, b: 4 },
    xaxis: { ...layout.xaxis, ...bare },
    yaxis: { ...layout.yaxis, ...bare },
  }, { ...CONFIG, staticPlot: true });
  place.dataset.drawn = "";
}

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    seen.unobserve(entry.target);
    draw(entry.target);
  }
}, { rootMargin: "200px" });

const places = [...document.querySelectorAll("[data-figure]")];
places.forEach((place) => seen.observe(place));
addEventListener("themechange", () => places.filter((place) => "drawn" in place.dataset).forEach(draw));
