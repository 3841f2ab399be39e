// Replays full records by the published sheets alone, as a program in another language would: whose turn it is,
// the duty to follow, draws, which cards form which meld, and every number. The rule of reuse is left to other tests.
//
// node sheet_reader.js SHEETS RECORD... prints one line for everything that does not agree with a record.

const fs = require("fs");
const SUITS = ["S", "H", "D", "C"];
const [folder, ...files] = process.argv.slice(2);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

function readRules({ id, options = {} }) {
  const sheet = JSON.parse(fs.readFileSync(`${folder}/${id}.json`));
  const set = (path, value) => {
    const steps = path.split("/").slice(1);
    const last = steps.pop();
    steps.reduce((part, step) => part[step], sheet)[last] = value;
  };
  for (const option of sheet.options) {
    const value = options[option.name] ?? option.default;
    if (option.takes === "choice")
      option.values
        .find((each) => each.value === value)
        .changes.forEach((change) => set(change.path, change.value));
    else if (value !== option.default) option.sets.forEach((path) => set(path, value));
  }
  return sheet.rules;
}

function countCards(cards) {
  const counts = {};
  for (const card of cards) counts[card] = (counts[card] || 0) + 1;
  return counts;
}

// Melds

function isShape(shape, cards, rules, fullHand) {
  const row = rules.pack.row;
  const ranks = new Set(cards.map((card) => card[0]));
  const starts = row.map((_, start) => row.slice(start, start + cards.length));
  const inARow =
    ranks.size === cards.length &&
    starts.some((part) => part.length === ranks.size && part.every((rank) => ranks.has(rank)));
  const oneSuit = new Set(cards.map((card) => card[1])).size === 1;
  return (
    cards.length === Math.min(shape.size, fullHand) &&
    inARow === shape.in_a_row &&
    oneSuit === shape.one_suit
  );
}

function isList(list, cards, rules, trump) {
  if (cards.length !== list.repeat * list.cards.length) return false;
  const rankChoices = list.cards.reduce(
    (chosen, card) => chosen.flatMap((ranks) => card.ranks.map((rank) => [...ranks, rank])),
    [[]],
  );
  const fill = (left, place, ranks, plain, sameSuit) => {
    if (place === list.repeat * list.cards.length)
      return Object.values(left).every((count) => count === 0);
    const at = place % list.cards.length;
    const rank = ranks[at];
    const held = at === 0 ? null : sameSuit;
    const words = {
      any: SUITS,
      trumps: trump ? [trump] : [],
      plain: [plain],
      same: held ? [held] : SUITS,
      bezique: (rules.bezique_cards?.[trump || "none"] || [])
        .filter((card) => card[0] === rank)
        .map((card) => card[1]),
    };
    return (words[list.cards[at].suit] || [list.cards[at].suit]).some(
      (suit) =>
        left[rank + suit] > 0 &&
        fill({ ...left, [rank + suit]: left[rank + suit] - 1 }, place + 1, ranks, plain, suit),
    );
  };
  const plainSuits = SUITS.filter((suit) => suit !== trump);
  return plainSuits.some((plain) =>
    rankChoices.some((ranks) => fill(countCards(cards), 0, ranks, plain, null)),
  );
}

function findMeld(rules, event, trump, fullHand) {
  const makes =
    trump === null && rules.trumps.by === "first_meld" && rules.trumps.melds.includes(event.meld);
  const suit = makes ? event.cards[0][1] : trump;
  return rules.melds
    .filter((meld) => meld.name === event.meld)
    .filter((meld) => !makes || meld.cards.cards.every((card) => card.suit === "trumps"))
    .find((meld) =>
      meld.cards.form === "list"
        ? isList(meld.cards, event.cards, rules, suit)
        : isShape(meld.cards, event.cards, rules, fullHand),
    );
}

// A deal

class Deal {
  constructor(rules, record, deal, tell) {
    const players = record.players.length;
    Object.assign(this, { rules, deal, players });
    this.tell = (index, text) => tell(`${record.rules.id}, event ${index}: ${text}`);
    this.hands = deal.hands.map((hand) => [...hand]);
    this.points = Array(players).fill(0);
    this.brisques = Array(players).fill(0);
    this.earned = [];
    this.stock =
      rules.pack.cards - sum(this.hands.map((hand) => hand.length)) - (deal.turn_up ? 1 : 0);
  }

  award(seat, what, points) {
    this.points[seat] += points;
    this.earned.push([seat, what, points]);
  }

  claim(index, seat, what, points) {
    const place = this.earned.findIndex((each) => same(each, [seat, what, points]));
    if (place < 0) this.tell(index, `${points} claimed for ${what}`);
    else this.earned.splice(place, 1);
  }

  takeFromHand(index, seat, card) {
    const place = this.hands[seat].indexOf(card);
    if (place < 0) this.tell(index, `seat ${seat} does not hold ${card}`);
    else this.hands[seat].splice(place, 1);
  }
}

class TurnDeal extends Deal {
  replay() {
    this.piles = Object.fromEntries(this.rules.pack.ranks.map((rank) => [rank, []]));
    this.deal.events.forEach((event, index) => this[event.type](event, index));
  }

  draw({ seat, card }) {
    this.hands[seat].push(card);
    this.stock -= 1;
  }

  meld(event, index) {
    const tableau = this.rules.tableau;
    const meld = findMeld(this.rules, event, null, tableau.draw_up_to[this.players]);
    if (!meld) return this.tell(index, `no ${event.meld}`);
    let points = meld.points;
    if (event.meld === "marriages") {
      const kings = event.cards.filter((card) => card[0] === "K");
      const doubled = kings.filter((card) => this.rules.pack.copies[card[1]] > 1).length;
      if (kings.length < tableau.doubled_suit_below)
        points += doubled * tableau.doubled_suit_points;
      for (const card of event.cards) this.takeForMarriage(event, index, card);
    }
    this.points[event.seat] += points;
    if (event.points !== points)
      this.tell(index, `${event.points} points for ${event.meld}, not ${points}`);
  }

  takeForMarriage(event, index, card) {
    const pile = this.piles[card[0]];
    const place = pile.indexOf(card);
    const lies =
      place >= 0 &&
      (event.from_tableau
        ? event.from_tableau.includes(card)
        : !this.hands[event.seat].includes(card));
    if (lies) pile.splice(place, 1);
    else this.takeFromHand(index, event.seat, card);
  }

  discard({ seat, card }, index) {
    this.takeFromHand(index, seat, card);
    const pile = this.piles[card[0]];
    pile.push(card);
    if (pile.length < this.rules.tableau.full) return;
    pile.length = 0;
    this.award(seat, "zetema", this.rules.tableau.zetemas[card[0]]);
  }

  score(event, index) {
    this.claim(index, event.seat, event.for, event.points);
  }
}

class TrickDeal extends Deal {
  replay() {
    const { rules, deal } = this;
    this.trump = rules.trumps.by === "turn_up" ? deal.turn_up[1] : null;
    this.turnUp = deal.turn_up || null;
    this.turn = (deal.dealer + 1) % this.players;
    Object.assign(this, { phase: rules.phases[0], led: null, winner: null, melds: 0, due: [] });
    this.captured = [[], []];
    this.closedTricks = [0, 0];
    this.spent = [0, 0];
    this.turnUpSpent = this.turnUp?.[0] === "7" && rules.trumps.dealer_seven > 0;
    if (this.turnUpSpent) this.award(deal.dealer, "turned_seven", rules.trumps.dealer_seven);
    deal.events.forEach((event, index) => this[event.type](event, index));
  }

  get seven() {
    return "7" + this.trump;
  }

  freshSevens(seat) {
    return this.hands[seat].filter((card) => card === this.seven).length - this.spent[seat];
  }

  cut({ seat, packet, guess }) {
    if (packet === this.rules.cut.packet) this.award(seat, "cut", this.rules.cut.dealer_points);
    if (packet === guess) this.award(1 - seat, "guess", this.rules.cut.guess_points);
  }

  carte_blanche({ seat, points }, index) {
    this.award(seat, "carte_blanche", this.rules.carte_blanche.points);
    this.claim(index, seat, "carte_blanche", points);
  }

  play(event, index) {
    const { seat, card } = event;
    if (this.due.length) this.tell(index, "a draw is due");
    if (seat !== this.turn) this.tell(index, "out of turn");
    if (this.led && !this.mayPlay(seat).includes(card))
      this.tell(index, `${card} does not follow ${this.led.card}`);
    if (card === this.seven) this.playSeven(event, index);
    this.takeFromHand(index, seat, card);
    if (this.led) this.completeTrick(event);
    else Object.assign(this, { led: event, turn: 1 - seat, winner: null });
  }

  ranksAbove(card) {
    return this.rules.pack.ranks.slice(0, this.rules.pack.ranks.indexOf(card[0]));
  }

  mayPlay(seat) {
    const led = this.led.card;
    const hand = this.hands[seat];
    const suitLed = hand.filter((card) => card[1] === led[1]);
    const groups = {
      higher_of_suit_led: suitLed.filter((card) => this.ranksAbove(led).includes(card[0])),
      suit_led: suitLed,
      trumps: hand.filter((card) => card[1] === this.trump),
      any: hand,
    };
    const owed = this.phase.must_play[led[1] === this.trump ? "trumps_led" : "plain_led"];
    return groups[owed.find((name) => groups[name].length)];
  }

  playSeven({ seat }, index) {
    const dix = this.rules.dix;
    const scores = dix?.played && (this.phase.name === "stock" || dix.in_last_tricks);
    const rest = this.deal.events.slice(index + 1);
    const next = rest.findIndex((event) => event.type === "play" && event.seat === seat);
    const claimed = rest
      .slice(0, next < 0 ? rest.length : next)
      .some((event) => event.type === "dix" && event.action === "play" && event.seat === seat);
    const fresh = this.freshSevens(seat) > 0 && (claimed || this.spent[seat] === 0);
    if (scores && (fresh || !dix.once_per_card)) this.award(seat, "dix", dix.points);
    if (!fresh) this.spent[seat] = Math.max(0, this.spent[seat] - 1);
  }

  completeTrick({ seat, card }) {
    const { rules, led } = this;
    const beats =
      card[1] === led.card[1]
        ? this.ranksAbove(led.card).includes(card[0])
        : card[1] === this.trump;
    const winner = beats ? seat : led.seat;
    Object.assign(this, { winner, turn: winner, led: null, melds: 0 });
    this.captured[winner].push(led.card, card);
    this.brisques[winner] += [led.card, card].filter((each) =>
      rules.brisques.ranks.includes(each[0]),
    ).length;
    if (this.phase.steps.includes("draw")) {
      this.due = [winner, 1 - winner];
      if (this.stock + (this.turnUp ? 1 : 0) === 2) this.awardBonuses("last_stock_trick");
    } else this.closedTricks[winner] += 1;
    if (this.hands.every((hand) => hand.length === 0)) this.end();
  }

  awardBonuses(tricks) {
    for (const bonus of this.rules.bonuses)
      if (bonus.tricks === tricks)
        this.award(bonus.to === "winner" ? this.winner : 1 - this.winner, bonus.name, bonus.points);
  }

  end() {
    this.awardBonuses("last_trick");
    if (this.closedTricks.includes(0)) this.awardBonuses("all_closed_tricks");
    const worth = this.brisques.map((count) => count * this.rules.brisques.points);
    if (this.rules.brisques.count === "at_the_end")
      worth.forEach((points, seat) => this.award(seat, "brisques", points));
    else if (settle(this.rules, this.points, this.brisques)[0] !== this.points)
      worth.forEach((points, seat) => this.earned.push([seat, "brisques", points]));
  }

  trick({ winner }, index) {
    if (winner !== this.winner) this.tell(index, `the trick is taken by seat ${this.winner}`);
  }

  draw({ seat, card }, index) {
    if (this.due.shift() !== seat) this.tell(index, "draws out of turn");
    if (this.stock) this.stock -= 1;
    else {
      if (card !== this.turnUp && this.turnUp) this.tell(index, `the turn-up is ${this.turnUp}`);
      if (this.turnUpSpent) this.spent[seat] += 1;
      this.turnUp = null;
    }
    this.hands[seat].push(card);
    if (!this.due.length && !this.stock && !this.turnUp) this.phase = this.rules.phases[1];
  }

  meld(event, index) {
    const { rules, phase } = this;
    this.melds += 1;
    if (event.seat !== this.winner) this.tell(index, "melds without the trick");
    if (phase.melds !== null && this.melds > phase.melds) this.tell(index, "too many melds");
    const held = countCards(
      (rules.play.melds_from === "captured" ? this.captured : this.hands)[event.seat],
    );
    for (const [card, count] of Object.entries(countCards(event.cards)))
      if ((held[card] || 0) < count) this.tell(index, `melds ${card}, which is not held`);
    const meld = findMeld(rules, event, this.trump, rules.hand[this.players]);
    if (!meld) return this.tell(index, `no ${event.meld}`);
    if (
      this.trump === null &&
      rules.trumps.by === "first_meld" &&
      rules.trumps.melds.includes(event.meld)
    )
      this.trump = event.cards[0][1];
    this.points[event.seat] += meld.points;
    if (event.points !== meld.points)
      this.tell(index, `${event.points} points for ${event.meld}, not ${meld.points}`);
  }

  dix({ seat, action, points }, index) {
    if (action === "play") return this.claim(index, seat, "dix", points);
    const fresh = this.freshSevens(seat) > 0;
    if (fresh) this.award(seat, "dix", this.rules.dix.points);
    this.claim(index, seat, "dix", points);
    if (action === "show") this.spent[seat] += 1;
    else {
      this.takeFromHand(index, seat, this.seven);
      this.hands[seat].push(this.turnUp);
      Object.assign(this, { turnUp: this.seven, turnUpSpent: true });
    }
  }

  score(event, index) {
    this.claim(index, event.seat, event.for, event.points);
  }
}

// The match

function settle(rules, points, brisques) {
  const { rubicon, settlement } = rules.match;
  const counted = points.map((number, side) => number + brisques[side] * rules.brisques.points);
  const loserByPoints = points[0] < points[1] ? 0 : 1;
  const tie = points[0] === points[1];
  const toSettle = rules.brisques.count === "to_settle";
  const saved =
    toSettle && !tie && points[loserByPoints] < rubicon && counted[loserByPoints] >= rubicon;
  const totals = toSettle && (tie || saved) ? counted : points;
  if (totals[0] === totals[1])
    return [totals, settlement.draw === "own_total" ? [...totals] : [0, 0]];
  const winner = totals[0] > totals[1] ? 0 : 1;
  const rubiconed = totals[1 - winner] < rubicon && !saved;
  const valued =
    rubiconed && settlement.rubicon_valued_by === "points_without_brisques" ? points : totals;
  const [won, lost] = [winner, 1 - winner].map(
    (side) => valued[side] - (valued[side] % settlement.rounded_to),
  );
  const terms = rubiconed ? settlement.rubicon : settlement.win;
  const exact =
    settlement.win_difference === "none" || (settlement.win_difference === "close" && won === lost);
  const worth =
    exact && !rubiconed
      ? terms.winner_total * valued[winner] + terms.loser_total * valued[1 - winner]
      : terms.winner_total * won + terms.loser_total * lost;
  const least = terms.loser_total === -1 ? terms.least_difference : worth;
  const small = valued[1 - winner] < 100 ? terms.loser_below_100 : 0;
  const receives = settlement.loser === "own_total" ? [...totals] : [0, 0];
  receives[winner] = terms.base + Math.max(worth, least) + terms.for_brisques + small;
  return [totals, receives];
}

function replayRecord(record, tell) {
  const rules = readRules(record.rules);
  const sides = record.sides || record.players.map((_, seat) => [seat]);
  const totals = sides.map(() => 0);
  for (const each of record.deals) {
    const deal = new (rules.play.by === "tricks" ? TrickDeal : TurnDeal)(rules, record, each, tell);
    deal.replay();
    let scores = sides.map((seats) => sum(seats.map((seat) => deal.points[seat])));
    if (rules.match.by === "one_deal") {
      const [compared, receives] = settle(rules, scores, deal.brisques);
      scores = compared;
      if (!same(receives, record.result.settlement))
        tell(`${record.rules.id}: settled with ${receives}`);
    }
    if (!same(scores, each.claims.scores)) tell(`${record.rules.id}: the deal comes to ${scores}`);
    scores.forEach((number, side) => (totals[side] += number));
  }
  if (!same(totals, record.result.scores)) tell(`${record.rules.id}: the match comes to ${totals}`);
}

for (const file of files)
  for (const line of fs.readFileSync(file, "utf8").trim().split("\n"))
    replayRecord(JSON.parse(line), console.log);
