/* Charts: values that Vega cannot bear made harmless; on dashboards also legends that fit the
   window, and words where there is nothing to draw. Stands between vega-embed and
   datasette-dashboards, and before datasette-vega. */
const embed = window.vegaEmbed;

/* Vega keeps categories as keys of plain objects, so `constructor` and the like break it: an unseen
   character before them makes them keys as any other. An empty category has no name to show. */
function harmless(value) {
  return typeof value === "string" && value in Object.prototype ? `\u2060${value}` : value;
}
const KINDS = ["kind", "claim", "together_with"]; // columns; window.said has their words
function named(column, value) {
  if (KINDS.includes(column) && Object.hasOwn(window.said || {}, value)) return window.said[value];
  return (value ?? "") === "" ? "(empty)" : harmless(value);
}
function encodings(display) {
  return [display, ...(display.layer || [])].map((part) => part.encoding || {});
}
function prepared(element, spec) {
  const channels = encodings(spec).flatMap((encoding) => Object.values(encoding));
  const categories = channels.filter((c) => ["nominal", "ordinal"].includes(c.type)).map((c) => c.field);
  const values = (spec.data.values || []).map((row) => ({ ...row }));
  for (const row of values) for (const name of categories) row[name] = named(name, row[name]);
  const chart = structuredClone({ ...spec, data: { ...spec.data, values } });
  if (element.clientWidth < 480) {
    chart.config.axis.labelLimit = 110;
    for (const encoding of encodings(chart)) {
      for (const name of ["color", "shape"]) {
        const channel = encoding[name];
        if (channel && channel.legend !== null) {
          channel.legend = { title: null, ...channel.legend, orient: "bottom", columns: 2, labelLimit: 110 };
        }
      }
    }
  }
  return chart;
}
if (embed) window.vegaEmbed = async (target, spec, options) => {
  const element = typeof target === "string" ? document.querySelector(target) : target;
  if (!spec.data.values || !spec.data.values.length) {
    element.textContent = "There is nothing to draw yet.";
    element.removeAttribute("role");
    element.removeAttribute("aria-label");
    element.classList.add("soft");
    return null;
  }
  return embed(element, prepared(element, spec), options);
};

/* datasette-vega has Vega inside and asks for its rows itself: for their columns, and once more */
const ask = window.fetch;
window.fetch = async (address, options) => {
  const answer = await ask(address, options);
  if (!answer.ok || !String(address).includes("_shape=array")) return answer;
  const safe = (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, harmless(value)]));
  return new Response(JSON.stringify((await answer.json()).map(safe)), answer);
};
