// The table of the first page: steps through its deal with the arrow keys, and answers the question without loading
// the page again. The steps come when they are first needed; what each card is worth came with the page.
import { cardPositions, slideCards } from "./table/motion.js";
import { KEYS, markEnd, navigationTargets } from "./replay/navigation.js";
import { TableView } from "./table/table.js";

const root = document.querySelector("[data-question]");
const felt = root.querySelector("[data-felt]");
const counter = root.querySelector("[data-number]");
const links = [...root.querySelectorAll("[data-go]")];
const fullPage = root.querySelector("[data-full-page]");
const choices = root.querySelector("[data-choices]");
const outcome = root.querySelector("[data-outcome]");
const answerLine = root.querySelector("[data-answer]");
const values = root.querySelector("[data-values]");
const answers = JSON.parse(document.getElementById("answers").textContent);
const review = JSON.parse(document.getElementById("review").textContent);
const asked = Number(counter.textContent);
let shown = asked;
let opened;

// The steps of the whole deal, fetched once.
function openDeal() {
  opened ??= fetch(root.dataset.question).then(async (answer) => {
    if (!answer.ok) throw new Error(`The steps did not come: ${answer.status}`);
    const deal = await answer.json();
    return {
      table: new TableView(root, deal),
      targets: navigationTargets(deal),
      last: deal.steps.length - 1,
      deal,
    };
  });
  return opened;
}

async function go(name) {
  const { targets } = await openDeal();
  if (name in targets) await show(targets[name](shown));
}

async function show(step) {
  const { table, deal, targets, last } = await openDeal();
  if (step === shown) return;
  const before = Math.abs(step - shown) === 1 ? cardPositions(felt) : null;
  shown = step;
  table.draw(deal.steps[step]);
  slideCards(felt, before);
  counter.textContent = step;
  if (outcome) outcome.hidden = step !== last;
  labelCards();
  fullPage.search = new URLSearchParams({
    ...Object.fromEntries(new URLSearchParams(fullPage.search)),
    step,
  });
  for (const link of links) markEnd(link, targets[link.dataset.go](step) === step);
}

// The values on the cards, once they have been asked for, wherever a card has one.
function labelCards() {
  const best = values.hidden ? null : review.best[shown];
  for (const card of root.querySelectorAll("[data-hand] [data-card]")) {
    const offer =
      card.parentElement.dataset.hand === String(best?.seat) &&
      best.offers.find((each) => each.card === card.dataset.card);
    if (offer) card.dataset.cardValue = offer.worth;
    else delete card.dataset.cardValue;
    if (offer?.best || offer?.did) card.dataset.choice = offer.best ? "best" : "did";
    else delete card.dataset.choice;
  }
}

async function reveal(card) {
  if (shown !== asked) await show(asked);
  const answer = answers[card];
  answerLine.hidden = !answer;
  if (answer) {
    answerLine.textContent = answer.says;
    answerLine.className = `answer tone-${answer.is_best ? "good" : "bad"}`;
  }
  for (const button of choices.elements)
    button.setAttribute("aria-pressed", String(button.value === card));
  values.hidden = false;
  labelCards();
}

choices.addEventListener("submit", (event) => {
  event.preventDefault();
  reveal(event.submitter.value);
});

felt.addEventListener("click", (event) => {
  const card = event.target.closest("[data-card]");
  if (card?.closest(".near .hand") && shown === asked && card.dataset.card in answers)
    reveal(card.dataset.card);
});

root.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.dataset.go);
});

// The arrow keys step while the table is in sight; further down they scroll the page, as everywhere.
const inSight = () => {
  const { top, bottom } = felt.getBoundingClientRect();
  return bottom > 0 && top < innerHeight / 2;
};

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (
    event.target.matches("textarea, select, input") ||
    !event.key.startsWith("Arrow") ||
    !inSight()
  )
    return;
  const isAcross = event.key === "ArrowLeft" || event.key === "ArrowRight";
  if (!isAcross && !root.contains(document.activeElement)) return;
  event.preventDefault();
  go(KEYS[event.key]);
});

labelCards();
