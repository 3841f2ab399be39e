// Progress of work behind a page: its numbers while it runs, and the result at the end.
const PAUSE = 1000; // milliseconds
const PAUSE_AFTER_SILENCE = 4000;
let announced = "";

const section = () => document.querySelector("[data-progress]");

async function poll() {
  let pause = PAUSE;
  try {
    const answer = await fetch(section().dataset.progress, { headers: { "X-Requested-With": "fetch" } });
    if (!answer.ok) return location.reload();
    const progress = await answer.json();
    if (!progress.goes_on) return finish();
    show(progress);
  } catch {
    announce("The server is not responding. Retrying.", { visibly: true });
    pause = PAUSE_AFTER_SILENCE;
  }
  setTimeout(poll, pause);
}

function show(progress) {
  const shown = section();
  shown.dataset.state = progress.state;
  shown.querySelector("[data-bar]").value = progress.share;
  shown.querySelector("[data-words]").lastChild.data = progress.words;
  for (const cell of shown.querySelectorAll("[data-value]")) cell.textContent = progress[cell.dataset.value];
  document.title = `${progress.percent} of ${progress.title}`;
  announce(progress.say);
}

// Screen readers hear of every tenth part, not of every second.
function announce(words, { visibly = false } = {}) {
  const line = section().querySelector("[data-say]");
  line.classList.toggle("hidden-words", !visibly);
  line.classList.toggle("problem", visibly);
  if (words !== announced) line.textContent = announced = words;
}

// Where the server can send the section alone, it is replaced; otherwise the whole page is loaded again.
async function finish() {
  if (!("fragment" in section().dataset)) {
    location.hash = section().id;
    return location.reload();
  }
  const answer = await fetch(location.pathname, { headers: { "X-Requested-With": "fetch" } });
  if (!answer.ok) return location.reload();
  const draft = document.createElement("template");
  draft.innerHTML = await answer.text();
  section().replaceWith(draft.content);
  const state = section().querySelector("#state");
  document.title = `${state.textContent.trim()}: ${document.querySelector("h1").textContent}`;
  state.focus();
}

setTimeout(poll, PAUSE);
