// The position of a day: what the reader would have done stays on the device until the answer is there.
import { KeptByKey } from "./device.js";

const MOST_DAYS = 15;
const root = document.querySelector("[data-daily]");
const choice = new KeptByKey("daily", root.dataset.daily, MOST_DAYS);

function show(words) {
  for (const button of root.querySelectorAll("button[data-choice]"))
    button.setAttribute("aria-pressed", String(button.dataset.words === words));
  const yours = root.querySelector("[data-yours]");
  if (yours) {
    yours.hidden = false;
    yours.textContent = `Your choice: ${words}.`;
  } else {
    root.querySelector("[data-says]").textContent =
      `Your choice: ${words}. The answer comes at 0:00 UTC.`;
  }
}

for (const button of root.querySelectorAll("button[data-choice]"))
  button.addEventListener("click", () => {
    choice.value = button.dataset.words;
    show(button.dataset.words);
  });
if (choice.value) show(choice.value);
