// The list of keys, made from those that the page's links and buttons name; `?` opens it.
export class KeyHelp {
  constructor(root, page) {
    this.dialog = page.querySelector("[data-help]");
    const listed = new Set();
    for (const element of root.querySelectorAll("[aria-keyshortcuts]")) {
      const key = element.getAttribute("aria-keyshortcuts");
      if (listed.has(key)) continue;
      listed.add(key);
      this.dialog
        .querySelector("dl")
        .append(row(key, element.ariaLabel ?? element.firstElementChild.textContent));
    }
    for (const button of root.querySelectorAll("[data-help-open]"))
      button.addEventListener("click", () => this.open());
  }

  open() {
    this.dialog.showModal();
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
