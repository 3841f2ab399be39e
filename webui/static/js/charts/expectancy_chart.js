// Win expectancy, trick by trick, under the score race.
import { CONFIG, baseLayout, escapeMarkup, loadPlotly, tokenColour } from "./plotly.js";

export function showExpectancy(signal) {
  const place = document.querySelector("[data-expectancy]");
  if (!place) return;
  let expectancy = null;

  function figure() {
    const base = baseLayout();
    const color = tokenColour("series-1");
    const steps = expectancy.chances.map((each) => each.step);
    const percents = expectancy.chances.map((each) => 100 * each.chance);
    const ends = (name) => expectancy.chances.map((each) => 100 * each[name]);
    const edge = {
      type: "scatter",
      mode: "lines",
      x: steps,
      line: { width: 0 },
      hoverinfo: "skip",
    };
    return [
      [
        { ...edge, y: ends("low") },
        {
          ...edge,
          y: ends("high"),
          fill: "tonexty",
          fillcolor: color.replace("rgb(", "rgba(").replace(")", ", 0.2)"),
        },
        {
          type: "scatter",
          mode: "lines+markers",
          x: steps,
          y: percents,
          name: escapeMarkup(expectancy.who),
          line: { color, width: 2 },
          marker: { color, size: 4 },
          customdata: expectancy.chances.map((each) => [100 * each.low, 100 * each.high]),
          hovertemplate:
            "%{y:.0f} % (%{customdata[0]:.0f} to %{customdata[1]:.0f} %)<extra></extra>",
        },
      ],
      {
        ...base,
        showlegend: false,
        dragmode: false,
        margin: { l: 44, r: 8, t: 8, b: 8 },
        xaxis: {
          ...base.xaxis,
          range: [0, Number(place.dataset.expectancy)],
          showticklabels: false,
          fixedrange: true,
          automargin: false,
        },
        yaxis: {
          ...base.yaxis,
          range: [0, 100],
          tickvals: [0, 50, 100],
          ticksuffix: " %",
          fixedrange: true,
          automargin: false,
        },
      },
    ];
  }

  async function draw() {
    const plotly = await loadPlotly();
    const chances = place.querySelector("[data-chances]");
    chances.hidden = false;
    await plotly.react(chances, ...figure(), CONFIG);
    place.dataset.drawn = "";
  }

  function describe() {
    const words = place.querySelector("[data-expectancy-words]");
    if (!expectancy.chances.length) {
      place.hidden = true;
      return;
    }
    const whole = (share) => Math.round(100 * share);
    const percent = (each) =>
      each.decided || each.low === each.high
        ? `${whole(each.chance)} %`
        : `${whole(each.chance)} % (${whole(each.low)} to ${whole(each.high)} %)`;
    const [first, last] = [expectancy.chances[0], expectancy.chances.at(-1)];
    const number = (count, noun) => `${count.toLocaleString("en")} ${noun}`;
    const sources = [
      expectancy.matches && number(expectancy.matches, "stored"),
      expectancy.simulated && number(expectancy.simulated, "simulated"),
    ]
      .filter(Boolean)
      .join(" and ");
    const drawn = last.decided && last.chance === 0.5 ? " The match was drawn." : "";
    // Isolated, as in webui/display/text_layout.py: a name in Hebrew would turn the numbers round.
    const who = document.createElement("bdi");
    who.textContent = expectancy.who;
    const said = `: ${percent(first)} at the start of the deal, ${percent(last)} ${"laterHidden" in place.dataset ? "now" : "at its end"}.${drawn} Estimated from ${sources} matches. `;
    const link = document.createElement("a");
    link.href = place.dataset.calibration;
    link.textContent = "How far to trust it";
    words.replaceChildren("Win expectancy of ", who, said, link);
    words.title = expectancy.caveat;
    draw();
  }

  async function request() {
    const address = new URL("expectancy.json", `${location.origin}${location.pathname}/`);
    const query = new URLSearchParams(location.search);
    for (const name of ["step", "tab", "best"]) query.delete(name);
    address.search = query;
    const answer = await fetch(address);
    expectancy = answer.ok ? await answer.json() : { chances: [], matches: 0 };
    if (!signal.aborted) describe();
  }

  // Nothing is requested until the panel can be seen: it may stay behind a tab.
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry.isIntersecting) return;
      observer.disconnect();
      request();
    },
    { rootMargin: "200px" },
  );
  observer.observe(place);
  signal.addEventListener("abort", () => observer.disconnect());
  addEventListener(
    "themechange",
    () => {
      if (expectancy?.chances.length) draw();
    },
    { signal },
  );
}
