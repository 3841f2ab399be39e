// A player's page: its tabs, and whether the reader is this player, which the device keeps.
import { bindTabs } from "../tabs.js";

const KEPT = "me";
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
    ? "Kept on this device: “Club” leads here with one tap."
    : "";
}

me.addEventListener("click", () => {
  const name = me.getAttribute("aria-pressed") === "true" ? "" : me.dataset.me;
  try {
    localStorage.setItem(KEPT, name);
  } catch {
    // A device that keeps nothing forgets it with the page.
  }
  showMe(name);
});
addEventListener("hashchange", () => openPanelOf(location.hash));
try {
  showMe(localStorage.getItem(KEPT) ?? "");
} catch {
  showMe("");
}
openPanelOf(location.hash);
