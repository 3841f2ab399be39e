// On a phone what is said of a step is a sheet below the table. The page scrolls it over the table: a finger drags it as
// it scrolls any page; its grip pulls it up and down by click, key or mouse.
const SLIPPED = 6; // pixels: a mouse that moves less has clicked

export class Sheet {
  constructor(root, signal) {
    this.sheet = root.querySelector("[data-sheet]");
    this.grip = root.querySelector("[data-grip]");
    this.dragged = false;
    this.grip.addEventListener("click", () => this.click());
    this.grip.addEventListener("pointerdown", (event) => this.drag(event));
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.isUp()) this.move(false);
    });
    addEventListener("scroll", () => this.tell(), { passive: true, signal });
  }

  isUp() {
    return scrollY > innerHeight / 5;
  }

  tell() {
    const wanted = String(this.isUp());
    if (this.grip.getAttribute("aria-expanded") !== wanted)
      this.grip.setAttribute("aria-expanded", wanted);
  }

  click() {
    if (this.dragged) this.dragged = false;
    else this.move(!this.isUp());
  }

  move(up) {
    const top = up ? this.sheet.getBoundingClientRect().top + scrollY - innerHeight / 5 : 0;
    scrollTo({ top, behavior: "instant" });
  }

  drag(event) {
    if (event.pointerType !== "mouse") return;
    const start = { y: event.clientY, scroll: scrollY };
    const pull = (moved) => {
      this.dragged ||= Math.abs(moved.clientY - start.y) > SLIPPED;
      if (this.dragged) scrollTo({ top: start.scroll + start.y - moved.clientY });
    };
    this.grip.setPointerCapture(event.pointerId);
    // A busy page may hear of where the mouse went only when it is let go.
    const heard = ["pointermove", "pointerup"];
    for (const each of heard) this.grip.addEventListener(each, pull);
    this.grip.addEventListener(
      "lostpointercapture",
      () => {
        for (const each of heard) this.grip.removeEventListener(each, pull);
      },
      { once: true },
    );
  }
}
