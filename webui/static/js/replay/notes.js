// The reader's notes at the steps of a deal, kept in this browser until they are saved with the record.
const form = document.querySelector("[data-notes]");
const place = `notes:${form.dataset.notes}`;
const deal = Number(form.dataset.deal);
const last = Number(form.dataset.last);
const field = form.querySelector("textarea");
const list = form.querySelector("ol");
const problem = form.querySelector("[data-problem]");
const here = document.querySelector("[data-here]").appendChild(beside());
let step = Number(document.querySelector("[data-number]").textContent);
let notes = kept();

function kept() {
  try { return JSON.parse(localStorage.getItem(place) ?? "[]"); } catch { return []; }
}

// A note at the deal itself names no event; behind the last event there is none to name.
const anchor = (number) => (number === 0 ? [deal] : [deal, Math.min(number, last) - 1]);
const stepOf = (note) => (note.at.length > 1 ? note.at[1] + 1 : 0);
const isHere = (note) => String(note.at) === String(anchor(step));

// A note as it stands beside what it is about, told apart from those of the record.
function beside(text = "") {
  const line = document.createElement("p");
  line.className = "margin own";
  line.hidden = !text;
  const by = document.createElement("span");
  by.className = "margin-by";
  by.textContent = "Your note";
  const words = document.createElement("span");
  words.className = "margin-text";
  words.textContent = text;
  line.append(by, " ", words);
  return line;
}

function tellHere() {
  const text = notes.find(isHere)?.text ?? "";
  here.hidden = !text;
  here.querySelector(".margin-text").textContent = text;
}

function show() {
  form.querySelector("[data-note-step]").textContent = step;
  field.value = notes.find(isHere)?.text ?? "";
  tellHere();
}

function tell() {
  for (const line of document.querySelectorAll("[data-events] .own")) line.remove();
  for (const note of notes.filter((each) => each.at[0] === deal)) {
    document.querySelector(`[data-events] [data-step="${stepOf(note)}"]`)?.parentElement.append(beside(note.text));
  }
  form.querySelector("button").disabled = !notes.length;
  list.replaceChildren(...notes.filter((note) => note.at[0] === deal).map((note) => {
    const link = document.createElement("a");
    const query = new URLSearchParams(location.search);
    query.set("step", stepOf(note));
    link.href = `?${query}`;
    link.textContent = `Step ${stepOf(note)}: ${note.text}`;
    const line = document.createElement("li");
    line.append(link);
    return line;
  }));
}

field.addEventListener("input", () => {
  notes = kept().filter((note) => !isHere(note));
  if (field.value.trim()) notes.push({ at: anchor(step), text: field.value });
  notes.sort((one, other) => one.at[0] - other.at[0] || stepOf(one) - stepOf(other));
  try {
    localStorage.setItem(place, JSON.stringify(notes));
    problem.hidden = true;
  } catch { problem.hidden = false; }
  tell();
});
field.addEventListener("change", tellHere); // not at every letter: what stands here is read aloud
form.addEventListener("submit", () => { form.elements.notes.value = JSON.stringify(notes); });
addEventListener("step", (event) => { step = event.detail; show(); });
show();
tell();
