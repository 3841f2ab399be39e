// Something that works behind a page: its numbers as they come, and what it came to at the end.
const EVERY = 1000;
const AFTER_SILENCE = 4000;
let said = "";

const place = () => document.querySelector("[data-watch]");

async function look() {
  let wait = EVERY;
  try {
    const answer = await fetch(place().dataset.watch, { headers: { "X-Requested-With": "fetch" } });
    if (!answer.ok) return location.reload();
    const told = await answer.json();
    if (!told.goes_on) return finish();
    show(told);
  } catch {
    say("The server is not responding. Retrying.", { visibly: true });
    wait = AFTER_SILENCE;
  }
  setTimeout(look, wait);
}

function show(told) {
  const section = place();
  section.dataset.state = told.state;
  section.querySelector("[data-bar]").value = told.share;
  section.querySelector("[data-words]").lastChild.data = told.words;
  for (const cell of section.querySelectorAll("[data-is]")) cell.textContent = told[cell.dataset.is];
  document.title = `${told.percent} of ${told.title}`;
  say(told.say);
}

// A listener is told of every tenth, not of every second.
function say(words, { visibly = false } = {}) {
  const line = place().querySelector("[data-say]");
  line.classList.toggle("hidden-words", !visibly);
  line.classList.toggle("problem", visibly);
  if (words !== said) line.textContent = said = words;
}

// What has a part of its own gets that; of another page, all is new.
async function finish() {
  if (!("part" in place().dataset)) {
    location.hash = place().id;
    return location.reload();
  }
  const answer = await fetch(location.pathname, { headers: { "X-Requested-With": "fetch" } });
  if (!answer.ok) return location.reload();
  const draft = document.createElement("template");
  draft.innerHTML = await answer.text();
  place().replaceWith(draft.content);
  const state = place().querySelector("#state");
  document.title = `${state.textContent.trim()}: ${document.querySelector("h1").textContent}`;
  state.focus();
}

setTimeout(look, EVERY);
