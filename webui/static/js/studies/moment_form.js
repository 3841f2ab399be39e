// The form of a moment: a card that is tapped is named in the text that was written in last, and a question is shown only
// where one is asked.
import { cardSigns } from "../record/pack.js";

const form = document.querySelector(".study-form");
const asks = form.elements.asks;
const question = form.elements.question.closest("p");
const study = form.elements.study;
const newTitle = form.elements.new_title?.closest("p");
let field = form.elements.text;

form.addEventListener("focusin", ({ target }) => {
  if (target.matches("textarea, [name^=note-]")) field = target;
});
document.querySelector("[data-felt]").addEventListener("click", ({ target }) => {
  const face = target.closest("[data-card]")?.dataset.card;
  if (!face || face.includes("?")) return;
  const gap = field.value && !/\s$/.test(field.value.slice(0, field.selectionStart)) ? " " : "";
  field.setRangeText(gap + cardSigns([face]), field.selectionStart, field.selectionEnd, "end");
  field.focus();
});

function showFields() {
  question.hidden = !asks.checked;
  if (study) newTitle.hidden = study.value !== "";
}
form.addEventListener("change", showFields);
showFields();
performance.mark("ready");
