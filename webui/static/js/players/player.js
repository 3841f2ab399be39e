// A player's page: its tabs, and whether the reader is this player, which the device keeps.
import { bindTabs } from "../tabs.js";
import { OWN_NAME } from "./own_page.js";

const open = bindTabs(document.querySelector("[data-tabs]"));
const me = document.querySelector("[data-me]");

function openPanelOf(hash) {
  const target = document.getElementById(decodeURIComponent(hash.slice(1)));
  const panel = target?.closest("[role=tabpanel]");
  if (!panel) return;
  open(panel.getAttribute("aria-labelledby"), { quiet: true });
  target.scrollIntoView();
}

function showMe(name) {
  const isMe = name === me.dataset.me;
  me.setAttribute("aria-pressed", String(isMe));
  document.querySelector("[data-me-says]").textContent = isMe
    ? "Saved on this device. The pages under “Club” now link here."
    : "";
}

me.addEventListener("click", () => {
  const name = me.getAttribute("aria-pressed") === "true" ? "" : me.dataset.me;
  try {
    localStorage.setItem(OWN_NAME, name);
  } catch {
    // A device that keeps nothing forgets it with the page.
  }
  showMe(name);
});
addEventListener("hashchange", () => openPanelOf(location.hash));
try {
  showMe(localStorage.getItem(OWN_NAME) ?? "");
} catch {
  showMe("");
}
openPanelOf(location.hash);
