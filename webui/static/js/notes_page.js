// The notes on a game that are in this browser: those that are in the record by now are forgotten, the others can be sent.
const form = document.querySelector("[data-own-notes]");
const storageKey = `notes:${form.dataset.ownNotes}`;
const stored = JSON.parse(document.getElementById("stored-notes").textContent);
const keyOf = (note) => JSON.stringify([note.at, note.text]);
const inRecord = new Set(stored.map(keyOf));
const notes = readNotes().filter((note) => !inRecord.has(keyOf(note)));

function readNotes() {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "[]");
  } catch {
    return [];
  }
}

function lineOf(note) {
  const [deal, event] = note.at;
  const step = event === undefined ? 0 : event + 1;
  const link = document.createElement("a");
  link.href = `${form.dataset.table.replace(/\d+$/, deal + 1)}?step=${step}`;
  link.textContent = `Deal ${deal + 1}, step ${step}`;
  const line = document.createElement("li");
  line.append(link, `: ${note.text}`);
  return line;
}

try {
  localStorage.setItem(storageKey, JSON.stringify(notes));
} catch {
  /* what cannot be stored was not stored before */
}
form.elements.notes.value = JSON.stringify(notes);
form.querySelector("ol").append(...notes.map(lineOf));
form.hidden = !notes.length;
document.querySelector("[data-no-notes]").hidden = notes.length > 0;
