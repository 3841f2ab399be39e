// Your own settings, kept in this browser: four suit colours, no motion, who sits below.
export function bindSettings(root, onChange = () => {}) {
  for (const button of root.querySelectorAll("[data-setting]")) {
    const name = button.dataset.setting;
    const update = () =>
      button.setAttribute("aria-pressed", String(name in document.documentElement.dataset));
    button.addEventListener("click", () => {
      const on = !(name in document.documentElement.dataset);
      document.documentElement.toggleAttribute(`data-${name}`, on);
      try {
        localStorage.setItem(name, on ? "on" : "");
      } catch {
        /* a private window */
      }
      update();
      onChange(name);
    });
    update();
  }
}
