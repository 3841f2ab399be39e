// The list of keys, of those that the page names at its links and buttons: `?` opens it.
export class Help {
  constructor(root, page) {
    this.box = page.querySelector("[data-help]");
    const known = new Set();
    for (const element of root.querySelectorAll("[aria-keyshortcuts]")) {
      const key = element.getAttribute("aria-keyshortcuts");
      if (known.has(key)) continue;
      known.add(key);
      this.box.querySelector("dl").append(row(key, element.ariaLabel ?? element.firstElementChild.textContent));
    }
    for (const button of root.querySelectorAll("[data-help-open]")) button.addEventListener("click", () => this.open());
  }

  open() {
    this.box.showModal();
  }
}

const SIGNS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

function row(key, words) {
  const line = document.createElement("div");
  const name = document.createElement("dt");
  const sign = document.createElement("kbd");
  sign.textContent = SIGNS[key] ?? key.replace("Shift+", "⇧");
  sign.dataset.key = key;
  name.append(sign);
  const does = document.createElement("dd");
  does.textContent = words;
  line.append(name, does);
  return line;
}
