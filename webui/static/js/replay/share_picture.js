// The part of the share dialog that makes a picture of the step, or lets a trick, a moment or the whole deal move.
const PAUSE = 400; // milliseconds
const WORDS = {
  making: "The picture is being made.",
  made: "The picture is made.",
  failed: "The picture could not be made. Try again in a moment.",
};
const MEGABYTE = 1e6;

export class PictureMaker {
  constructor(form, { atStep, say }) {
    this.form = form;
    this.atStep = atStep;
    this.say = say;
    this.part = (name) => form.querySelector(`[data-picture-${name}]`);
    this.bar = this.part("bar");
    this.made = this.part("made");
    this.part("span").addEventListener("change", () => this.offerFormats());
    form.addEventListener("change", () => this.clear());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.make();
    });
    this.part("send").addEventListener("click", () => sendToOthers({ files: [this.file] }));
    this.offerFormats();
  }

  get isStill() {
    return this.part("span").value === "step";
  }

  offerFormats() {
    this.part("format").hidden = this.isStill;
    this.part("format-still").hidden = !this.isStill;
  }

  // Nothing of another step or choice stays in sight; what is still under way is not waited for.
  clear() {
    this.asked?.abort();
    this.asked = null;
    this.bar.hidden = this.made.hidden = true;
    URL.revokeObjectURL(this.shown);
  }

  // The address of the picture in a format, with what was chosen.
  address(format, choices) {
    const address = this.chosen(this.form.dataset.address, choices);
    address.pathname = address.pathname.replace(/gif$/, format);
    return address;
  }

  chosen(text, choices) {
    const address = new URL(this.atStep(text));
    for (const [name, value] of Object.entries(choices)) address.searchParams.set(name, value);
    return address;
  }

  async make() {
    this.clear();
    const asked = (this.asked = new AbortController());
    const format = this.part(this.isStill ? "format-still" : "format").value;
    const size = this.part("size").value;
    const choices = this.isStill ? { size, wide: 1 } : { size, span: this.part("span").value };
    this.say(WORDS.making);
    this.showShare(0);
    if (!this.isStill) this.follow({ ...choices, format }, asked.signal);
    try {
      const answer = await fetch(this.address(format, choices), { signal: asked.signal });
      if (!answer.ok) throw new Error(answer.statusText);
      const blob = await answer.blob();
      if (!asked.signal.aborted) this.show(blob, format);
    } catch {
      if (!asked.signal.aborted) this.fail();
    }
  }

  fail() {
    this.clear();
    this.say(WORDS.failed, { isProblem: true });
  }

  // The bar, until the picture is there.
  async follow(choices, signal) {
    const address = this.chosen(this.form.dataset.progressAddress, choices);
    while (!signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (signal.aborted || this.bar.hidden) return;
      const answer = await fetch(address, { signal }).catch(() => null);
      if (answer?.ok) this.showShare((await answer.json()).share);
    }
  }

  showShare(share) {
    this.bar.hidden = false;
    this.bar.querySelector("progress").value = share;
    this.bar.querySelector("b").textContent = `${Math.floor(100 * share)} %`;
  }

  show(blob, format) {
    this.asked.abort();
    this.bar.hidden = true;
    const name = `${document.title}.${format}`.replace(/[^\p{L}\p{N}.]+/gu, "-");
    this.file = new File([blob], name, { type: blob.type });
    this.shown = URL.createObjectURL(blob);
    // Who wants no motion sees the step; the file moves where it is sent.
    const isQuiet = !this.isStill && matchMedia("(prefers-reduced-motion: reduce)").matches;
    const image = this.made.querySelector("img");
    image.src = isQuiet ? this.address("png", { size: "small" }) : this.shown;
    image.alt = `${this.part("span").selectedOptions[0].text}: ${document.title}`;
    this.made.querySelector("figcaption span").textContent =
      `${format.toUpperCase()}, ${sizeWords(blob.size)}${isQuiet ? ". The file is animated; this preview is not." : ""}`;
    const save = this.part("save");
    save.href = this.shown;
    save.download = name;
    this.part("send").hidden = !navigator.canShare?.({ files: [this.file] });
    this.made.hidden = false;
    this.say(WORDS.made);
    save.focus();
  }
}

function sizeWords(bytes) {
  return bytes < MEGABYTE ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}

// The device's own sheet; who closes it has changed their mind.
export function sendToOthers(what) {
  navigator.share({ title: document.title, ...what }).catch(() => {});
}
