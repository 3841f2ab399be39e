// plotly.js of the installed package, loaded when it is first needed, in the colours of the page.
export const CONFIG = {
  displaylogo: false,
  showSendToCloud: false,
  plotlyServerURL: "",
  responsive: true,
  displayModeBar: false,
};

let loading = null;

export function loadPlotly() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = document.querySelector("meta[name=plotly]").content;
    script.onload = () => resolve(globalThis.Plotly);
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

// A name for Plotly, which reads every text as markup.
export function escapeMarkup(name) {
  return name.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

// The colour that a design token has now, in the light or in the dark, or always in the `light`.
export function tokenColour(name, scheme = "") {
  const probe = document.createElement("span");
  probe.style.colorScheme = scheme;
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

// Every axis of a layout, changed: a figure with panels has two for each.
export function eachAxis(layout, change) {
  const names = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  return Object.fromEntries(names.map((name) => [name, change(layout[name], name)]));
}

// As many panels beside each other as fit; bars have their names at the left of each.
export function panelsFor(width, data) {
  const named = data[0]?.orientation === "h";
  const least = named ? 400 : 300;
  return {
    columns: Math.max(1, Math.min(3, Math.floor(width / least))),
    xgap: named ? 0.42 : 0.18,
  };
}

// Panels side by side, as many as fit, with room for what stands beside and above each.
export function arrangePanels({ meta }, columns, { xgap, top = 0 }) {
  const rows = Math.ceil(meta.panels / columns);
  return {
    height: rows * meta.panel_height + top,
    grid: { rows, columns, pattern: "independent", xgap, ygap: 0.38 },
  };
}

export function baseLayout(scheme) {
  const line = tokenColour("line", scheme);
  const axis = { gridcolor: line, zerolinecolor: line, linecolor: line, automargin: true };
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: {
      family: getComputedStyle(document.body).fontFamily,
      color: tokenColour("ink", scheme),
      size: 13,
    },
    hoverlabel: {
      bgcolor: tokenColour("raised", scheme),
      bordercolor: line,
      font: { color: tokenColour("ink", scheme) },
    },
    xaxis: axis,
    yaxis: axis,
  };
}

// A figure of the server in the colours of the page: every trace names its token in `meta`, or one for each
// of its bars.
export function colourFigure(figure, scheme = "") {
  const base = baseLayout(scheme);
  const given = figure.layout;
  return {
    data: figure.data.map((trace) => colourTrace(trace, scheme)),
    layout: {
      ...given,
      ...base,
      ...eachAxis(given, (axis) => ({ ...base.xaxis, ...axis })),
      shapes: (given.shapes ?? []).map((shape) => ({
        ...shape,
        line: { ...shape.line, color: base.font.color },
      })),
    },
  };
}

// Half as dense, so that an interval is seen in its bar too.
const halve = (color) =>
  Array.isArray(color) ? color.map(halve) : color.replace(/^rgb\((.*)\)$/, "rgba($1, 0.5)");

function colourTrace(trace, scheme) {
  if (!trace.meta?.token) return trace;
  const { token } = trace.meta;
  const colourOf = (name) => tokenColour(name, scheme);
  const color = Array.isArray(token) ? token.map(colourOf) : colourOf(token);
  if (trace.meta.band) return { ...trace, fillcolor: color };
  const coloured = { ...trace, marker: { ...trace.marker, color } };
  for (const whisker of ["error_x", "error_y"]) {
    if (trace.type !== "bar" || !trace[whisker]) continue;
    coloured[whisker] = { ...trace[whisker], color: colourOf("ink") };
    coloured.marker = { ...coloured.marker, color: halve(color), line: { color, width: 1 } };
  }
  if (trace.type === "box" || trace.line) coloured.line = { ...trace.line, color };
  return coloured;
}
