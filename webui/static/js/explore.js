// The form of Explore: disables dimensions that the chosen metric has no answer by, and offers values to filter by.
const form = document.querySelector("[data-explore]");
const refused = JSON.parse(document.getElementById("refused").textContent);
const dimensions = ["by", "split", "limit"].map((name) => form.elements[name]);

function disableRefused() {
  const impossible = new Set(refused[form.elements.metric.value]);
  for (const select of dimensions) {
    for (const option of select.options) option.disabled = impossible.has(option.value);
    if (select.selectedOptions[0]?.disabled) select.value = "";
  }
}

async function offerValues() {
  const list = document.getElementById("values");
  const name = form.elements.limit.value;
  const values = name ? await (await fetch(`${form.dataset.values}/${name}.json`)).json() : [];
  const names = JSON.parse(document.getElementById("sheet-names").textContent);
  list.replaceChildren(
    ...values.map((value) => new Option(names[value] ?? value.replaceAll("_", " "))),
  );
}

form.elements.metric.addEventListener("change", disableRefused);
form.elements.limit.addEventListener("change", offerValues);
// Empty fields stay out of the address.
form.addEventListener("submit", () => {
  for (const field of form.elements) field.disabled ||= field.name && !field.value;
});
addEventListener("pageshow", () => {
  for (const field of form.elements) field.disabled = false;
  disableRefused();
});
