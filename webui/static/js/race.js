// The score race: both scores step by step, with a mark at the step that is shown.
import { CONFIG, layout, load, token } from "./plotly.js";

export class Race {
  constructor(element, deal, go) {
    this.element = element;
    this.deal = deal;
    this.go = go;
    this.step = 0;
    this.plotly = null;
    this.asked = 0;
  }

  async show(step) {
    this.step = step;
    this.plotly = await load();
    await this.plotly.newPlot(this.element, this.traces(), this.layout(), CONFIG);
    this.element.on("plotly_click", (event) => this.go(event.points[0].x));
    this.element.dataset.drawn = "";
  }

  move(step) {
    this.step = step;
    if (!this.plotly || this.asked) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.plotly.relayout(this.element, { "shapes[0].x0": this.step, "shapes[0].x1": this.step });
      this.element.dataset.step = this.step;
    });
  }

  redress() {
    if (this.plotly) this.plotly.react(this.element, this.traces(), this.layout(), CONFIG);
  }

  traces() {
    const steps = this.deal.steps;
    return this.deal.names.map((name, seat) => ({
      type: "scatter",
      mode: "lines",
      name,
      x: steps.map((_, number) => number),
      y: steps.map((step) => step.seats[seat].points),
      line: { shape: "hv", width: 2.5, color: token(`series-${seat + 1}`), dash: seat % 2 ? "dot" : "solid" },
      hovertemplate: "%{y}",
    }));
  }

  layout() {
    const base = layout();
    return {
      ...base,
      margin: { l: 44, r: 8, t: 28, b: 36 },
      hovermode: "x unified",
      dragmode: false,
      legend: { orientation: "h", x: 0, y: 1.16 },
      xaxis: { ...base.xaxis, title: { text: "step", standoff: 4 }, range: [0, this.deal.steps.length - 1], fixedrange: true, automargin: false },
      yaxis: { ...base.yaxis, title: { text: "points", standoff: 4 }, rangemode: "tozero", fixedrange: true },
      shapes: [{ type: "line", x0: this.step, x1: this.step, y0: 0, y1: 1, yref: "paper", line: { color: token("accent"), width: 2 } }],
    };
  }
}
