// The list of events: the line of the step is marked and kept in sight, and is the one stop of the Tab key in the list.
// A filter leaves a part of it: of what the review says, the costliest comes first.
export class EventList {
  constructor(root, go, signal) {
    this.panel = root.querySelector("#panel-events");
    this.lines = [...root.querySelectorAll("[data-events] [data-step]")];
    this.current = root.querySelector("[data-events] [aria-current]");
    for (const link of root.querySelectorAll("[data-events] a")) link.tabIndex = -1;
    this.list = root.querySelector("[data-events]");
    this.filter = "";
    this.moveStop();
    this.filters = [...root.querySelectorAll("[data-filter]")];
    this.panel.addEventListener("keydown", (event) => this.moveByKey(event, go));
    // The charts above the list appear later and make it shorter.
    const observer = new ResizeObserver(() => this.scrollToCurrent());
    observer.observe(this.panel);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  show(step) {
    const hasFocus =
      this.panel.contains(document.activeElement) && document.activeElement.matches(".event");
    this.current?.removeAttribute("aria-current");
    this.current = this.lines[step];
    this.current.setAttribute("aria-current", "step");
    this.moveStop();
    if (hasFocus) this.current.focus({ preventScroll: true });
  }

  // The lines that the filter leaves, as they stand.
  shown() {
    const lines = [...this.list.querySelectorAll("[data-step]")];
    return this.filter ? lines.filter((line) => line.offsetParent) : lines;
  }

  // The one stop of the Tab key: the line of the step, or the first that is shown where the filter hides that.
  moveStop() {
    const stop = this.filter && !this.current.offsetParent ? this.shown()[0] : this.current;
    if (this.stop) this.setStops(this.stop, -1);
    this.stop = stop;
    if (stop) this.setStops(stop, 0);
  }

  // The line itself, and the links of the notes below it.
  setStops(line, tabIndex) {
    for (const link of line.parentElement.querySelectorAll("a")) link.tabIndex = tabIndex;
  }

  // Leaves the lines of one kind; all again if it is empty, or there is no such filter.
  showOnly(name) {
    const chosen = this.filters.find((button) => button.dataset.filter === name) ?? this.filters[0];
    this.filter = chosen.dataset.filter;
    this.panel.dataset.only = this.filter;
    for (const button of this.filters) {
      button.setAttribute("aria-pressed", String(button === chosen));
    }
    const rows = this.lines.map((line) => line.parentElement);
    if (this.filter === "review") rows.sort((one, other) => costOf(other) - costOf(one));
    this.list.append(...rows);
    this.moveStop();
    this.scrollToCurrent();
  }

  // Up and down lead to the neighbours of a line that has the focus; elsewhere these keys lead from trick to trick.
  moveByKey(event, go) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by || !event.target.matches(".event") || event.altKey || event.ctrlKey || event.metaKey)
      return;
    event.preventDefault();
    event.stopPropagation();
    const shown = this.shown();
    const next = shown[shown.indexOf(event.target) + by];
    if (next) go(Number(next.dataset.step));
  }

  scrollToCurrent() {
    if (this.filter && !this.current.offsetParent) return;
    const { offsetTop, offsetHeight } = this.current.parentElement;
    const above = offsetTop - this.panel.scrollTop;
    if (above < 40 || above + offsetHeight > this.panel.clientHeight - 40) {
      this.panel.scrollTop = offsetTop - this.panel.clientHeight / 2;
    }
  }

  // The list begins with lines out of sight left out of the layout, for speed. Left out for good, they would cost
  // the browser a look at every step.
  layOut() {
    this.panel.classList.add("whole");
    this.scrollToCurrent();
  }
}

const costOf = (row) => Number(row.dataset.cost ?? 0);
