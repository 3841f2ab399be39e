// The drop zone: sends files as they are dropped, and shows the verdicts without loading the page again.
import "../back.js";
import { forget, keep, kept } from "./kept_upload.js";
import { packFiles, pathOf } from "./tar.js";

const form = document.querySelector("[data-drop]");
const verdicts = document.querySelector("[data-verdicts]");
const files = form.querySelector("input[type=file]");
const problem = form.querySelector("[data-problem]");
const folder = form.querySelector("[data-folder]");
const waiting = form.querySelector("[data-waiting]");
const stored = document.querySelector("[data-stored]");

const MEGABYTE = 1e6;
const MOST_SENT_SINGLY = 100;

async function send(body) {
  if (form.classList.contains("busy")) return; // a second click sends nothing again
  const size = body.getAll("files").reduce((sum, file) => sum + file.size, 0);
  form.classList.add("busy");
  problem.hidden = true;
  showMessage(size > MEGABYTE ? `Sending ${Math.round(size / MEGABYTE)} MB…` : "Looking…");
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body,
      headers: { "X-Requested-With": "fetch" },
    });
    // What is only looked at stays here until it is stored or discarded.
    if (answer.redirected) return location.assign(answer.url);
    if (answer.ok) {
      await Promise.all([forget("files"), forget("text")]);
      waiting.hidden = true;
      verdicts.innerHTML = await answer.text();
      rememberAddress(answer.headers.get("Content-Location"));
      showStoredGames();
    } else showMessage(await errorText(answer), { bad: true });
  } catch {
    showMessage("The server is not responding. Try again.", { bad: true });
  }
  form.classList.remove("busy");
  files.value = folder.value = "";
  verdicts.focus({ preventScroll: true });
  verdicts.scrollIntoView({ block: "start" });
}

// The verdicts have an address of their own: reloading shows them again, and so does going back to them.
function rememberAddress(address) {
  if (address) history.pushState(null, "", address);
}

// The list of games below, which may have a new one. If it does not come, the old list stays.
async function showStoredGames() {
  if (!stored) return;
  try {
    const answer = await fetch(stored.dataset.stored);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    stored.replaceChildren(...page.querySelector("[data-stored]").childNodes);
  } catch {}
}

async function errorText(answer) {
  try {
    if (answer.headers.get("Content-Type")?.startsWith("text/plain")) return await answer.text(); // the proxy's word
    return (await answer.json()).error.text;
  } catch {
    return `The server answered with error ${answer.status}.`;
  }
}

function showMessage(words, { bad = false } = {}) {
  const line = document.createElement("p");
  line.className = bad ? "problem" : "muted";
  if (bad) line.setAttribute("role", "alert");
  line.textContent = words;
  verdicts.replaceChildren(line);
}

// Many files are packed into one: the server takes a few hundred at a time.
async function sendFiles(dropped) {
  await keep("files", {
    files: [...dropped],
    paths: dropped.map(pathOf),
    chosen: Date.now(),
  });
  const body = new FormData();
  body.set("csrf_token", form.elements.csrf_token.value);
  const sent =
    dropped.length > MOST_SENT_SINGLY
      ? [packFiles(dropped, `${folderOf(dropped[0])}.tar`)]
      : dropped;
  for (const file of sent) body.append("files", file);
  send(body);
}

function folderOf(file) {
  return pathOf(file).includes("/") ? pathOf(file).split("/")[0] : "files";
}

function sendRecords(found) {
  const endings = files.accept.split(",");
  const records = found.filter((file) =>
    endings.some((ending) => file.name.toLowerCase().endsWith(ending)),
  );
  if (records.length) return sendFiles(records);
  showMessage(`The folder has no records: none of its files ends in ${files.accept}.`, {
    bad: true,
  });
}

// What was dropped: files as they are, and of folders all files that may have records.
async function sendDropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return sendFiles([...transfer.files]);
  showMessage("Reading the folder…");
  try {
    const found = [];
    for (const entry of entries) await addFiles(entry, found);
    sendRecords(found);
  } catch {
    showMessage("The folder cannot be read. Choose its files, or pack it as ZIP.", { bad: true });
  }
}

async function addFiles(entry, found) {
  if (entry.name.startsWith(".")) return;
  if (entry.isFile) {
    const file = await new Promise((done, failed) => entry.file(done, failed));
    file.path = entry.fullPath.slice(1);
    found.push(file);
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return;
    for (const inside of some) await addFiles(inside, found);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (files.files.length || form.elements.record.value.trim()) return send(new FormData(form));
  // The verdicts of what was sent before stay.
  problem.textContent = verdicts.childElementCount
    ? "Everything you chose has been checked. Choose other files, or paste a record."
    : "Choose a file first, or paste a record.";
  problem.hidden = false;
});
files.addEventListener("change", () => {
  if (files.files.length) sendFiles([...files.files]);
});

folder.addEventListener("change", () => {
  // What systems hide is in no folder that is dropped, either.
  const shown = [...folder.files].filter((file) => !/(^|\/)\./.test(file.webkitRelativePath));
  if (folder.files.length) sendRecords(shown);
});

// What was chosen or typed before, and never arrived.
async function offerKept() {
  const text = form.elements.record;
  text.addEventListener("input", () => (text.value ? keep("text", text.value) : forget("text")));
  const before = await kept("text");
  // Somebody may have typed meanwhile.
  if (before && !text.value) text.value = before;
  const chosen = await kept("files");
  if (!chosen) return;
  const size = Math.ceil(chosen.files.reduce((sum, file) => sum + file.size, 0) / 1000);
  const day = new Date(chosen.chosen).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
  });
  const number = chosen.files.length === 1 ? "1 file" : `${chosen.files.length} files`;
  waiting.querySelector("[data-words]").textContent =
    `You chose ${number} (${size.toLocaleString("en")} kB) on ${day}, and have not stored them.`;
  chosen.files.forEach((file, number) => (file.path = chosen.paths[number]));
  waiting.querySelector("[data-send]").onclick = () => sendFiles(chosen.files);
  waiting.querySelector("[data-forget]").onclick = () => {
    forget("files");
    waiting.hidden = true;
    files.focus();
  };
  waiting.hidden = false;
}
offerKept();

// Browsers report entering and leaving for every element under the files: only the sum says whether they are here.
let depth = 0;
const countDrag = (change) => {
  depth = Math.max(0, depth + change);
  form.classList.toggle("over", depth > 0);
};
// Back from another page, all is as before the click.
addEventListener("pageshow", () => form.classList.remove("busy"));
addEventListener("dragenter", (event) => {
  if (event.dataTransfer?.types.includes("Files")) countDrag(1);
});
addEventListener("dragleave", () => countDrag(-1));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  countDrag(-depth);
  if (event.dataTransfer?.files.length) sendDropped(event.dataTransfer);
});
