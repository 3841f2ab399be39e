// The form of Explore: what a metric has no answer by cannot be chosen, and values are offered.
const form = document.querySelector("[data-explore]");
const refused = JSON.parse(document.getElementById("refused").textContent);
const dimensions = ["by", "split", "limit"].map((name) => form.elements[name]);

function close() {
  const without = new Set(refused[form.elements.metric.value]);
  for (const select of dimensions) {
    for (const option of select.options) option.disabled = without.has(option.value);
    if (select.selectedOptions[0]?.disabled) select.value = "";
  }
}

async function offer() {
  const list = document.getElementById("values");
  const name = form.elements.limit.value;
  const values = name ? await (await fetch(`/explore/values/${name}.json`)).json() : [];
  list.replaceChildren(...values.map((value) => new Option(value, value)));
}

form.elements.metric.addEventListener("change", close);
form.elements.limit.addEventListener("change", offer);
// The address says what is asked and no more.
form.addEventListener("submit", () => {
  for (const field of form.elements) field.disabled ||= field.name && !field.value;
});
addEventListener("pageshow", () => {
  for (const field of form.elements) field.disabled = false;
  close();
});
