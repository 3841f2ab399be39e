// On a phone what is said of a step is a sheet below the table. The page scrolls it over the table: a finger or a wheel
// moves it as it scrolls any page; its grip pulls it up and down by click or key.

export class Sheet {
  constructor(root, signal) {
    this.sheet = root.querySelector("[data-sheet]");
    this.grip = root.querySelector("[data-grip]");
    this.grip.addEventListener("click", () => this.move(!this.isUp()));
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

  move(up) {
    const top = up ? this.sheet.getBoundingClientRect().top + scrollY - innerHeight / 5 : 0;
    scrollTo({ top, behavior: "instant" });
  }
}
