"""Errors in how tricks are played, drawn for, melded on and counted: places in the referee's own text."""

from records.rules.vocabulary import (
    BrisqueCount,
    FirstMeld,
    Follow,
    MeldsFrom,
    OneDeal,
    ReuseRule,
    TurnUp,
    When,
    Window,
)
from tests.playouts import laid_out, melds, settling, tricks
from tests.records.conformance.planted.planting import (
    UNCHECKED,
    Planted,
    SourceChange,
    sheets_where,
)

ALL = sheets_where(lambda rules: True)
HELD = sheets_where(lambda rules: rules.melds_from is MeldsFrom.HELD)
CAPTURED = sheets_where(lambda rules: rules.melds_from is MeldsFrom.CAPTURED)
SEVENS = sheets_where(lambda rules: rules.dix is not None)
TURNED = sheets_where(lambda rules: isinstance(rules.trumps, TurnUp))
TURNED_SEVEN = sheets_where(
    lambda rules: isinstance(rules.trumps, TurnUp) and rules.trumps.dealer_seven > 0
)
EXCHANGED = sheets_where(
    lambda rules: rules.dix is not None and rules.dix.exchange is not Window.NEVER
)
SHOWN = sheets_where(lambda rules: rules.dix is not None and rules.dix.show is not Window.NEVER)
PACKS = sheets_where(lambda rules: rules.pack.packs > 1)
ONE_MELD = sheets_where(lambda rules: rules.phases[0].melds == 1)
BRISQUES = sheets_where(lambda rules: rules.brisques.count is BrisqueCount.AT_THE_END)
OWED = sheets_where(lambda rules: rules.phases[-1].follow is not Follow.ANY)
TO_BEAT = sheets_where(lambda rules: rules.phases[-1].follow is Follow.HEAD)
LIKE_TO_BEAT = tuple([sheet for sheet in TO_BEAT if sheet in PACKS])
SUIT_ONLY = sheets_where(lambda rules: rules.phases[-1].follow is Follow.SUIT)
MADE_TRUMPS = sheets_where(lambda rules: isinstance(rules.trumps, FirstMeld))
SETS = sheets_where(lambda rules: rules.reuse.rule is ReuseRule.ONCE_PER_SET)
BY_KIND = sheets_where(
    lambda rules: rules.reuse.rule in (ReuseRule.ONCE_PER_KIND, ReuseRule.UPWARD_IN_CLASS)
)
REFORMED = sheets_where(lambda rules: rules.reuse.rule is ReuseRule.REFORMED_AFTER_LEAVING)
RESTORED = sheets_where(lambda rules: rules.reuse.rule is ReuseRule.AUGMENT_OR_RESTORE)
ALL_TRICKS_SCORE = sheets_where(
    lambda rules: any(b.tricks is When.ALL_CLOSED_TRICKS for b in rules.bonuses)
)
BLANCHE = sheets_where(lambda rules: rules.carte_blanche is not None)
CUT = sheets_where(lambda rules: rules.cut is not None)
RUBICON = sheets_where(
    lambda rules: isinstance(rules.match, OneDeal) and rules.match.settlement.terms == "rubicon"
)
PAID = sheets_where(
    lambda rules: isinstance(rules.match, OneDeal) and rules.match.settlement.terms != "six_pack"
)
CLUB = sheets_where(
    lambda rules: isinstance(rules.match, OneDeal) and rules.match.settlement.terms == "club"
)
SIX_PACK = sheets_where(
    lambda rules: isinstance(rules.match, OneDeal) and rules.match.settlement.terms == "six_pack"
)

CLUB_PAYS = "return 1000 + won + lost + 320 + under_100 if rubicon else 500 + difference"
SIX_PACK_PAYS = "final[winner] += 1000 + (lost if lost < game.rubicon else 0)"
CUT_WHEN = "if rule is None or world.was_cut or world.played or event.seat != world.dealer:"
HEAD = "        if follow is Follow.HEAD:\n            return card in (higher or same or trumps or hand)"
BEATS = "beats = card[1] == best[1] and self.rank(card) > self.rank(best)"
RUFFS = "ruffs = card[1] == world.trump != best[1]"
PHASE = "follow = self.sheet.rules.phases[world.closed].follow"
NEXT = "world.to_act = world.window = winner"
DUE = "world.due = [(winner + n) % world.seats for n in range(world.seats)]"
WINDOW = 'demand(self.may_meld(world, seat), "not the time to meld")'
OTHER_DRAWN = """        if card is None:
            raise Wrong("no such card to draw")
"""
SWAPPED = """        if world.down == 1 and world.turn_up and len(world.due) == 2:
            world = world.copy()
            world.unseen, world.turn_up = {world.turn_up}, next(iter(world.unseen))
        cards = sorted(world.unseen) if world.down else [world.turn_up]"""
FORMS = 'return any(_fits(slots, {**suits, "p": suit}, Counter(faces)) for suit in plain)'
ALL_TRICKS = "        self.bonus(world, When.LAST_TRICK)\n        if sum(world.closed_tricks) == max(world.closed_tricks):\n"

Row = tuple[str, str, str, tuple[str, ...], object, str, str]

TURNS: list[Row] = [
    ("dealer-leads", "turns", "The dealer leads to the first trick.", ALL,
     tricks, "to_act=(deal.dealer + 1) % seats", "to_act=deal.dealer"),
    ("lead-alternates", "turns", "The lead changes with every trick.", ALL,
     tricks, NEXT, "world.to_act, world.window = 1 - leader, winner"),
    ("loser-leads", "turns", "The loser of a trick leads to the next.", ALL,
     tricks, NEXT, "world.to_act, world.window = 1 - winner, winner"),
    ("out-of-turn", "turns", "Nobody asks whose turn it is.", ALL,
     tricks, 'demand(seat == world.to_act, "not in turn")', UNCHECKED),
]  # fmt: skip

DEALING: list[Row] = [
    ("any-hand", "dealing", "Hands of any size pass.", ALL,
     tricks, "demand(len(hands) == seats and all(len(hand) == size for hand in hands), \"hands\")",
     "demand(len(hands) == seats, 'hands')"),
]  # fmt: skip

FOLLOWING: list[Row] = [
    ("no-duty", "following", "After the close any card may be played.", OWED,
     tricks, "if world.trick and not self.lawful(world, seat, card):", "if False:"),
    ("need-not-beat", "following", "After the close a lead need not be beaten.", TO_BEAT,
     tricks, HEAD, HEAD.replace("higher or same", "same")),
    ("need-not-trump", "following", "After the close a player without the suit need not trump.", TO_BEAT,
     tricks, HEAD, HEAD.replace("or trumps or hand", "or hand")),
    ("may-trump", "following", "After the close a player may trump instead of following suit.", TO_BEAT,
     tricks, HEAD, HEAD.replace("(higher or same or trumps or hand)",
                                "([*(higher or same), *trumps] or hand)")),
    ("trump-to-win", "following", "Who cannot beat the lead in its suit must trump.", TO_BEAT,
     tricks, HEAD, HEAD.replace("higher or same or trumps", "higher or trumps or same")),
    ("like-card-beats", "following", "A like card counts as one that beats the lead, and must be played.", LIKE_TO_BEAT,
     tricks, "for c in same if self.rank(c) > self.rank(best)]", "for c in same if self.rank(c) >= self.rank(best)]"),
    ("trump-lead-not-beaten", "following", "A trump led need not be beaten.", SUIT_ONLY,
     tricks, "if follow is Follow.SUIT and led[1] == world.trump:", "if False:"),
    ("every-lead-beaten", "following", "Every lead must be beaten, not only trumps.", SUIT_ONLY,
     tricks, "return follow is Follow.ANY or card in (same or trumps or hand)",
     "return follow is Follow.ANY or card in (higher or same or trumps or hand)"),
    ("void-is-free", "following", "Without the suit led, any card may be played.", SUIT_ONLY,
     tricks, "return follow is Follow.ANY or card in (same or trumps or hand)",
     "return follow is Follow.ANY or card in (same or hand)"),
    ("may-trump", "following", "A player may trump instead of following suit.", SUIT_ONLY,
     tricks, "return follow is Follow.ANY or card in (same or trumps or hand)",
     "return follow is Follow.ANY or card in ([*same, *trumps] or hand)"),
    ("duty-at-once", "following", "Suit must be followed from the first trick on.", OWED,
     tricks, PHASE, "follow = self.sheet.rules.phases[1].follow"),
    ("duty-too-early", "following", "The duty to follow begins in the last trick before the close.", OWED,
     tricks, PHASE,
     "follow = self.sheet.rules.phases[world.closed or world.down + bool(world.turn_up) == 2].follow"),
    ("duty-too-late", "following", "The first trick after the close is still free.", OWED,
     tricks, PHASE,
     "follow = self.sheet.rules.phases[world.closed and max(map(len, world.hands)) < self.sheet.rules.hand[2]].follow"),
]  # fmt: skip

TAKING: list[Row] = [
    ("second-like-card-wins", "taking tricks", "Of two like cards the second wins.", PACKS,
     tricks, BEATS, BEATS.replace(" > ", " >= ")),
    ("suit-ignored", "taking tricks", "The higher rank wins, whatever its suit.", ALL,
     tricks, BEATS, "beats = self.rank(card) > self.rank(best)"),
    ("no-trumps", "taking tricks", "Trumps beat no other suit.", ALL, tricks, RUFFS, "ruffs = False"),
    ("trumps-after-close", "taking tricks", "Trumps beat other suits only after the close.", ALL,
     tricks, RUFFS, f"{RUFFS} and world.closed"),
    ("trumps-before-close", "taking tricks", "Trumps beat other suits only before the close.", ALL,
     tricks, RUFFS, f"{RUFFS} and not world.closed"),
    ("any-winner", "taking tricks", "Nobody compares who is said to take a trick.", ALL,
     tricks, 'demand(world.winners[-1] == event.winner, "another took it")', UNCHECKED),
]  # fmt: skip

DRAWING: list[Row] = [
    ("loser-draws-first", "draw order", "The loser of the trick draws first.", ALL,
     tricks, DUE, "world.due = [1 - winner, winner]"),
    ("leader-draws-first", "draw order", "Who led to the trick draws first.", ALL,
     tricks, DUE, "world.due = [leader, 1 - leader]"),
    ("seat-0-draws-first", "draw order", "The first seat draws first.", ALL,
     tricks, DUE, "world.due = [0, 1]"),
    ("winner-takes-turn-up", "draw order", "The winner of the last trick before the close takes the turn-up.",
     TURNED, tricks, "        cards = sorted(world.unseen) if world.down else [world.turn_up]", SWAPPED),
    ("draws-forgotten", "draw order", "A card may be played before those due are drawn.", ALL,
     tricks, 'demand(not world.due, "cards are to be drawn first")', UNCHECKED),
    ("draws-what-is-out", "draw order", "A card that is out already may be drawn.", ALL,
     tricks, OTHER_DRAWN,
     "        if card is None:\n            card = event.card\n            world = world.copy()\n"
     "            world.unseen = {*sorted(world.unseen)[1:], card}\n"),
]  # fmt: skip

MELDING: list[Row] = [
    ("loser-melds", "who melds", "Both players may meld after a trick.", HELD,
     tricks, WINDOW, WINDOW.replace("self.may_meld(world, seat)", "world.window is not None")),
    ("melds-any-time", "who melds", "A player may meld without having won a trick.", HELD,
     tricks, WINDOW, WINDOW.replace("self.may_meld(world, seat)", "not world.trick")),
    ("melds-after-drawing", "who melds", "The winner may still meld after drawing.", ALL,
     tricks, "        then.due.pop(0)\n        then.window = None\n", "        then.due.pop(0)\n"),
    ("many-melds", "who melds", "Any number of melds scores after a trick.", ONE_MELD,
     tricks, 'demand(world.melds_left > 0 or not scores, "too many melds")', UNCHECKED),
    ("meld-points-unchecked", "points", "Points claimed for melds are not compared.", ALL,
     tricks, "demand(not scores or event.points in (None, row.points), \"not those points\")",
     UNCHECKED),
    ("table-cards-do-not-meld", "reuse", "Cards that lie on the table serve in no other meld.", HELD,
     tricks, "pool = set(world.taken[seat]) if self.captures else world.hands[seat]",
     "pool = world.hands[seat] - world.laid"),
    ("table-cards-are-not-played", "reuse", "Cards that lie on the table cannot be played.", HELD,
     tricks, "held = sorted(c for c in world.hands[seat] if card in (c, c[:2]))",
     "held = sorted(c for c in world.hands[seat] - world.laid if card in (c, c[:2]))"),
    ("table-after-close", "reuse", "At the close melded cards stay on the table.", HELD,
     tricks, "            then.laid.clear()\n            then.open.clear()\n", "            pass\n"),
    ("reuse-unchecked", "reuse", "Nobody asks whether cards have scored before.", ALL,
     melds, "return _RULES[reuse.rule](sheet, world, seat, row, cards)", "return True"),
    ("one-meld-a-card", "reuse", "A card serves in only one meld of the deal.", ALL,
     melds, "if reuse.once_ever and any(", "if any("),
    ("no-overlap-in-kind", "reuse", "No card serves twice in one kind of meld.", SETS,
     melds, "all(m.cards != cards for m in", "all(not m.cards & cards for m in"),
    ("other-set-is-enough", "reuse", "Only the very same cards are barred from the same kind.", BY_KIND,
     melds, "if any(m.cards & cards for m in before if m.row.kind == row.kind):",
     "if any(m.cards == cards for m in before if m.row.kind == row.kind):"),
    ("four-again", "reuse", "Cards of four of a kind may score again in four of a kind.", BY_KIND,
     melds, "if any(m.cards & cards for m in before if m.row.kind == row.kind):",
     "if any(m.cards & cards for m in before if m.row.kind == row.kind != f'four_{row.kind[5:]}'):"),
    ("same-set-again", "reuse", "The very same cards may score again once another meld has used one.", REFORMED,
     melds, "    if any(m.cards == cards for _, m in same):\n        return False\n", ""),
    ("marriages-stay", "reuse", "Two marriages may not change partners.", REFORMED,
     melds, 'if row.kind == "marriage" and all(', "if False and all("),
    ("nothing-must-leave", "reuse", "A meld may be formed again though none of its cards has left.", REFORMED,
     melds, "        return card not in held or by_meld\n", "        return True\n"),
    ("all-must-leave", "reuse", "A meld is formed again only when all its other cards have left.", REFORMED,
     melds, "any(has_left(card, i) for card in m.cards - cards) for i",
     "all(has_left(card, i) for card in m.cards - cards) for i"),
    ("four-suits", "melds", "Four of a kind must be of four suits.", PACKS,
     melds, FORMS, f"return (\"x\" not in pattern or len(set(faces)) == 4) and {FORMS[7:]}"),
    ("bezique-turned-round", "melds", "Bezique is the queen of diamonds and the jack of spades.", PACKS,
     melds, '{"Q": "S", "J": "D"}', '{"Q": "D", "J": "S"}'),
    ("bezique-by-trump", "melds", "With spades or diamonds as trumps bezique is clubs and hearts.", PACKS,
     melds, "by_trump = changes_with_trumps(sheet) and trump", "by_trump = trump"),
    ("new-trumps", "trumps", "Every marriage and sequence makes its suit trumps.", MADE_TRUMPS,
     tricks, "if then.trump is None and event.meld in trump_makers", "if event.meld in trump_makers"),
    ("first-marriage-is-common", "trumps", "The meld that makes trumps scores as one of another suit.", MADE_TRUMPS,
     melds, 'return next((row for row in found if _letters(row) == {"t"}), None)',
     "return found[-1] if found else None"),
]  # fmt: skip

CAPTURING: list[Row] = [
    ("no-card-won", "who melds", "A meld needs no card of the trick just won.", CAPTURED,
     tricks, "if self.captures and not cards & world.fresh:", "if False:"),
    ("serves-twice", "who melds", "A card of the trick just won serves in two melds of that trick.", CAPTURED,
     tricks, "for c in pool - served if card", "for c in pool if card"),
]  # fmt: skip

SEVEN: list[Row] = [
    ("other-scores-turned-seven", "sevens", "The seven turned up scores for the other player.", TURNED_SEVEN,
     tricks, "world.earn(deal.dealer, \"turned_seven\"", "world.earn(1 - deal.dealer, \"turned_seven\""),
    ("turned-seven-not-spent", "sevens", "The seven turned up scores again for who draws and plays it.", TURNED_SEVEN,
     laid_out, "            world.spent.add(world.turn_up)\n", "            pass\n"),
    ("exchange-any-time", "sevens", "The loser of the trick may exchange the seven.", EXCHANGED,
     tricks, 'demand(window is Window.AT_ANY_TIME or world.window == event.seat, "not the time")',
     UNCHECKED),
    ("seven-for-seven", "sevens", "A seven turned up may be exchanged for another.", tuple([sheet for sheet in EXCHANGED if sheet in PACKS]),
     tricks, 'demand(world.turn_up and world.turn_up[0] != "7", "nothing to take")',
     'demand(world.turn_up, "nothing to take")'),
    ("exchanged-scores-again", "sevens", "The seven exchanged scores again when it is played.", EXCHANGED,
     tricks, "        if points:\n            then.spent.add(card)\n", ""),
    ("shown-scores-again", "sevens", "The seven shown scores again when it is played.", SHOWN,
     tricks, "            then.spent.add(card)\n            then.open.add(card)\n",
     "            then.open.add(card)\n"),
    ("seven-points-unchecked", "sevens", "Points claimed for an exchange are not compared.", SEVENS,
     tricks, "if may and event.points in (None, points):", "if may:"),
]  # fmt: skip

COUNTING: list[Row] = [
    ("brisques-to-leader", "brisques", "The aces and tens of a trick go to who led.", BRISQUES,
     tricks, "world.taken[winner] += cards", "world.taken[leader] += cards"),
    ("last-brisques-forgotten", "brisques", "The aces and tens of the last trick do not count.", BRISQUES,
     tricks, "        world.taken[winner] += cards\n",
     "        world.taken[winner] += cards if any(world.hands) else []\n"),
    ("scored-twice", "bonuses", "The last trick may be scored twice.", ALL,
     tricks, 'demand((seat, what) not in world.claimed, "twice")', UNCHECKED),
    ("bonus-points-unchecked", "bonuses", "Points claimed for the last trick are not compared.", ALL,
     tricks, 'demand(points in (None, world.earned[seat, what]), "not those points")', UNCHECKED),
    ("claims-unchecked", "bonuses", "The scores claimed for a deal are not compared.", ALL,
     tricks, "return (claims is None or claims == self.adds(world)) and all(", "return all("),
    ("all-tricks-without-last", "bonuses", "Who takes all last tricks scores nothing for the last.", ALL_TRICKS_SCORE,
     tricks, ALL_TRICKS,
     "        if sum(world.closed_tricks) > max(world.closed_tricks):\n            self.bonus(world, When.LAST_TRICK)\n        else:\n"),
]  # fmt: skip

SETTLING: list[Row] = [
    ("tie-of-hundreds", "settlement", "Equal hundreds are a tie, so that brisques count.", PAID,
     settling, "tie_break = raw[0] == raw[1]", "tie_break = raw[0] // 100 == raw[1] // 100"),
    ("brisques-always", "settlement", "Brisques always count.", PAID,
     settling, "totals = with_brisques if tie_break else list(raw)", "totals = with_brisques"),
    ("never-saved", "settlement", "Brisques save nobody from the rubicon.", PAID,
     settling, "if not tie_break and with_brisques[loser] >= game.rubicon:", "if False:"),
    ("saved-only-beyond", "settlement", "Brisques save only who comes beyond the rubicon, not to it.", PAID,
     settling, "with_brisques[loser] >= game.rubicon:", "with_brisques[loser] > game.rubicon:"),
    ("rubicon-at-1000", "settlement", "Who has exactly the rubicon is rubiconed.", PAID,
     settling, "if totals[loser] < game.rubicon:", "if totals[loser] <= game.rubicon:"),
    ("no-turning-round", "settlement", "Who is saved by brisques has still lost.", PAID,
     settling, "            loser = 0 if totals[0] < totals[1] else 1\n        else:",
     "            pass\n        else:"),
    ("rubicon-with-brisques", "settlement", "A tie broken by brisques is valued with them, below the rubicon too.",
     PAID, settling, "valued = raw if rubicon else totals", "valued = totals"),
    ("points-not-hundreds", "settlement", "Points below the hundred count in the settlement.", PAID,
     settling, "won, lost = won - won % 100, lost - lost % 100", "pass"),
    ("hundreds-rounded", "settlement", "Points are rounded to the nearest hundred.", PAID,
     settling, "won, lost = won - won % 100, lost - lost % 100",
     "won, lost = (won + 50) // 100 * 100, (lost + 50) // 100 * 100"),
    ("rubicon-difference", "settlement", "A rubicon is worth 1,000 and the difference, not the sum.", RUBICON,
     settling, "return 1000 + won + lost if rubicon else game.settlement.win.base + won - lost\n    if kind == \"club\"",
     "return 1000 + won - lost if rubicon else game.settlement.win.base + won - lost\n    if kind == \"club\""),
    ("bonus-1000", "settlement", "Winning is worth 1,000 without a rubicon, too.", RUBICON,
     settling, "return 1000 + won + lost if rubicon else game.settlement.win.base + won - lost\n    if kind == \"club\"",
     "return 1000 + won + lost if rubicon else 1000 + won - lost\n    if kind == \"club\""),
    ("at-least-100", "settlement", "A difference of less than 100 counts as 100.", RUBICON,
     settling, "return 1000 + won + lost if rubicon else game.settlement.win.base + won - lost\n    if kind == \"club\"",
     "return 1000 + won + lost if rubicon else 500 + max(100, won - lost)\n    if kind == \"club\""),
    ("loser-receives", "settlement", "The settlement is paid to the loser.", PAID,
     settling, "receives[1 - loser] = _value(", "receives[loser] = _value("),
]  # fmt: skip

CLUB_SETTLING: list[Row] = [
    ("no-brisques-of-rubicon", "settlement", "A rubicon is not worth 320 more for all brisques.", CLUB,
     settling, CLUB_PAYS, CLUB_PAYS.replace(" + 320", "")),
    ("not-below-100", "settlement", "A loser with less than 100 points pays no more.", CLUB,
     settling, CLUB_PAYS, CLUB_PAYS.replace(" + under_100", "")),
    ("below-100-always", "settlement", "Every rubicon is worth 100 more.", CLUB,
     settling, CLUB_PAYS, CLUB_PAYS.replace("under_100", "100")),
    ("rubicon-difference", "settlement", "A rubicon is worth 1,000 and the difference, not the sum.", CLUB,
     settling, CLUB_PAYS, CLUB_PAYS.replace("won + lost", "won - lost")),
    ("bonus-1000", "settlement", "Winning is worth 1,000 without a rubicon, too.", CLUB,
     settling, CLUB_PAYS, CLUB_PAYS.replace("500 +", "1000 +")),
    ("at-least-100", "settlement", "A difference of less than 100 counts as 100.", CLUB,
     settling, CLUB_PAYS, CLUB_PAYS.replace("500 + difference", "500 + max(100, difference)")),
]  # fmt: skip

SIX_PACK_SETTLING: list[Row] = [
    ("no-bonus", "settlement", "Winning is worth nothing more.", SIX_PACK,
     settling, SIX_PACK_PAYS, SIX_PACK_PAYS.replace("1000 + ", "")),
    ("rubicon-unpaid", "settlement", "A rubicon is worth nothing more.", SIX_PACK,
     settling, SIX_PACK_PAYS, "final[winner] += 1000"),
    ("rubicon-always", "settlement", "The loser's points are always added to the winner's.", SIX_PACK,
     settling, SIX_PACK_PAYS, "final[winner] += 1000 + lost"),
    ("rubicon-at-3000", "settlement", "Who has exactly the rubicon is rubiconed.", SIX_PACK,
     settling, SIX_PACK_PAYS, SIX_PACK_PAYS.replace("lost < game", "lost <= game")),
    ("loser-keeps-nothing", "settlement", "The loser receives nothing.", SIX_PACK,
     settling, SIX_PACK_PAYS, f"final[1 - winner] = 0\n    {SIX_PACK_PAYS}"),
    ("draw-is-nothing", "settlement", "In a drawn match nobody receives anything.", SIX_PACK,
     settling, "return Settled(list(raw), list(raw), None, False)", "return Settled(list(raw), [0, 0], None, False)"),
]  # fmt: skip

CUTTING: list[Row] = [
    ("anyone-cuts", "cut", "Nobody asks who cuts.", CUT,
     tricks, CUT_WHEN, CUT_WHEN.replace(" or event.seat != world.dealer", "")),
    ("cuts-twice", "cut", "The dealer may cut twice.", CUT,
     tricks, CUT_WHEN, CUT_WHEN.replace(" or world.was_cut", "")),
    ("cuts-late", "cut", "The dealer may cut after cards were played.", CUT,
     tricks, CUT_WHEN, CUT_WHEN.replace(" or world.played", "")),
    ("guess-to-dealer", "cut", "A right guess scores for the dealer.", CUT,
     tricks, 'then.earn(1 - event.seat, "guess"', 'then.earn(event.seat, "guess"'),
    ("guess-with-packet", "cut", "A guess scores only if the packet has the right size.", CUT,
     tricks, "if event.guess == event.packet:", "if event.guess == event.packet == rule.packet:"),
    ("guess-of-size", "cut", "Who guesses the right size of a packet scores, whatever is cut.", CUT,
     tricks, "if event.guess == event.packet:", "if event.guess == rule.packet:"),
]  # fmt: skip

RESTORING: list[Row] = [
    ("no-growing", "reuse", "A bezique may not grow.", RESTORED,
     melds, "    if touched and all(m.row.level", "    if False and all(m.row.level"),
    ("no-restoring", "reuse", "A meld that has lost a card may not be made whole.", RESTORED,
     melds, "    return any(\n        m.row.kind == row.kind\n", "    return False and any(\n        m.row.kind == row.kind\n"),
    ("restores-whole-melds", "reuse", "A meld may be restored though none of its cards has left.", RESTORED,
     melds, "        and not m.cards <= held\n", ""),
    ("restores-some", "reuse", "A meld is restored without all of its cards that are still held.", RESTORED,
     melds, "        and m.cards & held <= cards\n", ""),
    ("restores-with-used", "reuse", "A card of another meld of the class restores a meld.", RESTORED,
     melds, "        and not any(other.cards & (cards - m.cards) for other in ever)\n", ""),
    ("restores-replaced", "reuse", "A meld that has grown or was restored may itself be restored.", RESTORED,
     melds, "if m.row.family == row.family and (seat, i) not in world.replaced", "if m.row.family == row.family"),
]  # fmt: skip

CARTE_BLANCHE: list[Row] = [
    ("blanche-once", "carte blanche", "Carte blanche scores once, not at every draw that keeps it.", BLANCHE,
     tricks, 'then.chains[event.seat] = "over" if self.courts({card}) else "open"',
     'then.chains[event.seat] = "over"'),
    ("blanche-goes-on", "carte blanche", "Carte blanche goes on after a court card is drawn.", BLANCHE,
     tricks, 'then.chains[event.seat] = "over" if self.courts({card}) else "open"',
     'then.chains[event.seat] = "open"'),
    ("blanche-any-time", "carte blanche", "Carte blanche may be shown after cards were played.", BLANCHE,
     tricks, 'if chain == "drawn" or (chain == "open" and not (first and other != seat)):', "if False:"),
    ("blanche-with-courts", "carte blanche", "Any hand may be shown as carte blanche.", BLANCHE,
     tricks, 'world.chains = ["over" if self.courts(hand) else "open" for hand in world.hands]',
     'world.chains = ["open" for hand in world.hands]'),
]  # fmt: skip

SOURCE_ERRORS: list[Planted] = [
    Planted(sheet, name, kind, says, SourceChange(module, old, new))
    for name, kind, says, sheets, module, old, new in (
        *TURNS, *DEALING, *FOLLOWING, *TAKING, *DRAWING, *MELDING, *CAPTURING, *SEVEN, *COUNTING, *SETTLING,
        *CLUB_SETTLING, *SIX_PACK_SETTLING, *CUTTING, *RESTORING, *CARTE_BLANCHE,
    )
    for sheet in sheets
]  # fmt: skip
