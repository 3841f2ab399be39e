// Runs before the page is drawn: says that there is script, and keeps the reader's choice of colours.
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const kept = (() => {
    try { return localStorage.getItem("theme"); } catch { return null; }
  })();
  root.classList.add("js");
  for (const name of ["deck", "still"]) {
    try { root.toggleAttribute(`data-${name}`, localStorage.getItem(name) === "on"); } catch { /* a private window */ }
  }
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;

  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const tell = (button) => button.setAttribute("aria-pressed", String(isDark()));

  function toggle(button) {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* a private window */ }
    tell(button);
    dispatchEvent(new Event("themechange"));
  }

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-toggle]");
    if (!button) return;
    tell(button);
    button.addEventListener("click", () => toggle(button));
    dark.addEventListener("change", () => {
      tell(button);
      dispatchEvent(new Event("themechange"));
    });
  });
})();
