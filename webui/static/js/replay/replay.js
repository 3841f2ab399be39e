// The replay: which step is shown, and how to get to others. All steps that may be seen came with the page.
import { cardPositions, slideCards } from "../table/motion.js";
import { Autoplay } from "./autoplay.js";
import { bindFigureChoice } from "../charts/figure_choice.js";
import { showExpectancy } from "../charts/expectancy_chart.js";
import { showOutlook } from "../charts/outlook_chart.js";
import { ScoreRace } from "../charts/score_race.js";
import { BestLine } from "./best_line.js";
import { EventList } from "./event_list.js";
import { InPlace } from "../table/in_place.js";
import { KeyHelp } from "./help.js";
import { bindNotes } from "./notes.js";
import { bindSettings } from "../settings.js";
import { ShareDialog } from "./share.js";
import { bindLesson } from "../table/lesson.js";
import { Sheet } from "../table/sheet.js";
import { TableView, sentences } from "../table/table.js";
import { bindTabs } from "../tabs.js";
import { bindTouch } from "../table/touch.js";
import { bindTogether } from "../table/together.js";
import { CardHistory } from "./card_history.js";
import { KEYS, LINKS, PACES, keyName, markEnd, navigationTargets } from "./navigation.js";

const CHARTED = matchMedia("(min-width: 1040px) and (min-height: 1000px)");

class Replay {
  constructor({ signal, room, kept }) {
    const root = document.querySelector("[data-replay]");
    const deal = readJson("deal");
    const review = readJson("review");
    Object.assign(this, { root, deal, room, signal, addressTimer: 0 });
    this.felt = root.querySelector("[data-felt]");
    this.slider = root.querySelector("[data-slider]");
    this.counter = root.querySelector("[data-number]");
    this.current = Number(this.counter.textContent);
    this.last = deal.steps.length - 1;
    this.links = new Map(
      [...root.querySelectorAll("[data-go]")].map((link) => [link.dataset.go, link]),
    );
    this.views = [...root.querySelectorAll("[data-view]")].map((link) => ({
      link,
      address: aroundStep(link.getAttribute("href")),
    }));
    this.embedCodes = [...root.querySelectorAll("[data-embed-code]")];
    this.comments = [...root.querySelectorAll("[data-comment-step]")];
    this.near = Number(root.querySelector(".near [data-hand]").dataset.hand);
    this.isLimited = new URLSearchParams(location.search).has("see");
    this.outcome = root.querySelector("[data-outcome]");
    this.targets = navigationTargets(deal, review);
    this.jumps = [...root.querySelectorAll("[data-jump]")].filter(
      (button) => button.dataset.jump in this.targets,
    );
    const go = (step) => this.go(step);
    this.table = new TableView(root, deal);
    this.race = new ScoreRace(root.querySelector("[data-score-race]"), deal, go);
    this.events = new EventList(root, go, signal);
    new Sheet(root, signal);
    this.bestLine = review && new BestLine(root, review, deal);
    this.autoplay = new Autoplay(root, deal, {
      shownStep: () => this.current,
      stepOn: () => this.follow("on"),
      goTo: go,
    });
    this.help = new KeyHelp(root, document);
    this.share = new ShareDialog(root, document, {
      address: () => this.address(this.shownParts()),
    });
    bindTogether(root, this.share.dialog, {
      signal,
      room,
      go,
      open: () => this.share.open(),
      shown: () => ({
        digest: root.dataset.replay,
        deal: this.deal.deal + 1,
        step: this.current,
      }),
    });
    this.openTab = bindTabs(root.querySelector("[data-tabs]"), (id) => this.showTab(id));
    new CardHistory(document, deal, go);
    bindTouch(this.felt, (name) => {
      this.autoplay.stop();
      this.follow(name);
    });
    bindFigureChoice(root, () => this.showRace());
    bindSettings(root, () => this.drawStep());
    showExpectancy(signal);
    if (review) showOutlook(review, signal);
    bindNotes(signal);
    bindLesson(root, signal);
    this.listen(signal);
    this.restore(kept);
    this.updatePage();
    this.events.scrollToCurrent();
    whenIdle(() => this.showRace());
    whenIdle(() => this.events.layOut());
  }

  listen(signal) {
    this.root.addEventListener("click", (event) => this.click(event));
    addEventListener("keydown", (event) => this.press(event), { signal });
    addEventListener("themechange", () => this.race.recolour(), { signal });
    CHARTED.addEventListener("change", () => this.showRace(), { signal });
    this.slider.addEventListener("input", () => this.go(this.slider.valueAsNumber));
    this.slider.addEventListener("pointerup", () => this.slider.blur());
    for (const button of this.events.filters) {
      button.addEventListener("click", () => this.filter(button.dataset.filter));
    }
    for (const button of this.jumps) {
      button.addEventListener("click", () => {
        this.autoplay.stop();
        this.follow(button.dataset.jump);
      });
    }
    signal.addEventListener("abort", () => {
      this.autoplay.stop();
      clearTimeout(this.addressTimer);
    });
  }

  // What the address and the page before this one say: which panel is open, whether the best line is shown.
  restore({ tab, best, positions, pace }) {
    const query = new URLSearchParams(location.search);
    const name = tab ?? query.get("tab") ?? "";
    const wanted = this.root.querySelector(`#tab-${CSS.escape(name)}`);
    if (wanted) this.openTab(wanted.id, { quiet: true });
    else if (name) this.events.showOnly(name);
    if (this.bestLine && (best || query.get("best") === "1")) {
      this.bestLine.toggle();
    }
    if (this.bestLine?.open || this.followsDecider()) this.drawStep();
    if (positions) {
      slideCards(this.felt, positions);
      const say = this.root.querySelector("[data-say]");
      const words = say.textContent;
      say.textContent = "";
      requestAnimationFrame(() => {
        say.textContent = words;
      }); // screen readers hear a change
    }
    if (pace) this.autoplay.start(pace);
  }

  // What the next page needs of this one.
  keep() {
    return {
      tab: this.shownPanel(),
      best: this.bestLine?.open,
      positions: cardPositions(this.felt),
      pace: this.autoplay.timer ? this.autoplay.pace : "",
    };
  }

  // Where later steps are hidden, stepping on from the last one asks the server for one more.
  follow(name) {
    if (name.startsWith("mistake") && !this.bestLine.open) this.toggleBestLine();
    const to = this.targets[name](this.current);
    if (name === "on" && to === this.current && this.deal.more) {
      const step = this.current + 1;
      this.room.visit(this.address({ step, until: step }), { record: "replace" });
    } else this.go(to);
  }

  address(changes) {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return `?${query}`;
  }

  go(number) {
    const to = Math.min(Math.max(Math.round(number), 0), this.last);
    if (to === this.current) return;
    const isNext = Math.abs(to - this.current) === 1;
    const before = isNext ? cardPositions(this.felt) : null;
    this.current = to;
    this.drawStep();
    this.events.show(to);
    this.updatePage();
    this.race.move(to);
    this.events.scrollToCurrent();
    slideCards(this.felt, before);
    this.writeAddress();
  }

  // Whether who is to decide sits below: a setting of the reader, where no seat was asked for.
  followsDecider() {
    return "decider" in document.documentElement.dataset && !this.isLimited;
  }

  drawStep() {
    const { current, bestLine } = this;
    const step = this.deal.steps[current];
    this.table.seatNear(this.followsDecider() ? (step.seat ?? this.near) : this.near);
    const headline = bestLine?.toldAt(current)?.headline;
    const more = bestLine?.open ? sentences(step) : step.taken;
    const told = headline ? [headline.replace(/\.$/, "")] : [];
    document.title = [...told, this.root.dataset.title].join(", ");
    this.table.draw(step, headline ? { headline, more } : {});
  }

  // Brings everything around the table to the step shown.
  updatePage() {
    const { current, last } = this;
    this.slider.value = current;
    this.bestLine?.show(current);
    for (const comment of this.comments)
      comment.hidden = Number(comment.dataset.commentStep) !== current;
    if (this.outcome) this.outcome.hidden = current !== last;
    this.slider.setAttribute("aria-valuetext", `Step ${current} of ${last}`);
    this.counter.textContent = current;
    dispatchEvent(new CustomEvent("step", { detail: current }));
    this.updateLinks();
  }

  // Every address on the page that names the step. One of them holds the whole record: none is read at a step.
  updateLinks() {
    const { current, deal } = this;
    const [before, after] = aroundStep(this.address({ step: 0 }));
    for (const [name, link] of this.links) {
      const to = this.targets[name]?.(current);
      if (to === undefined) continue;
      link.setAttribute("href", `${before}${to}${after}`);
      markEnd(link, to === current && !(name === "on" && deal.more));
    }
    for (const button of this.jumps)
      button.disabled = this.targets[button.dataset.jump](current) === current;
    for (const box of this.embedCodes) box.value = box.value.replace(/step=\d+/, `step=${current}`);
    for (const { link, address } of this.views) {
      const href =
        link.dataset.view === "hide"
          ? this.address({ step: current, until: current })
          : address.join(current);
      link.setAttribute("href", href);
    }
  }

  // Browsers refuse an address that changes too often: write it when the stepping stops.
  writeAddress() {
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(
      () => history.replaceState(null, "", this.address(this.shownParts())),
      100,
    );
  }

  // What the address names of the page besides the view: a link to it opens the same panel, with the same values.
  shownParts() {
    const tab = this.shownPanel();
    return {
      step: this.current,
      tab: tab === "events" ? null : tab,
      best: this.bestLine?.open ? "1" : null,
    };
  }

  shownPanel() {
    const tab = this.root.querySelector("[role=tab][aria-selected=true]").id.slice("tab-".length);
    return tab === "events" ? this.events.filter || tab : tab;
  }

  filter(name) {
    this.openTab("tab-events", { quiet: true });
    this.events.showOnly(name);
    this.writeAddress();
  }

  showTab(id) {
    if (id === "tab-score") this.showRace();
    bringIntoSight(this.root.querySelector(".tabs"));
    this.events.scrollToCurrent();
    this.writeAddress();
  }

  showRace() {
    if (!this.race.plotly && this.race.element.offsetParent) this.race.show(this.current);
  }

  toggleBestLine() {
    this.bestLine.toggle();
    this.drawStep();
    this.bestLine.show(this.current);
    this.writeAddress();
  }

  click(event) {
    if (event.target.closest("[data-best-line-toggle]")) return this.toggleBestLine();
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    if ("openFinding" in link.dataset) this.filter("findings");
    if ("best" in link.dataset && !this.bestLine.open) this.toggleBestLine();
    if ("inPlace" in link.dataset) {
      event.preventDefault();
      return this.room.visit(link.href);
    }
    const step = "view" in link.dataset ? null : stepOf(link);
    if (step === null) return;
    event.preventDefault();
    this.autoplay.stop();
    if (link.dataset.go === "on") this.follow("on");
    else this.go(step);
  }

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || this.isForField(event)) return;
    if (document.querySelector("dialog[open]")) return;
    const key = keyName(event);
    if (key === "?") return this.help.open();
    if (key === "s") return this.share.open();
    if (key === "b" && this.bestLine) return this.toggleBestLine();
    const target = KEYS[key];
    const link = !target && document.querySelector(LINKS[key] ?? "_");
    const pace = PACES[key];
    if (target ? !(target in this.targets) : !link && !pace) return;
    event.preventDefault();
    if (pace) return this.autoplay.toggle(pace === "real" ? pace : undefined);
    this.autoplay.stop();
    if (target) this.follow(target);
    else if ("inPlace" in link.dataset) this.room.visit(link.href);
    else this.room.leaveFor(link.href);
  }

  // Whether a key belongs to the field that has the focus. The slider takes only named keys such as arrows, and
  // only until the mouse lets it go.
  isForField({ target, key }) {
    return target.matches("textarea, select, input") && (target !== this.slider || key.length > 1);
  }
}

function readJson(id) {
  return JSON.parse(document.getElementById(id)?.textContent ?? "null");
}

function stepOf(link) {
  if (link.hash || link.origin !== location.origin || link.pathname !== location.pathname)
    return null;
  const step = new URLSearchParams(link.search).get("step");
  return step === null ? null : Number(step);
}

// What an address says before its step, and after it.
function aroundStep(address) {
  return address.split(/(?<=[?&]step=)\d+/);
}

// Where the panels lie below the table, opening one would change nothing in sight.
function bringIntoSight(tabs) {
  if (tabs.getBoundingClientRect().top > innerHeight / 4) tabs.scrollIntoView({ block: "start" });
}

function whenIdle(work) {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work, { timeout: 1000 });
  else setTimeout(work, 200);
}

new InPlace((page) => new Replay(page));
performance.mark("ready");
