// On a wide window one figure is shown beside the table: the score race, the win expectancy or the outlook. On a narrow
// one all are, behind their tab, and the buttons are not there.
export function bindFigureChoice(root, onShow) {
  const choice = root.querySelector("[data-figure-choice]");
  const figures = [...root.querySelectorAll("[data-figure]")];
  choice?.addEventListener("click", (event) => {
    const name = event.target.closest("[data-show-figure]")?.dataset.showFigure;
    if (!name) return;
    for (const button of choice.children)
      button.setAttribute("aria-pressed", String(button.dataset.showFigure === name));
    for (const figure of figures) figure.classList.toggle("shown", figure.dataset.figure === name);
    onShow();
  });
}
