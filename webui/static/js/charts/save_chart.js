// A chart as a file to pass on: on paper, with its title, its answer, where it comes from and the day.
import {
  arrangePanels,
  colourFigure,
  eachAxis,
  escapeMarkup,
  loadPlotly,
  panelsFor,
  tokenColour,
} from "./plotly.js";

const WIDTH = 1200; // pixels
const HEIGHT = 700;
const LETTERS = 120; // of a line under the title
const LINE = 22;
const SCALE = { png: 2, svg: 1 };

// The buttons beside a chart; each saves what is drawn when it is pressed.
export function bindSaving(place, figure) {
  for (const button of place.closest("figure").querySelectorAll("[data-save-chart]")) {
    button.onclick = () => save(place.closest("figure").dataset, figure, button.dataset.saveChart);
  }
}

async function save({ title, answer, source }, figure, format) {
  const plotly = await loadPlotly();
  const drawn = onPaper(figure, { title, answer, source });
  const address = await plotly.toImage(drawn, {
    format,
    width: WIDTH,
    height: drawn.layout.height,
    scale: SCALE[format],
  });
  const link = document.createElement("a");
  link.href = address;
  link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, "-")}.${format}`;
  link.click();
}

// The figure in the colours of the light, whatever those of the page are.
function onPaper(figure, { title, answer, source }) {
  const { data, layout } = colourFigure(figure, "light");
  const { columns, xgap } = panelsFor(WIDTH, data);
  const panels = layout.meta?.panels ? arrangePanels(layout, columns, { xgap }) : {};
  const said = wrapLines(answer, LETTERS);
  const top = 70 + LINE * said.length;
  const day = new Date().toLocaleDateString("en-GB", { dateStyle: "long" });
  // The query is the question: without it nobody finds the chart again.
  const address = cutLines(location.host + location.pathname + location.search, LETTERS);
  const foot = [...wrapLines([source, day].filter(Boolean).join(", "), LETTERS), ...address];
  const bottom = 90 + LINE * foot.length;
  return {
    data,
    layout: {
      ...layout,
      ...panels,
      ...eachAxis(layout, (axis) => ({
        ...axis,
        automargin: true,
        title: panels.grid ? undefined : axis.title,
      })),
      width: WIDTH,
      height: panels.height ? panels.height + top + bottom : HEIGHT,
      paper_bgcolor: tokenColour("raised", "light"),
      legend: { orientation: "h", x: 0, y: 1, yanchor: "bottom" },
      margin: { t: top + 30, r: 30, b: bottom, l: 60 },
      title: {
        text: escapeMarkup(title),
        font: { size: 24, weight: "bold" },
        subtitle: { text: said.join("<br>"), font: { size: 16 } },
        x: 0,
        xref: "container",
        y: 1,
        yanchor: "top",
        pad: { l: 24, t: 24 },
      },
      annotations: [
        ...(layout.annotations ?? []),
        {
          text: foot.join("<br>"),
          align: "left",
          font: { size: 13, color: tokenColour("muted", "light") },
          showarrow: false,
          x: 0,
          xref: "paper",
          xanchor: "left",
          y: 0,
          yref: "paper",
          yanchor: "top",
          yshift: -70,
        },
      ],
    },
  };
}

function wrapLines(text, most) {
  const lines = [];
  for (const word of (text ?? "").split(/\s+/).filter(Boolean)) {
    if (lines.length && lines.at(-1).length + word.length < most)
      lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.map(escapeMarkup);
}

// An address has no blanks to break at.
function cutLines(text, most) {
  return (text.match(new RegExp(`.{1,${most}}`, "gu")) ?? []).map(escapeMarkup);
}
