// A record that somebody has as a file: JSON or the notation, one or several, compressed or not. The server reads it; without
// a connection the device reads one record in JSON.
import { errorText } from "./keeping.js";
import { button } from "./pack.js";
import { tell } from "./standing.js";

const OPENED_FILE = "file";

export class OpenedFile {
  constructor(field, list, open) {
    Object.assign(this, { list, open });
    field.addEventListener("change", () => {
      const [file] = field.files;
      if (file) this.read(file);
      field.value = "";
    });
  }

  async read(file) {
    this.list.replaceChildren();
    tell("");
    let answer;
    try {
      const address = `${this.list.dataset.records}?${new URLSearchParams({ name: file.name })}`;
      answer = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/octet-stream", "X-Requested-With": "fetch" },
        body: file,
      });
    } catch {
      return this.readHere(file);
    }
    if (!answer.ok) return tell(await errorText(answer), { bad: true });
    const { records, problems, further } = await answer.json();
    if (records.length === 1 && !problems.length && !further) return this.openRecord(records[0]);
    if (records.length) this.choose(file, records, further);
    const words = problems.join(" ") || `${file.name} holds no record.`;
    if (problems.length || !records.length) tell(words, { bad: true });
  }

  async readHere(file) {
    try {
      this.open(JSON.parse(await file.text()), OPENED_FILE);
    } catch {
      tell(`There is no connection, and ${file.name} is not one record in JSON.`, { bad: true });
    }
  }

  openRecord({ record, digest }) {
    this.list.replaceChildren();
    this.open(record, digest);
  }

  choose(file, records, further) {
    const line = document.createElement("p");
    const more = further ? ` Only the first ${records.length} are listed.` : "";
    line.textContent = `${file.name} holds several records. Which one?${more}`;
    const lines = document.createElement("ul");
    lines.className = "plain-list";
    for (const each of records) {
      const item = document.createElement("li");
      item.append(button(each.words, () => this.openRecord(each)));
      lines.append(item);
    }
    this.list.replaceChildren(line, lines);
    lines.querySelector("button").focus();
  }
}
