// The list before anything is stored: the button says how many games it stores, ticks are kept at once, and one click is one.
import { forget } from "./kept_upload.js";

const form = document.querySelector("[data-look]");
const button = form.querySelector("[data-store]");
const boxes = [...form.querySelectorAll("input[name=take]")];
// What was ticked when the page came: a box may have been changed before this runs.
const elsewhere = Number(button?.dataset.new) - boxes.filter((box) => box.defaultChecked).length;

function showNumber() {
  const number = elsewhere + boxes.filter((box) => box.checked).length;
  const hasStudy = "study" in button.dataset;
  const games = `Store ${number.toLocaleString("en")} ${number === 1 ? "game" : "games"}`;
  button.firstChild.data =
    hasStudy && number === 0 ? "Take the study" : `${games}${hasStudy ? " and the study" : ""} `;
  button.disabled = number === 0 && !hasStudy;
}

for (const box of boxes)
  box.addEventListener("change", () => {
    showNumber();
    fetch(form.dataset.look, {
      method: "POST",
      body: new FormData(form),
      redirect: "manual",
      keepalive: true,
    }).catch(() => {}); // the button sends them again
  });
if (button) showNumber();

let isSent = false;
form.addEventListener("submit", (event) => {
  if (isSent) return event.preventDefault();
  isSent = true;
  // The buttons with a name lead to another part of the list.
  if (!event.submitter?.name) for (const name of ["files", "text"]) forget(name);
});
addEventListener("pageshow", () => (isSent = false));
