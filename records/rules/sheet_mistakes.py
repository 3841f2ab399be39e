"""What is wrong with a sheet that is well formed: what cannot be dealt, held, melded, followed or chosen.

Every mistake is a JSON Pointer into the sheet and a sentence.
"""

from collections import Counter
from collections.abc import Iterator
from math import prod
from typing import Any

import msgspec
from msgspec.structs import replace

from records.cards import MAX_COPIES, SUITS
from records.errors import RulesError
from records.events import MELD_NAMES, SCORE_NAMES
from records.phrases import join_words
from records.rules import vocabulary as v
from records.rules.compiled import MOST_MELDED, card_sets_for
from records.rules.registry import apply_options
from records.rules.value_places import escaped

Mistakes = Iterator[tuple[str, str]]


def value_mistakes(rules: v.SheetRules) -> Mistakes:
    """What has to be right before anything is made of the rules: numbers in bounds, and melds whose cards can be listed."""
    yield from _values(msgspec.to_builtins(rules, str_keys=True), "/rules", "rules")
    yield from _bezique_cards(rules)
    for number, meld in enumerate(rules.melds):
        at, size = f"/rules/melds/{number}/cards", meld.cards.size
        if isinstance(meld.cards, v.ListedCards) and size > MOST_MELDED:
            yield at, f"A meld has at most {MOST_MELDED} cards, and “{meld.words}” has {size}."
        elif _ways(meld.cards) > MOST_WAYS:
            yield at, f"The cards of “{meld.words}” can be chosen in too many ways."


def sheet_mistakes(sheet: v.RuleSheet) -> Mistakes:
    """Everything else that is wrong with a sheet."""
    found = False
    for check in (_pack, _players, _trumps, _phases, _melds, _reuse, _bonuses):
        for mistake in check(sheet.rules):
            found = True
            yield mistake
    if not found:
        for number, option in enumerate(sheet.options):
            yield from _option(sheet, option, f"/options/{number}")


LARGEST_NUMBER = 100_000
"""No rulebook has a number of points or cards near it."""
BELOW_ZERO = ("loser_total", "winner_total")
"""What each total is multiplied by in a settlement."""
FROM_ONE = ("hand", "draw_up_to", "packet", "full", "rounded_to", "repeat", "size")
NEVER_EMPTY = ("cards", "ranks", "melds", "players")


def _values(value: Any, at: str, name: str) -> Mistakes:
    """Numbers out of all bounds and empty lists, wherever they stand: `name` is the member they belong to."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        least = 1 if name in FROM_ONE else -LARGEST_NUMBER if name in BELOW_ZERO else 0
        if not least <= value <= LARGEST_NUMBER:
            yield at, f"A number here is from {least} to {LARGEST_NUMBER:,}, not {value}."
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _values(part, f"{at}/{escaped(key)}", name if key.isdigit() else key)
    elif isinstance(value, list | tuple):
        if not value and name in NEVER_EMPTY:
            yield at, "This list is empty."
        for number, part in enumerate(value):
            yield from _values(part, f"{at}/{number}", name)


def _bezique_cards(rules: v.SheetRules) -> Mistakes:
    given = rules.bezique_cards
    missing = [case for case in (*SUITS, "none") if given and case not in given]
    if missing:
        yield "/rules/bezique_cards", f"Its cards are missing for {join_words(missing)}."


def _pack(rules: v.SheetRules) -> Mistakes:
    pack = rules.pack
    for number, rank in enumerate(pack.ranks):
        if rank in pack.ranks[:number]:
            yield f"/rules/pack/ranks/{number}", f"The rank {rank} stands here twice."
    if len(pack.copies) < len(SUITS):
        yield "/rules/pack/copies", "Every suit has copies: S, H, D and C."
    for suit, copies in pack.copies.items():
        if not 1 <= copies <= MAX_COPIES:
            yield (
                f"/rules/pack/copies/{suit}",
                f"Of each card there are 1 to {MAX_COPIES} copies, as many as a record has labels for, not {copies}.",
            )
    for part, ranks in (
        ("pack/row", pack.row or ()),
        ("brisques/ranks", rules.brisques.ranks),
        ("carte_blanche/courts", rules.carte_blanche.courts if rules.carte_blanche else ()),
    ):
        for number, rank in enumerate(ranks):
            if rank not in pack.ranks:
                yield f"/rules/{part}/{number}", f"The pack has no rank {rank}."


def _players(rules: v.SheetRules) -> Mistakes:
    cards = len(rules.pack.ranks) * sum(rules.pack.copies.values())
    if isinstance(rules.play, v.TrickPlay) and rules.players != (2,):
        yield "/rules/players", "Games with tricks are for two players."
    for players in rules.players:
        size = rules.hand.get(players, 0)
        if not size or players * size >= cards:
            yield "/rules/hand", f"{players} players cannot be dealt {size} cards each of {cards}."
        if isinstance(rules.match, v.RaceTo) and rules.match.target.get(players, 0) < 1:
            yield "/rules/match/target", f"The target for {players} players is missing."
        if rules.tableau is not None and players not in rules.tableau.draw_up_to:
            yield "/rules/tableau/draw_up_to", f"The full hand of {players} players is missing."
    if isinstance(rules.play, v.TrickPlay) and cards % 2:
        yield "/rules/pack", f"Two players draw {cards} cards by turns, and one card is left over."


def _trumps(rules: v.SheetRules) -> Mistakes:
    trumps, dix = rules.trumps, rules.dix
    if isinstance(trumps, v.FirstMeld):
        names = {meld.name for meld in rules.melds}
        for number, name in enumerate(trumps.melds):
            if name not in names:
                yield (
                    f"/rules/trumps/melds/{number}",
                    f"There is no meld {name} that could make trumps.",
                )
    if isinstance(rules.play, v.TrickPlay) and rules.brisque_rule is None:
        yield "/rules/brisques", "A game with tricks has brisques; `count` may be `never`."
    if dix is not None and "7" not in rules.pack.ranks:
        yield "/rules/dix", "The pack has no sevens."
    if dix is not None and not isinstance(trumps, v.TurnUp):
        yield "/rules/dix", "A dix needs trumps that are turned up."
    last = "turn_up" if isinstance(trumps, v.TurnUp) else "stock"
    if isinstance(rules.play, v.TrickPlay) and rules.play.last_card != last:
        yield "/rules/play/last_card", f"With these trumps the last card drawn is the {last}."
    if (rules.tableau is None) != isinstance(rules.play, v.TrickPlay):
        yield (
            "/rules/tableau",
            "A game in turns needs a tableau; a game with tricks cannot have one.",
        )
    missing = [
        rank for rank in rules.pack.ranks if rules.tableau and rank not in rules.tableau.zetemas
    ]
    if missing:
        yield "/rules/tableau/zetemas", f"The zetemas of {join_words(missing)} are missing."


_STEPS = {
    True: ((("trick", "declare", "draw"),), (("trick", "declare"),)),
    False: ((("draw_up", "combine", "discard"),), (("discard",), ("combine", "discard"))),
}
"""The steps of the two phases that can follow each other, with tricks and without."""


def _phases(rules: v.SheetRules) -> Mistakes:
    ends = [(phase.name, phase.until) for phase in rules.phases]
    if ends != [("stock", v.Until.STOCK_EMPTY), ("close", v.Until.HANDS_EMPTY)]:
        yield (
            "/rules/phases",
            "There are two phases: stock, until the stock is empty, and close, until the hands are.",
        )
        return
    known = _STEPS[isinstance(rules.play, v.TrickPlay)]
    for number, (phase, ways) in enumerate(zip(rules.phases, known, strict=True)):
        if tuple(step.value for step in phase.steps) not in ways:
            words = join_words([", ".join(way) for way in ways], "or")
            yield f"/rules/phases/{number}/steps", f"The steps of this phase are {words}."


MOST_WAYS = 100_000
"""In so many ways the cards of one meld may be chosen, of every rank and suit that its list allows."""


def _ways(cards: v.MeldCards) -> int:
    if isinstance(cards, v.ShapedCards):
        return 1
    # Of several ranks one is chosen for the whole meld.
    ranks = prod(len(each) for each in {card.ranks for card in cards.cards})
    suits = [len(SUITS) for card in cards.cards if card.suit == "any"]
    return ranks * prod(suits * cards.repeat)


def _melds(rules: v.SheetRules) -> Mistakes:
    places: dict[str, tuple[str, int]] = {}
    seen: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
    for number, meld in enumerate(rules.melds):
        at = f"/rules/melds/{number}"
        if meld.name not in MELD_NAMES:
            yield (
                f"{at}/name",
                f"A record knows no meld {meld.name}; its names are {', '.join(MELD_NAMES)}.",
            )
        if places.setdefault(meld.kind, (meld.family, meld.level)) != (meld.family, meld.level):
            yield (
                f"{at}/kind",
                f"The kind {meld.kind} of “{meld.words}” has another class or level elsewhere.",
            )
        yield from _cards(meld, rules, f"{at}/cards")
        sets = {
            (trump, meld.name, faces)
            for trump in SUITS
            for faces in card_sets_for(meld, trump, rules)
        }
        if any(seen[each] for each in sets):
            yield (
                f"{at}/cards",
                f"Cards of “{meld.words}” are another meld of the name {meld.name} already.",
            )
        seen.update(sets)


def _cards(meld: v.MeldRule, rules: v.SheetRules, at: str) -> Mistakes:
    """A meld that no hand can hold, or whose cards nothing tells."""
    cards, largest = meld.cards, max(rules.hand.values(), default=0)
    held = rules.melds_from is v.MeldsFrom.HELD and meld.name != "marriages"
    if held and cards.size > largest:
        yield (
            at,
            f"No hand can hold the {cards.size} cards of “{meld.words}”: the largest has {largest}.",
        )
    if isinstance(cards, v.ShapedCards):
        if cards.in_a_row and rules.pack.row is None:
            yield at, "Cards in a row need the row of ranks in `pack`."
        return
    ranks = {card.ranks for card in cards.cards if card.suit == "bezique"}
    pairs = [rules.bezique_cards] if rules.bezique_cards else []
    told = {face[0] for pair in pairs for faces in pair.values() for face in faces}
    if any(not set(each) <= told for each in ranks):
        yield at, f"`bezique_cards` does not tell the suits of “{meld.words}”."
    elif not any(card_sets_for(meld, trump, rules) for trump in (*SUITS, None)):
        yield (
            at,
            f"No hand can hold the cards of “{meld.words}”: the pack does not have enough of them.",
        )


def _reuse(rules: v.SheetRules) -> Mistakes:
    if rules.reuse.law not in v.REUSE_RULES:
        known = ", ".join(v.REUSE_RULES)
        yield "/rules/reuse/law", f"There is no rule of reuse {rules.reuse.law}; there are {known}."
    elif (rules.reuse.rule is v.ReuseRule.LEAVES_THE_HAND) != (rules.tableau is not None):
        yield "/rules/reuse/law", f"{rules.reuse.law} is no rule of reuse for this kind of play."


def _bonuses(rules: v.SheetRules) -> Mistakes:
    for number, bonus in enumerate(rules.bonuses):
        if bonus.name not in SCORE_NAMES:
            known = ", ".join(SCORE_NAMES)
            yield (
                f"/rules/bonuses/{number}/name",
                f"A record knows no bonus {bonus.name}; its names are {known}.",
            )


def _option(sheet: v.RuleSheet, option: v.Option, at: str) -> Mistakes:
    """An option that sets nothing, or what cannot be set."""
    if sum(other.name == option.name for other in sheet.options) > 1:
        yield f"{at}/name", f"Two options have the name {option.name}."
    if isinstance(option, v.NumberOption):
        if not option.least <= option.default <= option.most:
            yield f"{at}/default", f"The default is not from {option.least} to {option.most}."
        if not option.sets:
            yield f"{at}/sets", f"The option {option.name} sets nothing."
        tried: list[tuple[str, v.RuleOptionValue]] = [(at, option.most)]
    else:
        if sum(value == option.default for value in option.permitted) != 1:
            yield f"{at}/default", "The default is not one of the values."
        tried = []
        for number, choice in enumerate(option.values):
            here = f"{at}/values/{number}"
            if (choice.value == option.default) == bool(choice.changes):
                says = "is the default and sets something" if choice.changes else "sets nothing"
                yield here, f"The option {option.name} with the value {choice.value} {says}."
            tried.append((here, choice.value))
    for here, value in tried:
        yield from _with_option(sheet, option, value, here)


def _with_option(
    sheet: v.RuleSheet, option: v.Option, value: v.RuleOptionValue, at: str
) -> Mistakes:
    try:
        changed = apply_options(sheet, {option.name: value}).sheet
    except RulesError:
        return
    except (LookupError, ValueError, TypeError) as error:
        yield at, f"The option {option.name} cannot set that: {error}."
        return
    for _, says in sheet_mistakes(replace(changed, options=())):
        yield at, f"With this value of {option.name}: {says}"
