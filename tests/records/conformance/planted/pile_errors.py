"""Errors in Zetema: turns, combinations, marriages, piles, the chain, the match."""

from tests.playouts import piles
from tests.records.conformance.planted.planting import UNCHECKED, Planted, SourceChange

ZETEMA = "zetema"
DRAW_WHEN = 'demand(world.now == "draw" and world.unseen[event.card] > 0, "no such card to draw")'
DISCARD_WHEN = 'demand(world.now in ("combine", "discard"), "cards are to be drawn first")'
COMBINE_WHEN = 'demand(world.now == "combine", "not the time to combine")'
AFTER_MARRIAGES = """                self.begin(then, (event.seat + 1) % self.seats)
                yield then
            return"""
FITS = "fits = said in (None, lying) and from_hand <= hand and from_hand"
CHAIN = (
    "if completes and self.seats == 2 and (whole or not then.down) and then.hands[seat].total():"
)
ZETEMA_CLAIMED = 'demand(event.seat == seat and event.points in (None, points), "not so")'
WANTED = "len(faces) == min(6, self.full) and (runs, one_suit) == wanted[row.name]"

SOURCES: list[tuple[str, str, str, str, str]] = [
    ("dealer-begins", "turns", "The dealer begins.",
     "self.begin(world, (deal.dealer + 1) % self.seats)", "self.begin(world, deal.dealer)"),
    ("anticlockwise", "turns", "The turn passes anticlockwise.",
     "turn = [(seat + i) % self.seats for i in range(self.seats)]",
     "seat = seat if world.now == 'draw' and not world.tableau else (seat - 2) % self.seats\n"
     "        turn = [(seat - i) % self.seats for i in range(self.seats)]"),
    ("out-of-turn", "turns", "Nobody asks whose turn it is.",
     'demand(not world.over and event.seat == world.to_act, "not in turn")', "demand(not world.over, '')"),
    ("any-hand", "dealing", "Hands of any size pass.",
     'demand(all(len(hand) == self.sheet.rules.hand[self.seats] for hand in hands), "hands")', UNCHECKED),
    ("draws-one", "drawing", "A turn begins with one card drawn, however many are missing.",
     "world.owes = min(lacks, world.down)", "world.owes = min(1, lacks, world.down)"),
    ("draws-forgotten", "drawing", "A card may be discarded before those due are drawn.",
     DISCARD_WHEN, UNCHECKED),
    ("draws-what-is-out", "drawing", "A card that is out already may be drawn.",
     DRAW_WHEN,
     'demand(world.now == "draw", "no such card to draw")'),
    ("draws-too-many", "drawing", "More cards may be drawn than the hand lacks.",
     DRAW_WHEN,
     'demand(world.down > 0 and world.unseen[event.card] > 0, "no such card to draw")'),
    ("combines-twice", "combinations", "A turn may have two combinations.",
     COMBINE_WHEN, 'demand(world.now in ("combine", "discard"), "not the time to combine")'),
    ("combines-before-drawing", "combinations", "A combination may be scored before drawing.",
     COMBINE_WHEN, 'demand(world.now in ("combine", "draw"), "not the time to combine")'),
    ("last-draw-combines-not", "combinations", "The turn that draws the last card has no combination.",
     "if lacks and not world.down:", "if lacks and lacks >= world.down:"),
    ("points-unchecked", "points", "Points claimed for combinations are not compared.",
     'demand(event.points in (None, points), "not those points")\n        cards =', "cards ="),
    ("no-hand-card", "marriages", "All cards of marriages may come from the tableau.",
     FITS, "fits = said in (None, lying) and from_hand <= hand"),
    ("hand-only", "marriages", "All cards of marriages must come from the hand.",
     "min(n, world.tableau[card])", "min(n, 0)"),
    ("from-tableau-unchecked", "marriages", "Nobody asks which cards came from the tableau.",
     FITS, "fits = from_hand <= hand and from_hand"),
    ("married-cards-stay", "marriages", "Married cards stay on their piles.",
     "                then.tableau -= lying\n", ""),
    ("discard-after-marriages", "marriages", "A turn with marriages has a discard.",
     AFTER_MARRIAGES, AFTER_MARRIAGES.replace(
         "self.begin(then, (event.seat + 1) % self.seats)", 'then.now, then.bound = "discard", None')),
    ("suits-mixed", "marriages", "King and queen of different suits marry.",
     "kings == queens == +kings", "kings.total() == queens.total()"),
    ("one-imperial", "marriages", "Two marriages in spades add 10, not 20.",
     "imperial = sum(face[1] in self.sheet.rules.pack.doubled_suits for face in faces) // 2",
     "imperial = any(face[1] in self.sheet.rules.pack.doubled_suits for face in faces)"),
    ("round-the-corner", "combinations", "A sequence may run from the ace round to the king.",
     "order = self.sheet.rules.pack.row or ()", "order = (self.sheet.rules.pack.row or ()) * 2"),
    ("flush-sequence-is-flush", "combinations", "A flush sequence may be declared as a flush.",
     WANTED, WANTED.replace("(runs, one_suit) == wanted[row.name]",
                            "(runs >= wanted[row.name][0] and one_suit >= wanted[row.name][1])")),
    ("like-spades-in-sequence", "combinations", "Two like ranks may stand in a sequence.",
     "runs = len(set(ranks)) == len(ranks) and self.consecutive(ranks)",
     "runs = any(self.consecutive([*dict.fromkeys(ranks)]) for _ in (0,)) and len(set(ranks)) >= 5"),
    ("unbound-discard", "discards", "The discard after a combination may be any card.",
     'demand(world.bound is None or card in world.bound, "not of the combination")', UNCHECKED),
    ("next-scores-zetema", "piles", "A zetema scores for the next player.",
     "self.award(then, seat, then.zetema[1])", "self.award(then, (seat + 1) % self.seats, then.zetema[1])"),
    ("zetema-stays", "piles", "The five cards of a zetema stay in the tableau.",
     "                del then.tableau[lying]\n", "                pass\n"),
    ("no-chain", "chain", "After a zetema the turn is over.", CHAIN, "if False:"),
    ("chain-for-all", "chain", "The chain holds for more than two players.",
     CHAIN, CHAIN.replace("self.seats == 2 and ", "")),
    ("chain-free", "chain", "In the chain a card that completes a pile need not go.",
     'demand(not world.going_on or not ready or card in ready, "must go on")', UNCHECKED),
    ("zetema-by-anyone", "piles", "Nobody asks who claims a zetema.",
     ZETEMA_CLAIMED,
     'demand(event.points in (None, points), "not so")'),
    ("zetema-points-unchecked", "points", "Points claimed for a zetema are not compared.",
     ZETEMA_CLAIMED,
     'demand(event.seat == seat, "not so")'),
    ("claims-unchecked", "match", "The scores claimed for a deal are not compared.",
     "return claims is None or claims == sides", "return True"),
    ("partners-alone", "match", "Partners do not add their points together.",
     "sides = [sum(world.points[seat] for seat in side) for side in self.sides]",
     "sides = [world.points[side[0]] for side in self.sides]"),
]  # fmt: skip

PILE_ERRORS: list[Planted] = [
    Planted(ZETEMA, name, kind, says, SourceChange(piles, old, new))
    for name, kind, says, old, new in SOURCES
]
