// Shows another page of the table in place of this one. The server makes it as it makes every page, so that what a view
// hides is never sent; only the reload is spared. Keys pressed meanwhile wait, and then go to the new page.
const ACTIVE = ["data-go", "data-view", "data-jump", "data-undo"];

export class InPlace {
  constructor(start) {
    this.main = document.getElementById("main");
    this.start = start;
    this.waitingKeys = null;
    addEventListener("keydown", (event) => this.hold(event), true);
    addEventListener("popstate", () => this.goBack());
    this.begin({});
  }

  begin(kept) {
    this.shown = withoutStep(location);
    this.leaving = new AbortController();
    this.page = this.start({ signal: this.leaving.signal, room: this, kept }) ?? {};
  }

  hold(event) {
    if (!this.waitingKeys || event.altKey || event.ctrlKey || event.metaKey || event.key === "Tab")
      return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { key, code, shiftKey } = event;
    this.waitingKeys.push({ key, code, shiftKey });
  }

  // A step of the page that is shown needs no other page.
  goBack() {
    const step = new URLSearchParams(location.search).get("step");
    if (withoutStep(location) === this.shown) this.page.go?.(Number(step ?? 0));
    else this.visit(location.href, { record: "none" });
  }

  // Where the server has no such page, `gone` is called instead of leaving for the page that says so.
  async visit(address, { record = "push", gone = null } = {}) {
    if (this.waitingKeys) return null;
    this.waitingKeys = [];
    this.main.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      if (answer.status === 204) return null; // as browsers do: nothing to show
      if (answer.status === 404 && gone) return gone();
      const next = await tablePage(answer);
      if (!next) return location.assign(address);
      if (record !== "none") history[`${record}State`](null, "", address);
      return this.show(next);
    } catch {
      return sayNoConnection();
    } finally {
      this.sendKeys();
    }
  }

  // Another page of the site, which a key leads to: without a connection the browser would leave for a page of its own.
  async leaveFor(address) {
    try {
      await fetch(document.querySelector('link[type="image/svg+xml"]').href, { cache: "no-store" });
    } catch {
      return sayNoConnection();
    }
    return location.assign(address);
  }

  show(next) {
    const kept = this.page.keep?.() ?? {};
    const active = this.main.contains(document.activeElement) && selectorOf(document.activeElement);
    const scrolled = scrollY;
    this.leaving.abort();
    document.title = next.title;
    const parts = [...next.getElementById("main").children].filter(
      (part) => !part.matches(".sprite"),
    );
    for (const part of [...this.main.children]) if (!part.matches(".sprite")) part.remove();
    this.main.append(...parts);
    scrollTo(0, scrolled);
    this.begin(kept);
    if (active)
      (this.main.querySelector(active) ?? this.main.querySelector("[data-focus-next]"))?.focus({
        preventScroll: true,
      });
  }

  sendKeys() {
    const keys = this.waitingKeys;
    this.waitingKeys = null;
    this.main.removeAttribute("aria-busy");
    for (const each of keys) {
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent("keydown", { ...each, bubbles: true, cancelable: true }),
      );
    }
  }
}

// Lets screen readers say the status of a page that came in place: they hear a change of a text that was there.
export function announce(root) {
  const say = root.querySelector("[role=status]");
  const words = say.textContent;
  say.textContent = "";
  requestAnimationFrame(() => {
    say.textContent = words;
  });
}

// A notice above everything, until the next key or click.
function sayNoConnection() {
  const notice = document.createElement("p");
  notice.className = "notice no-connection";
  notice.setAttribute("role", "alert");
  notice.textContent = "There is no connection to the site. What is shown here stays; try again.";
  document.querySelector(".no-connection")?.remove();
  document.body.append(notice);
  const away = () => notice.remove();
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, away, { once: true });
}

async function tablePage(answer) {
  if (answer.status !== 200) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector("#main [data-felt]") ? page : null;
}

function selectorOf(element) {
  const name = ACTIVE.find((each) => element?.hasAttribute(each));
  if (name) return `[${name}="${element.getAttribute(name)}"]`;
  return element.id ? `#${element.id}` : "[data-focus-next]";
}

function withoutStep({ pathname, search }) {
  const query = new URLSearchParams(search);
  for (const name of ["step", "tab", "best"]) query.delete(name);
  query.sort();
  return `${pathname}?${query}`;
}
