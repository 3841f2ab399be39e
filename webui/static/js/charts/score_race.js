// The score race: the scores step by step, with a mark at the step shown. The mark is an element of our own
// over the chart: redrawing the chart would take longer than all the rest of a step.
import { CONFIG, baseLayout, escapeMarkup, loadPlotly, tokenColour } from "./plotly.js";

const LOW = 200; // pixels: a chart as low as this has no room for titles
const FEW_STEPS = 8; // between which there would be marks for halves

export class ScoreRace {
  constructor(element, deal, go) {
    this.element = element;
    this.deal = deal;
    this.go = go;
    this.step = 0;
    this.plotly = null;
    this.mark = document.createElement("div");
    this.mark.className = "score-race-mark";
  }

  async show(step) {
    this.step = step;
    const plotly = await loadPlotly();
    if (!this.element.isConnected) return;
    this.plotly = plotly;
    await this.plotly.newPlot(this.element, this.traces(), this.layout(), CONFIG);
    this.element.on("plotly_click", (event) => this.go(event.points[0].x));
    this.element.on("plotly_afterplot", () => this.placeMark());
    this.element.append(this.mark);
    this.placeMark();
    this.element.dataset.drawn = "";
  }

  move(step) {
    this.step = step;
    if (this.plotly) this.placeMark();
  }

  placeMark() {
    const { xaxis, yaxis } = this.element._fullLayout;
    this.mark.style.height = `${yaxis._length}px`;
    this.mark.style.transform = `translate(${xaxis._offset + xaxis.d2p(this.step) - 1}px, ${yaxis._offset}px)`;
    this.element.dataset.step = this.step;
  }

  recolour() {
    if (this.plotly) this.plotly.react(this.element, this.traces(), this.layout(), CONFIG);
  }

  traces() {
    const steps = this.deal.steps;
    return this.sides().map((seats, side) => ({
      type: "scatter",
      mode: "lines",
      name: escapeMarkup(seats.map((seat) => this.deal.names[seat]).join(", ")),
      x: steps.map((_, number) => number),
      // A score that the record leaves open is a gap in the line.
      y: steps.map((step) =>
        seats.reduce(
          (sum, seat) =>
            sum === null || step.seats[seat].points === null ? null : sum + step.seats[seat].points,
          0,
        ),
      ),
      line: {
        shape: "hv",
        width: 2.5,
        color: tokenColour(`series-${side + 1}`),
        dash: side % 2 ? "dot" : "solid",
      },
      hovertemplate: "%{y}",
    }));
  }

  // The seats of every side: partners make one line.
  sides() {
    const seats = this.deal.sides.map((_, seat) => seat);
    return [...new Set(this.deal.sides)].map((side) =>
      seats.filter((seat) => this.deal.sides[seat] === side),
    );
  }

  layout() {
    const base = baseLayout();
    const low = this.element.clientHeight < LOW;
    return {
      ...base,
      margin: low ? { l: 44, r: 8, t: 20, b: 20 } : { l: 44, r: 8, t: 28, b: 36 },
      hovermode: "x unified",
      dragmode: false,
      legend: { orientation: "h", x: 0, y: low ? 1.3 : 1.16 },
      xaxis: {
        ...base.xaxis,
        title: low ? undefined : { text: "step", standoff: 4 },
        tickprefix: low ? "step " : "",
        showtickprefix: "first",
        range: [0, this.deal.steps.length - 1],
        dtick: this.deal.steps.length < FEW_STEPS ? 1 : undefined,
        fixedrange: true,
        automargin: false,
      },
      yaxis: {
        ...base.yaxis,
        title: low ? undefined : { text: "points", standoff: 4 },
        rangemode: "tozero",
        fixedrange: true,
      },
    };
  }
}
