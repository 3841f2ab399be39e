// Progress of work behind a page: its numbers while it runs, and the result at the end. A page may show several.
const PAUSE = 1000; // milliseconds
const PAUSE_AFTER_SILENCE = 4000;
const PAUSE_BETWEEN_FINDS = 5000;

class Progress {
  constructor(section) {
    this.section = section;
    this.announced = "";
    this.list = section.querySelector("[data-found]");
    this.asked = -PAUSE_BETWEEN_FINDS;
    this.pollAfter(PAUSE);
  }

  pollAfter(pause) {
    setTimeout(() => this.poll(), pause);
  }

  async poll() {
    let pause = PAUSE;
    try {
      const answer = await fetch(this.section.dataset.progress, {
        headers: { "X-Requested-With": "fetch" },
      });
      if (!answer.ok) return location.reload();
      const progress = await answer.json();
      if (!progress.goes_on) return this.finish();
      await this.showFound(progress);
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
    for (const cell of this.section.querySelectorAll("[data-value]"))
      cell.textContent = progress[cell.dataset.value];
    document.title = `${progress.percent} of ${progress.title}`;
    this.announce(progress.say);
  }

  // What has been found so far: asked for when more has been done and a while later, or before a tenth part is announced.
  async showFound(progress) {
    const isEarly =
      progress.say === this.announced && performance.now() < this.asked + PAUSE_BETWEEN_FINDS;
    if (!this.list || progress.share === this.share || isEarly) return;
    this.asked = performance.now();
    const answer = await fetch(this.list.dataset.found, {
      headers: { "X-Requested-With": "fetch" },
    });
    if (answer.status !== 200) return; // it has just ended
    this.share = progress.share;
    const draft = document.createElement("template");
    draft.innerHTML = await answer.text();
    this.exchangeParts([...draft.content.children]);
  }

  // Only parts that have changed are exchanged: where one reads or points, nothing moves without need.
  exchangeParts(parts) {
    const link =
      this.list.contains(document.activeElement) && document.activeElement.getAttribute("href");
    let last = null;
    for (const part of parts) {
      const old = document.getElementById(part.id);
      keepOpen(old, part);
      const kept = old?.isEqualNode(part) ? old : part;
      if (old && kept !== old) old.replaceWith(kept);
      const place = last ? last.nextElementSibling : this.list.firstElementChild;
      if (place !== kept) {
        if (last) last.after(kept);
        else this.list.prepend(kept);
      }
      last = kept;
    }
    for (const old of [...this.list.children])
      if (!parts.some((part) => part.id === old.id)) old.remove();
    if (!link || this.list.contains(document.activeElement)) return;
    const again = [...this.list.querySelectorAll("a")].find(
      (each) => each.getAttribute("href") === link,
    );
    (again ?? this.list.parentElement).focus({ preventScroll: true });
  }

  // Screen readers hear of every tenth part, not of every second, and then of what has been found.
  announce(words, { visibly = false } = {}) {
    const line = this.section.querySelector("[data-say]");
    line.classList.toggle("hidden-words", !visibly);
    line.classList.toggle("problem", visibly);
    if (words === this.announced) return;
    this.announced = words;
    const found = visibly ? null : this.list?.firstElementChild;
    line.textContent = found ? `${words}, ${found.textContent}` : words;
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

// What a reader has unfolded stays so.
function keepOpen(old, part) {
  if (!old) return;
  const before = [old, ...old.querySelectorAll("details")].filter((each) => each.open);
  const words = new Set(before.map((each) => each.firstElementChild.textContent));
  for (const each of [part, ...part.querySelectorAll("details")])
    if (each.matches("details") && words.has(each.firstElementChild.textContent)) each.open = true;
}

for (const section of document.querySelectorAll("[data-progress]")) new Progress(section);
