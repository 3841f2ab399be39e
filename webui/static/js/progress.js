// Progress of work behind a page: its numbers while it runs, and the result at the end. A page may show several.
const PAUSE = 1000; // milliseconds
const PAUSE_AFTER_SILENCE = 4000;

class Progress {
  constructor(section) {
    this.section = section;
    this.announced = "";
    this.pollAfter(PAUSE);
  }

  pollAfter(pause) {
    setTimeout(() => this.poll(), pause);
  }

  async poll() {
    let pause = PAUSE;
    try {
      const answer = await fetch(this.section.dataset.progress, { headers: { "X-Requested-With": "fetch" } });
      if (!answer.ok) return location.reload();
      const progress = await answer.json();
      if (!progress.goes_on) return this.finish();
      this.show(progress);
    } catch {
      this.announce("The server is not responding. Retrying.", { visibly: true });
      pause = PAUSE_AFTER_SILENCE;
    }
    this.pollAfter(pause);
  }

  show(progress) {
    this.section.dataset.state = progress.state;
    this.section.querySelector("[data-bar]").value = progress.share;
    this.section.querySelector("[data-words]").lastChild.data = progress.words;
    for (const cell of this.section.querySelectorAll("[data-value]")) cell.textContent = progress[cell.dataset.value];
    document.title = `${progress.percent} of ${progress.title}`;
    this.announce(progress.say);
  }

  // Screen readers hear of every tenth part, not of every second.
  announce(words, { visibly = false } = {}) {
    const line = this.section.querySelector("[data-say]");
    line.classList.toggle("hidden-words", !visibly);
    line.classList.toggle("problem", visibly);
    if (words !== this.announced) line.textContent = this.announced = words;
  }

  // Where the server can send the section alone, it is replaced; otherwise the whole page is loaded again.
  async finish() {
    if (!("fragment" in this.section.dataset)) {
      location.hash = this.section.id;
      return location.reload();
    }
    const answer = await fetch(location.pathname, { headers: { "X-Requested-With": "fetch" } });
    if (!answer.ok) return location.reload();
    const draft = document.createElement("template");
    draft.innerHTML = await answer.text();
    const state = draft.content.querySelector("#state");
    this.section.replaceWith(draft.content);
    document.title = `${state.textContent.trim()}: ${document.querySelector("h1").textContent}`;
    state.focus();
  }
}

for (const section of document.querySelectorAll("[data-progress]")) new Progress(section);
