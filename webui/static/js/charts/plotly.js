// plotly.js of the installed package, loaded when it is first needed, and dressed in the page's tokens.
export const CONFIG = {
  displaylogo: false,
  showSendToCloud: false,
  plotlyServerURL: "",
  responsive: true,
  displayModeBar: false,
};

let loading = null;

export function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = document.querySelector("meta[name=plotly]").content;
    script.onload = () => resolve(globalThis.Plotly);
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

// A name for Plotly, which reads markup in every text.
export function plain(name) {
  return name.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

// The value of a token as the page shows it now.
export function token(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

export function layout() {
  const line = token("line");
  const axis = { gridcolor: line, zerolinecolor: line, linecolor: line, automargin: true };
  return {
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: getComputedStyle(document.body).fontFamily, color: token("ink"), size: 13 },
    hoverlabel: { bgcolor: token("raised"), bordercolor: line, font: { color: token("ink") } },
    xaxis: axis,
    yaxis: axis,
  };
}

// A figure of the server in the page's colours: every trace names its token in `meta`.
export function dress(figure) {
  const base = layout();
  const given = figure.layout;
  return {
    data: figure.data.map(dressTrace),
    layout: {
      ...given,
      ...base,
      xaxis: { ...base.xaxis, ...given.xaxis },
      yaxis: { ...base.yaxis, ...given.yaxis },
    },
  };
}

function dressTrace(trace) {
  if (!trace.meta?.token) return trace;
  const color = token(trace.meta.token);
  if (trace.meta.band) return { ...trace, fillcolor: color };
  const dressed = { ...trace, marker: { ...trace.marker, color } };
  if (trace.type === "box" || trace.line) dressed.line = { ...trace.line, color };
  return dressed;
}
