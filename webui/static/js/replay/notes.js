// Your notes on the steps of a deal, kept in this browser until you save them with the record.
export function bindNotes(signal) {
  const form = document.querySelector("[data-notes]");
  if (!form) return;
  const storageKey = `notes:${form.dataset.notes}`;
  const deal = Number(form.dataset.deal);
  const last = Number(form.dataset.last);
  const field = form.querySelector("textarea");
  const mark = form.querySelector("select");
  const list = form.querySelector("ol");
  const problem = form.querySelector("[data-problem]");
  const noteAtStep = document.querySelector("[data-step-comments]").appendChild(noteElement());
  let step = Number(document.querySelector("[data-number]").textContent);
  let notes = storedNotes();

  function storedNotes() {
    try {
      return JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    } catch {
      return [];
    }
  }

  // A note on the deal itself names no event; after the last event there is none to name, so it names the last.
  const anchor = (number) => (number === 0 ? [deal] : [deal, Math.min(number, last) - 1]);
  const stepOf = (note) => (note.at.length > 1 ? note.at[1] + 1 : 0);
  const isAtStep = (note) => String(note.at) === String(anchor(step));

  // A note beside its step, marked so that it differs from the record's own notes.
  function noteElement(text = "") {
    const line = document.createElement("p");
    line.className = "comment own";
    line.hidden = !text;
    const by = document.createElement("span");
    by.className = "comment-author";
    by.textContent = "Your note";
    const words = document.createElement("span");
    words.className = "comment-text";
    words.textContent = text;
    line.append(by, " ", words);
    return line;
  }

  // The mark of a note is the first word of its text, as the specification of records says.
  function markOf(text) {
    const [first] = text.split(/\s/, 1);
    return [...mark.options].some((option) => option.value === first) ? first : "";
  }

  function showAtStep() {
    const text = notes.find(isAtStep)?.text ?? "";
    noteAtStep.hidden = !text;
    noteAtStep.querySelector(".comment-text").textContent = text;
  }

  function showStep() {
    form.querySelector("[data-note-step]").textContent = step;
    const text = notes.find(isAtStep)?.text ?? "";
    mark.value = markOf(text);
    field.value = text.slice(mark.value.length).trimStart();
    showAtStep();
  }

  function listNotes() {
    for (const line of document.querySelectorAll("[data-events] .own")) line.remove();
    for (const note of notes.filter((each) => each.at[0] === deal)) {
      document
        .querySelector(`[data-events] [data-step="${stepOf(note)}"]`)
        ?.parentElement.append(noteElement(note.text));
    }
    form.querySelector("button").disabled = !notes.length;
    list.replaceChildren(
      ...notes
        .filter((note) => note.at[0] === deal)
        .map((note) => {
          const link = document.createElement("a");
          const query = new URLSearchParams(location.search);
          query.set("step", stepOf(note));
          link.href = `?${query}`;
          link.textContent = `Step ${stepOf(note)}: ${note.text}`;
          const line = document.createElement("li");
          line.append(link);
          return line;
        }),
    );
  }

  function keepNote() {
    notes = storedNotes().filter((note) => !isAtStep(note));
    const text = [mark.value, field.value].filter((part) => part.trim()).join(" ");
    if (text) notes.push({ at: anchor(step), text });
    notes.sort((one, other) => one.at[0] - other.at[0] || stepOf(one) - stepOf(other));
    try {
      localStorage.setItem(storageKey, JSON.stringify(notes));
      problem.hidden = true;
    } catch {
      problem.hidden = false;
    }
    listNotes();
  }

  field.addEventListener("input", keepNote);
  mark.addEventListener("change", () => {
    keepNote();
    showAtStep();
  });
  field.addEventListener("change", showAtStep); // not at every letter: screen readers say this text
  form.addEventListener("submit", () => {
    form.elements.notes.value = JSON.stringify(notes);
  });
  addEventListener(
    "step",
    (event) => {
      step = event.detail;
      showStep();
    },
    { signal },
  );
  showStep();
  listNotes();
}
