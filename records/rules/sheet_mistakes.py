"""What is wrong with a sheet that is well formed: what cannot be dealt, held, melded, followed or chosen.

Every mistake is a JSON Pointer into the sheet and a sentence.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from math import prod
from typing import Any

import msgspec
from msgspec.structs import replace

from records.cards import MAX_COPIES, RANK_NAMES, SUITS
from records.errors import RulesError
from records.events import MELD_NAMES, SCORE_NAMES
from records.phrases import join_words, pluralize
from records.pointers import pointer_step
from records.rules import vocabulary as v
from records.rules.compiled import MOST_MELDED, card_sets_for
from records.rules.complete import complete_rules, differing
from records.rules.registry import apply_options, value_at
from records.rules.sheet_shape import quoted
from records.rules.sheet_text import Mistakes


def value_mistakes(rules: v.SheetRules) -> Mistakes:
    """What has to be right before anything is made of the rules: numbers in bounds, and melds whose cards can be listed."""
    yield from _values(msgspec.to_builtins(rules, str_keys=True), "/rules", "rules")
    yield from _bezique_cards(rules)
    if len(rules.melds) > MOST_MELDS:
        yield "/rules/melds", f"A sheet has at most {MOST_MELDS} melds, not {len(rules.melds):,}."
        return
    ways = 0
    for number, meld in enumerate(rules.melds):
        at, size = f"/rules/melds/{number}/cards", meld.cards.size
        if isinstance(meld.cards, v.ListedCards) and size > MOST_MELDED:
            yield at, f"A meld has at most {MOST_MELDED} cards, and “{meld.words}” has {size}."
            continue
        ways += _ways(meld.cards)
        if ways > MOST_WAYS:
            yield (
                at,
                f"The cards of “{meld.words}” and those before can be chosen in too many ways.",
            )
            return


def sheet_mistakes(sheet: v.RuleSheet) -> Mistakes:
    """Everything else that is wrong with a sheet."""
    checks = (
        *(_pack, _players, _trumps, _tableau, _in_turns),
        *(_phases, _melds, _classes, _reuse, _bonuses),
    )
    found = False
    for mistake in chain(_of_one_name(sheet), *(check(sheet.rules) for check in checks)):
        found = True
        yield mistake
    if not found:
        yield from _options(sheet)


def _of_one_name(sheet: v.RuleSheet) -> Mistakes:
    """Articles, laws or sources of which one would hide another."""
    names = (
        ("articles", "id", [each.id for each in sheet.articles]),
        ("laws", "id", [each.id for each in sheet.laws]),
        ("sources", "tag", [each.tag for each in sheet.sources]),
    )
    for part, member, given in names:
        seen = set[str]()
        for number, name in enumerate(given):
            if name in seen:
                yield (
                    f"/{part}/{number}/{member}",
                    f"Two of the {part} have the {member} {quoted(name)}.",
                )
            seen.add(name)


LARGEST_NUMBER = 100_000
"""No rulebook has a number of points or cards near it."""
BELOW_ZERO = ("loser_total", "winner_total")
"""What each total is multiplied by in a settlement."""
FROM_ONE = ("hand", "draw_up_to", "packet", "full", "rounded_to", "repeat", "size")
NEVER_EMPTY = ("cards", "ranks", "melds", "players", "row", "courts")
NEVER_TWICE = ("ranks", "melds", "players", "courts")


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
            yield from _values(part, f"{at}/{pointer_step(key)}", name if key.isdigit() else key)
    elif isinstance(value, list | tuple):
        if not value and name in NEVER_EMPTY:
            yield at, "This list is empty."
        for number, part in enumerate(value):
            yield from _values(part, f"{at}/{number}", name)
        if name in NEVER_TWICE:
            yield from _doubled(value, at)


def _doubled(items: Iterable[Any], at: str) -> Mistakes:
    """Words or numbers of a list that have stood in it before."""
    seen = set[Any]()
    for number, item in enumerate(items):
        if isinstance(item, str | int):
            if item in seen:
                yield f"{at}/{number}", f"Here {quoted(item)} stands twice."
            seen.add(item)


def _bezique_cards(rules: v.SheetRules) -> Mistakes:
    given = rules.bezique_cards
    missing = [case for case in (*SUITS, "none") if given and case not in given]
    if missing:
        yield "/rules/bezique_cards", f"Its cards are missing for {join_words(missing)}."
    asked = {rank for meld in rules.melds for rank in _ranks_of_bezique(meld.cards)}
    for case, faces in given.items() if given and asked else ():
        ranks = [face[0] for face in faces]
        for number, rank in enumerate(ranks):
            at = f"/rules/bezique_cards/{case}/{number}"
            if rank not in rules.pack.ranks:
                yield at, f"The pack has no rank {rank}."
            elif rank not in asked:
                yield at, f"No meld asks for the {RANK_NAMES[rank]} of bezique."
            elif rank in ranks[:number]:
                yield at, f"The {RANK_NAMES[rank]} of bezique stands here twice."


def _ranks_of_bezique(cards: v.MeldCards) -> set[str]:
    listed = cards.cards if isinstance(cards, v.ListedCards) else ()
    return {rank for card in listed if card.suit == "bezique" for rank in card.ranks}


def _pack(rules: v.SheetRules) -> Mistakes:
    pack = rules.pack
    for number, rank in enumerate(row := pack.row or ()):
        ends = (row.index(rank), number) == (0, len(row) - 1)  # an ace may be both high and low
        if rank in row[:number] and not ends:
            yield f"/rules/pack/row/{number}", f"Only the ends of a row may both be {quoted(rank)}."
    if len(pack.copies) < len(SUITS):
        yield "/rules/pack/copies", "Every suit has copies: S, H, D and C."
    for suit, copies in pack.copies.items():
        if not 1 <= copies <= MAX_COPIES:
            yield (
                f"/rules/pack/copies/{suit}",
                f"Of each card there are 1 to {MAX_COPIES} copies, as many as a record has labels for, not {copies}.",
            )
        elif copies > pack.packs + 1:
            says = "A suit has as many copies as the others, or one more."
            yield f"/rules/pack/copies/{suit}", says
    for part, ranks in (
        ("pack/row", pack.row or ()),
        ("brisques/ranks", rules.brisques.ranks),
        ("carte_blanche/courts", rules.carte_blanche.courts if rules.carte_blanche else ()),
    ):
        for number, rank in enumerate(ranks):
            if rank not in pack.ranks:
                yield f"/rules/{part}/{number}", f"The pack has no rank {rank}."


MOST_PLAYERS = 6
"""Zetema is for so many."""


def _players(rules: v.SheetRules) -> Mistakes:
    cards = len(rules.pack.ranks) * sum(rules.pack.copies.values())
    for number, players in enumerate(rules.players):
        if not 2 <= players <= MOST_PLAYERS:
            yield f"/rules/players/{number}", f"From 2 to {MOST_PLAYERS} may play, not {players}."
            continue
        size = rules.hand.get(players, 0)
        if not size:
            yield "/rules/hand", f"The hand of {players} players is missing."
        elif players * size >= cards:
            says = f"{players} players cannot be dealt {size} cards each of {cards}."
            yield f"/rules/hand/{players}", says
        if isinstance(rules.match, v.RaceTo):
            yield from _target(rules.match, players)
        if rules.tableau is not None and players not in rules.tableau.draw_up_to:
            yield "/rules/tableau/draw_up_to", f"The full hand of {players} players is missing."
    yield from _more_players(rules)
    if isinstance(rules.play, v.TrickPlay):
        yield from _trick_players(rules, rules.play, cards)


def _trick_players(rules: v.SheetRules, play: v.TrickPlay, cards: int) -> Mistakes:
    """What is wrong with the numbers of players of a game with tricks: everybody draws one card after each."""
    if len(rules.players) > 1:
        yield (
            "/rules/players",
            "A game with tricks is for one number of players: write a sheet for each.",
        )
        return
    players = rules.players[0]
    if left := cards % players:
        if players == 2:
            yield (
                "/rules/pack",
                f"Two players draw {cards} cards by turns, and one card is left over.",
            )
        else:
            says = f"{players} players draw {cards} cards by turns, and {count_of(left, 'card')} left over."
            yield "/rules/pack", says
    order = "winner_then_loser" if players == 2 else "round_the_table"
    if play.draws != order:
        yield (
            "/rules/play/draws",
            f"Where {players} play tricks, the order of the draws is {order}.",
        )
    if isinstance(rules.match, v.RaceTo) and rules.match.end is v.GameEnd.AT_ONCE:
        yield (
            "/rules/match/end",
            "Only a game in turns ends at once; one with tricks plays deals out.",
        )
    if players > 2:
        yield from _only_for_two(rules, play)
    if rules.partners_meld and not rules.partners:
        yield "/rules/play/melds_by", "Nobody has a partner here who could meld."


def count_of(number: int, noun: str) -> str:
    """`1 card is`, `2 cards are`."""
    return f"{pluralize(number, noun)} {'is' if number == 1 else 'are'}"


def _only_for_two(rules: v.SheetRules, play: v.TrickPlay) -> Mistakes:
    """What games with tricks have only where two play."""
    if rules.cut is not None:
        yield "/rules/cut", "A cut with a guess is for two players."
    if play.melds_from is v.MeldsFrom.CAPTURED:
        yield "/rules/play/melds_from", "Only where two play are melds made of captured cards."
    if isinstance(rules.match, v.OneDeal):
        yield "/rules/match", "One deal is settled between two players; more play to a target."
    for number, bonus in enumerate(rules.bonuses):
        if bonus.to is v.To.LOSER:
            yield f"/rules/bonuses/{number}/to", "Only where two play has a trick one loser."


def _target(match: v.RaceTo, players: int) -> Mistakes:
    if players not in match.target:
        yield "/rules/match/target", f"The target for {players} players is missing."
    elif match.target[players] < 1:
        says = f"A target is at least 1, not {match.target[players]}."
        yield f"/rules/match/target/{players}", says


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
            elif any((meld.name == name) != (meld.kind == name) for meld in rules.melds):
                yield (
                    f"/rules/trumps/melds/{number}",
                    f"The meld {name} can only make trumps if it is the kind {name}, and no other meld is.",
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


def _tableau(rules: v.SheetRules) -> Mistakes:
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
    for rank in rules.tableau.zetemas if rules.tableau else ():
        if rank not in rules.pack.ranks:
            yield (
                f"/rules/tableau/zetemas/{pointer_step(rank)}",
                f"The pack has no rank {quoted(rank)}.",
            )


def _in_turns(rules: v.SheetRules) -> Mistakes:
    """What only games with tricks have, in a game in turns; and a cut that nobody can make."""
    cards = len(rules.pack.ranks) * sum(rules.pack.copies.values())
    if rules.cut is not None and rules.cut.packet >= cards:
        says = f"A packet of {rules.cut.packet} leaves none of the {cards} cards."
        yield "/rules/cut/packet", says
    if isinstance(rules.play, v.TrickPlay):
        return
    if rules.bonuses:
        yield "/rules/bonuses", "A game in turns has no tricks to score."
    if not isinstance(rules.trumps, v.NoTrumps):
        yield "/rules/trumps", "A game in turns has no trumps."
    if rules.pending:
        yield "/rules/pending", "Melds are pending only in a game with tricks."
    for part, words, found in (
        ("brisques", "brisques", rules.brisque_rule),
        ("cut", "cut", rules.cut),
        ("carte_blanche", "carte blanche", rules.carte_blanche),
    ):
        if found is not None:
            yield f"/rules/{part}", f"A game in turns has no {words}."


def _more_players(rules: v.SheetRules) -> Mistakes:
    """What is said of numbers of players that the game is not for."""
    targets = rules.match.target if isinstance(rules.match, v.RaceTo) else {}
    full = rules.tableau.draw_up_to if rules.tableau else {}
    for part, by_players in (
        ("hand", rules.hand),
        ("match/target", targets),
        ("tableau/draw_up_to", full),
    ):
        for players in by_players:
            if players not in rules.players:
                yield f"/rules/{part}/{players}", f"The game is not for {players} players."
    for number, each in enumerate(rules.partners):
        if (
            each.players not in rules.players
            or not 1 < each.side < each.players
            or each.players % each.side
        ):
            says = f"{each.players} players cannot form sides of {each.side}."
            yield f"/rules/partners/{number}", says


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


MOST_MELDS = 100
"""Chinese Bezique has 17."""
MOST_WAYS = 30_000
"""In so many ways the cards of all melds may be chosen, of every rank and suit that their lists allow: Zetema has 13,320."""


MOST_WAYS_IN_ALL = 100_000
"""So many ways of choosing cards are tried for all values of options that change cards or melds."""


def _ways(cards: v.MeldCards) -> int:
    if isinstance(cards, v.ShapedCards):
        return 1
    # Of several ranks one is chosen for the whole meld.
    ranks = prod(len(each) for each in {card.ranks for card in cards.cards})
    suits = [len(SUITS) for card in cards.cards if card.suit == "any"]
    cases = len(SUITS) + 1 if cards.speaks_of("trumps") or cards.speaks_of("plain") else 1
    return cases * ranks * prod(suits * cards.repeat)


_BY_TRUMPS = ("trumps", "plain", "bezique")
"""The suits of cards of a list that depend on trumps."""


def _melds(rules: v.SheetRules) -> Mistakes:
    places: dict[str, tuple[str, int]] = {}
    seen = set[tuple[str | None, str, tuple[str, ...] | v.ShapedCards]]()
    by_trumps = any(meld.cards.speaks_of(word) for meld in rules.melds for word in _BY_TRUMPS)
    cases = SUITS if by_trumps else (None,)
    for number, meld in enumerate(rules.melds):
        at = f"/rules/melds/{number}"
        if meld.name not in MELD_NAMES:
            yield (
                f"{at}/name",
                f"A record knows no meld {meld.name}; its names are {', '.join(MELD_NAMES)}.",
            )
        if (meld.kind == "marriage") != (meld.name == "marriage"):
            yield f"{at}/kind", "The kind marriage is that of the melds marriage, and of no others."
        if places.setdefault(meld.kind, (meld.family, meld.level)) != (meld.family, meld.level):
            yield (
                f"{at}/kind",
                f"The kind {meld.kind} of “{meld.words}” has another class or level elsewhere.",
            )
        yield from _cards(meld, rules, f"{at}/cards")
        shape = (meld.cards,) if isinstance(meld.cards, v.ShapedCards) else ()
        sets = {
            (trump, meld.name, faces)
            for trump in cases
            for faces in (*card_sets_for(meld, trump, rules), *shape)
        }
        if not seen.isdisjoint(sets):
            yield (
                f"{at}/cards",
                f"Cards of “{meld.words}” are another meld of the name {meld.name} already.",
            )
        seen |= sets


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
        if isinstance(rules.play, v.TrickPlay):
            yield at, "A game with tricks has no melds that are a shape."
        elif cards.in_a_row and rules.pack.row is None:
            yield at, "Cards in a row need the row of ranks in `pack`."
        return
    ranks = {card.ranks for card in cards.cards if card.suit == "bezique"}
    told = [{face[0] for face in faces} for faces in (rules.bezique_cards or {"none": ()}).values()]
    if any(len(each) > 1 for each in ranks):
        yield at, "A card of bezique has one rank."
    elif any(not set(each) <= faces for each in ranks for faces in told):
        yield at, f"`bezique_cards` does not tell the suits of “{meld.words}”."
    elif not any(card_sets_for(meld, trump, rules) for trump in (*SUITS, None)):
        yield (
            at,
            f"No hand can hold the cards of “{meld.words}”: the pack does not have enough of them.",
        )
    elif isinstance(rules.trumps, v.NoTrumps) and not card_sets_for(meld, None, rules):
        yield at, f"No hand can hold the cards of “{meld.words}”: there are no trumps."


_CLASSES = ("bezique", "sequence")
"""The classes of which a rule of reuse says whether their melds climb, and may go down again."""
_BY_CLASS = (
    v.ReuseRule.ONCE_PER_KIND,
    v.ReuseRule.UPWARD_IN_CLASS,
    v.ReuseRule.REFORMED_AFTER_LEAVING,
)


def _classes(rules: v.SheetRules) -> Mistakes:
    """A class with several levels of which the rule of reuse says nothing."""
    if v.REUSE_RULES.get(rules.reuse.law) not in _BY_CLASS:
        return
    first: dict[str, int] = {}
    for number, meld in enumerate(rules.melds):
        if first.setdefault(meld.family, meld.level) != meld.level and meld.family not in _CLASSES:
            yield (
                f"/rules/melds/{number}/class",
                f"By {rules.reuse.law} only the classes {join_words(_CLASSES)} have several levels.",
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


MOST_OPTION_VALUES = 100
"""All options together may have so many values, each of which is tried: Bezique has 24."""


def _options(sheet: v.RuleSheet) -> Mistakes:
    """Options that set nothing, or what cannot be set."""
    values = sum(len(each.values) for each in sheet.options if isinstance(each, v.ChoiceOption))
    if values + len(sheet.options) > MOST_OPTION_VALUES:
        says = f"All options together have at most {MOST_OPTION_VALUES} values, their own names counted."
        yield "/options", says
        return
    found = False
    for number, option in enumerate(sheet.options):
        for mistake in _option(sheet, option, f"/options/{number}"):
            found = True
            yield mistake
    if not found:
        yield from _values_tried(sheet)


def _option(sheet: v.RuleSheet, option: v.Option, at: str) -> Mistakes:
    """What is wrong with an option before any of its values is tried."""
    if sum(other.name == option.name for other in sheet.options) > 1:
        yield f"{at}/name", f"Two options have the name {option.name}."
    if isinstance(option, v.NumberOption):
        yield from _number_option(sheet, option, at)
        return
    known = [(type(value), value) for value in option.permitted]
    default = (type(option.default), option.default)
    if default not in known:
        yield f"{at}/default", "The default is not one of the values."
    for number, choice in enumerate(option.values):
        here = f"{at}/values/{number}"
        if known[number] in known[:number]:
            yield (
                f"{here}/value",
                f"The option {option.name} has the value {quoted(choice.value)} twice.",
            )
        elif (known[number] == default) == bool(choice.changes):
            says = "is the default and sets something" if choice.changes else "sets nothing"
            yield here, f"The option {option.name} with the value {quoted(choice.value)} {says}."
        for change_number, change in enumerate(choice.changes):
            if _value_at(sheet, change.path) is _NOTHING:
                yield f"{here}/changes/{change_number}/path", _leads_nowhere(change.path)


def _number_option(sheet: v.RuleSheet, option: v.NumberOption, at: str) -> Mistakes:
    if not option.least <= option.default <= option.most:
        yield f"{at}/default", f"The default is not from {option.least} to {option.most}."
    if not option.sets:
        yield f"{at}/sets", f"The option {option.name} sets nothing."
    for number, path in enumerate(option.sets):
        found = _value_at(sheet, path)
        if found is _NOTHING:
            yield f"{at}/sets/{number}", _leads_nowhere(path)
        elif found != option.default:
            yield f"{at}/default", f"The default is {option.default}, and {path} is another value."


def _leads_nowhere(path: str) -> str:
    return f"{path} leads nowhere; items of lists are numbered from 0 here."


_NOTHING = object()


def _value_at(sheet: v.RuleSheet, path: str) -> object:
    """What an option would replace; `_NOTHING` if there is no such member."""
    if not path.startswith("/rules/"):
        return _NOTHING
    try:
        return value_at(msgspec.to_builtins(sheet.rules, str_keys=True), path)
    except LookupError:
        return _NOTHING


def _values_tried(sheet: v.RuleSheet) -> Mistakes:
    """What is wrong with the sheets that the values of the options make."""
    left = MOST_WAYS_IN_ALL
    for at, name, value in _values_of(sheet.options):
        try:
            changed = apply_options(sheet, {name: value}).sheet
        except (RulesError, msgspec.ValidationError, LookupError, ValueError, TypeError):
            yield at, f"The option {name} sets what cannot stand there."
            continue
        if any(
            getattr(changed.rules, part) is not getattr(sheet.rules, part) for part in _OF_CARDS
        ):
            left -= sum(_ways(meld.cards) for meld in changed.rules.melds)
        if left < 0:
            yield at, "The cards of the melds can be chosen in too many ways for so many options."
            return
        if changed.rules == sheet.rules:
            continue  # the default: these rules have no mistakes, or their options would not be tried
        for says in _with_option(changed):
            yield at, f"With this value of {name}: {says}"


_OF_CARDS = ("pack", "melds", "bezique_cards")


def _values_of(options: Iterable[v.Option]) -> Iterator[tuple[str, str, v.RuleOptionValue]]:
    """The values to try, each with its place and the name of its option; of a number the least and the most."""
    for number, option in enumerate(options):
        at = f"/options/{number}"
        if isinstance(option, v.NumberOption):
            yield from [(at, option.name, option.least), (at, option.name, option.most)]
        else:
            for index, each in enumerate(option.values):
                yield f"{at}/values/{index}", option.name, each.value


def options_left(sheet: v.RuleSheet) -> tuple[v.Option, ...]:
    """Those of a base's options that still decide something under other rules, each value by itself."""
    written = _as_data(sheet.rules)
    return tuple(option for option in sheet.options if _decides(option, sheet, written))


def _decides(option: v.Option, sheet: v.RuleSheet, written: object) -> bool:
    for _, name, value in _values_of([option]):
        try:
            rules = apply_options(sheet, {name: value}).sheet.rules
        except (RulesError, msgspec.ValidationError, LookupError, ValueError, TypeError):
            return True  # a mistake, to be told of its own
        if any(getattr(rules, part) is not getattr(sheet.rules, part) for part in _OF_CARDS):
            return True
        changed = _as_data(rules)
        if (changed == written) != (value == option.default):
            return False
        if rules.reuse.law in v.REUSE_RULES and changed != _as_data(complete_rules(rules)):
            return False
    return True


def _with_option(changed: v.RuleSheet) -> list[str]:
    """What is wrong with the sheet that a value of an option makes."""
    found = list(value_mistakes(changed.rules))
    found = found or list(sheet_mistakes(replace(changed, options=())))
    if not found:
        made = _as_data(complete_rules(changed.rules))
        found = [
            (path, f"{path} follows from what it sets, and it has to set that too.")
            for path, _ in differing(_as_data(changed.rules), made, "/rules")
        ]
    return [says for _, says in found]


def _as_data(rules: v.SheetRules) -> object:
    return msgspec.json.decode(msgspec.json.encode(rules))
