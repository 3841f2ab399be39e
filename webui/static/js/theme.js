// Runs before the page is drawn, so that it appears in your choice of colours at once; also marks that scripts run.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const stored = (() => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  })();
  root.classList.add("js");
  for (const name of ["deck", "still", "decider"]) {
    try {
      root.toggleAttribute(`data-${name}`, localStorage.getItem(name) === "on");
    } catch {
      /* a private window */
    }
  }
  if (stored === "light" || stored === "dark") root.dataset.theme = stored;

  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const update = (button) => button.setAttribute("aria-pressed", String(isDark()));

  function toggle(button) {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {
      /* a private window */
    }
    update(button);
    dispatchEvent(new Event("themechange"));
  }

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-toggle]");
    if (!button) return;
    update(button);
    button.addEventListener("click", () => toggle(button));
    dark.addEventListener("change", () => {
      update(button);
      dispatchEvent(new Event("themechange"));
    });
  });
})();
