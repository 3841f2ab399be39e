// The position of a day: what the reader would have done stays on the device until the answer is there.
const KEPT = "daily";
const MOST_DAYS = 15;
const root = document.querySelector("[data-daily]");
const { daily: day } = root.dataset;

function all() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

function keep(words) {
  const days = Object.entries({ ...all(), [day]: words })
    .sort()
    .slice(-MOST_DAYS);
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(days)));
  } catch {
    // A device that keeps nothing shows the choice until the page is left.
  }
}

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
    keep(button.dataset.words);
    show(button.dataset.words);
  });
const kept = all()[day];
if (kept) show(kept);
