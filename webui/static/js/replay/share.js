// The dialog that passes on the step that is shown: its address, picture and text, the record, and HTML to embed it.
import { copyText } from "../studies/clipboard.js";
import { PictureMaker, sendToOthers } from "./share_picture.js";

const COPIED = {
  link: "The link is copied.",
  text: "The position is copied as text.",
  embed: "The HTML is copied.",
  question: "The link that asks is copied.",
  record: "The link that holds the record is copied.",
  together: "The link that moves with you is copied.",
};

export class ShareDialog {
  constructor(root, page, { address }) {
    this.dialog = page.querySelector("[data-share]");
    this.address = address;
    this.link = this.dialog.querySelector("[data-share-link]");
    this.asked = this.dialog.querySelector("[data-question]");
    this.status = this.dialog.querySelector("[data-share-status]");
    this.embedCode = root.querySelector("[data-embed-code]");
    this.makers = {
      link: () => this.link.value,
      together: () => this.dialog.querySelector("[data-together-link]").value,
      embed: () => this.embedCode.value,
      question: () => this.question,
      record: (button) => this.atStep(button.dataset.address),
      text: async (button) => (await fetch(this.atStep(button.dataset.address))).text(),
    };
    this.dialog.addEventListener("click", (event) => {
      const button = event.target.closest("[data-copy]");
      if (button) this.copy(button);
    });
    const form = this.dialog.querySelector("[data-picture]");
    const maker = { atStep: (text) => this.atStep(text), say: (...words) => this.say(...words) };
    this.picture = form && new PictureMaker(form, maker);
    this.dialog.addEventListener("close", () => this.picture?.clear());
    const send = this.dialog.querySelector("[data-send-link]");
    send.hidden = !navigator.share;
    send.addEventListener("click", () => sendToOthers({ url: this.link.value }));
    root.querySelector("[data-share-open]").addEventListener("click", () => this.open());
  }

  open() {
    this.say("");
    this.link.value = this.atStep(this.link.value);
    if (this.asked) this.asked.hidden = !this.question;
    this.dialog.showModal();
    this.link.select();
  }

  // The address that asks what was better than the mistake at the step that is shown, if there is one.
  get question() {
    const { addresses } = this.asked.querySelector("[data-addresses]").dataset;
    return JSON.parse(addresses)[new URLSearchParams(this.address()).get("step")];
  }

  // An address of the same view, at the step that is shown.
  atStep(text) {
    const address = new URL(text, location.href);
    for (const [name, value] of new URLSearchParams(this.address())) {
      if (name !== "record" && name !== "follow") address.searchParams.set(name, value);
    }
    return String(address);
  }

  async copy(button) {
    const name = button.dataset.copy;
    const words = await this.makers[name](button);
    this.say(
      (await copyText(words))
        ? COPIED[name]
        : "This browser does not let pages copy. Mark the text and copy it yourself.",
    );
  }

  say(words, { isProblem = false } = {}) {
    this.status.textContent = words;
    this.status.classList.toggle("problem", isProblem);
  }
}
