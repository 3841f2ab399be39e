// Tabs: one panel open at a time, arrow keys between them. Until then they are links, and what was followed stays open.
export function bindTabs(list, onOpen = () => {}) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const open = (tab, { quiet = false } = {}) => {
    for (const other of tabs) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).classList.toggle("open", chosen);
    }
    if (!quiet) onOpen(tab.id);
  };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (!tab) return;
    event.preventDefault();
    open(tab);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, " ": 0 }[event.key];
    if (step === undefined) return;
    const shown = tabs.filter((tab) => tab.offsetParent);
    const next =
      shown[
        (shown.indexOf(event.target.closest("[role=tab]")) + step + shown.length) % shown.length
      ];
    event.preventDefault();
    event.stopPropagation();
    open(next);
    next.focus();
  });
  const followed = tabs.find((tab) => tab.hash === location.hash);
  if (followed) open(followed, { quiet: true });
  list.dataset.ready = "";
  return (id, how) => open(document.getElementById(id), how);
}
