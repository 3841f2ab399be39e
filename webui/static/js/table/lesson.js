// The lesson that an example game is: which rule the step belongs to, and where the next one is told.
export function bindLesson(root, signal) {
  const lesson = root.querySelector("[data-lesson]");
  if (!lesson) return;
  const chapters = [...lesson.querySelectorAll("[data-chapter]")];
  const [back, on] = ["back", "on"].map((name) => lesson.querySelector(`[data-lesson-go=${name}]`));
  const rules = on.dataset.rules;
  const firstHere = chapters.findIndex((link) => "here" in link.dataset);
  const before =
    firstHere < 0 ? Number(lesson.querySelector("[data-lesson-number]").textContent) : firstHere;

  function show(step) {
    const here = chapters.filter(
      (link) => "here" in link.dataset && Number(link.dataset.chapter) <= step,
    );
    const number = before + here.length;
    lesson.querySelector("[data-lesson-number]").textContent = number;
    lesson.querySelector("[data-lesson-heading]").textContent =
      chapters[number - 1]?.textContent ?? "";
    back.hidden = number <= 1;
    if (number > 1) back.href = chapters[number - 2].href;
    on.href = chapters[number]?.href ?? rules;
    on.textContent = chapters[number] ? "Next" : "All rules";
  }

  addEventListener("step", (event) => show(event.detail), { signal });
}
