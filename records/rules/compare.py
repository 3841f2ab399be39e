"""Rule sheets side by side with their differences marked, for the web page and the terminal."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import assert_never

from records.cards import card_sign
from records.phrases import join_words
from records.rules.compiled import bezique_faces
from records.rules.english import ARTICLES, SETS, option_value_text, target_words
from records.rules.english_melds import (
    BONUS_WORDS,
    BRISQUE_COUNT_WORDS,
    CHAIN_WORDS,
    FOLLOW_WORDS,
    GAME_END_WORDS,
    HAND_CARD_WORDS,
    LEAVING_WORDS,
    REUSE_WORDS,
    ROUNDED_DIFFERENCE_WORDS,
    TRUMPS_BY_WORDS,
    WINDOW_WORDS,
    cards_in_words,
    first_play_words,
    or_partner,
    places_of_the_ace,
    rank_signs,
    rounding_words,
    rubicon_words,
    usual_and_exceptions,
    win_words,
    zetemas_by_points,
)
from records.rules.vocabulary import (
    CarteBlancheRule,
    CutRule,
    DixRule,
    FirstMeld,
    MeldCards,
    MeldRule,
    MeldsFrom,
    NoTrumps,
    OneDeal,
    Phase,
    PhaseStep,
    RaceTo,
    ReuseRule,
    RuleSheet,
    TableauRule,
    TrickPlay,
    TurnUp,
    When,
    Window,
)

# What the short cells of a table of sheets share.

NOT_IN_GAME = "–"
"""The cell of something that a game does not have."""


SheetProperty = tuple[str, str, Callable[[RuleSheet], str]]
"""The article it belongs to, its name, and what a sheet says of it."""


def yes_or_no(*, holds: bool) -> str:
    """Whether something holds: `yes` or `no`."""
    return "yes" if holds else "no"


def number_by_players(numbers: Mapping[int, int]) -> str:
    """A number that may depend on the number of players: `6; 5 for 6 players`."""
    usual, exceptions = usual_and_exceptions(numbers)
    return "; ".join(
        [str(usual), *(f"{number} for {players} players" for players, number in exceptions.items())]
    )


def has_tricks(phase: Phase) -> bool:
    """Whether tricks are played in a phase."""
    return PhaseStep.TRICK in phase.steps


def meld_limit(phase: int) -> Callable[[RuleSheet], str]:
    """How many melds a trick or a turn of a phase allows, by the phase's number."""

    def limit_of(sheet: RuleSheet) -> str:
        melds = sheet.rules.phases[phase].melds
        return "any number" if melds is None else str(melds or "none")

    return limit_of


# The deal, trumps and the play of a sheet as the short cells of a table.

STEP_WORDS = {
    PhaseStep.TRICK: "trick", PhaseStep.DECLARE: "melds", PhaseStep.DRAW: "draw", PhaseStep.DRAW_UP: "draw up",
    PhaseStep.COMBINE: "combine", PhaseStep.DISCARD: "discard",
}  # fmt: skip


def _players(sheet: RuleSheet) -> str:
    low, high = min(sheet.rules.players), max(sheet.rules.players)
    return str(low) if low == high else f"{low} to {high}"


def _sides(sheet: RuleSheet) -> str:
    sides = [
        f"{players} players as {join_words((f'{players // size} × {size}' for size in sizes), 'or')}"
        for players, sizes in sheet.rules.partner_sizes.items()
    ]
    return "; ".join(["each alone", *sides])


def _packs(sheet: RuleSheet) -> str:
    pack = sheet.rules.pack
    doubled = "".join(
        f" and a {SETS[pack.packs - 1]} {card_sign('?' + suit)[1:]}" for suit in pack.doubled_suits
    )
    return f"{pack.packs}{doubled}"


def _trumps(sheet: RuleSheet) -> str:
    match sheet.rules.trumps:
        case TurnUp():
            return "the card turned up"
        case FirstMeld(melds, when):
            return f"the first {join_words(melds, 'or')} {TRUMPS_BY_WORDS[when]}"
        case NoTrumps():
            return "none"
        case _:
            assert_never(sheet.rules.trumps)


def _dealer_seven(sheet: RuleSheet) -> str:
    return str(
        (isinstance(sheet.rules.trumps, TurnUp) and sheet.rules.trumps.dealer_seven) or NOT_IN_GAME
    )


def _of_dix(says: Callable[[DixRule], str]) -> Callable[[RuleSheet], str]:
    """A property of the seven of trumps, in games where it scores or is exchanged."""

    def cell(sheet: RuleSheet) -> str:
        dix = sheet.rules.dix
        return (
            says(dix) if dix and (dix.points or dix.exchange is not Window.NEVER) else NOT_IN_GAME
        )

    return cell


def _of_scoring_dix(says: Callable[[DixRule], str]) -> Callable[[RuleSheet], str]:
    return _of_dix(lambda dix: says(dix) if dix.points else NOT_IN_GAME)


def _exchange_is_meld(sheet: RuleSheet) -> str:
    dix = sheet.rules.dix
    if not dix or dix.exchange is not Window.AFTER_TRICK_WON or sheet.rules.phases[0].melds != 1:
        return NOT_IN_GAME
    return yes_or_no(holds=dix.exchange_is_the_meld)


def _of_blanche(says: Callable[[CarteBlancheRule], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: (
        says(sheet.rules.carte_blanche) if sheet.rules.carte_blanche else NOT_IN_GAME
    )


def _of_cut(says: Callable[[CutRule], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet.rules.cut) if sheet.rules.cut else NOT_IN_GAME


def _turn(phase: int) -> Callable[[RuleSheet], str]:
    return lambda sheet: ", ".join(STEP_WORDS[step] for step in sheet.rules.phases[phase].steps)


def _reply(phase: int) -> Callable[[RuleSheet], str]:
    return lambda sheet: (
        FOLLOW_WORDS[sheet.rules.phases[phase].follow]
        if has_tricks(sheet.rules.phases[phase])
        else NOT_IN_GAME
    )


PLAY_PROPERTIES: tuple[SheetProperty, ...] = (
    ("deal", "players", _players),
    ("deal", "sides", _sides),
    ("deal", "packs", _packs),
    ("deal", "cards", lambda sheet: str(sheet.rules.pack.cards)),
    ("deal", "ranks, high to low", lambda sheet: rank_signs(sheet.rules.pack.ranks)),
    ("deal", "cards dealt to each", lambda sheet: number_by_players(sheet.rules.hand)),
    ("cut", "a packet that scores", _of_cut(lambda cut: f"{cut.packet} cards")),
    ("cut", "points for the packet", _of_cut(lambda cut: str(cut.dealer_points))),
    ("cut", "points for a right guess", _of_cut(lambda cut: str(cut.guess_points))),
    ("trumps", "what makes trumps", _trumps),
    ("trumps", "a seven turned up scores", _dealer_seven),
    ("dix", "points", _of_dix(lambda dix: str(dix.points or "none"))),
    ("dix", "exchanged for the turn-up", _of_dix(lambda dix: WINDOW_WORDS[dix.exchange])),
    ("dix", "shown", _of_scoring_dix(lambda dix: WINDOW_WORDS[dix.show])),
    ("dix", "scores when played", _of_scoring_dix(lambda dix: yes_or_no(holds=dix.played))),
    ("dix", "scores after the close", _of_scoring_dix(lambda dix: yes_or_no(holds=dix.in_last_tricks))),
    ("dix", "scores only once", _of_scoring_dix(lambda dix: yes_or_no(holds=dix.once_per_card))),
    ("dix", "an exchange is the trick's meld", _exchange_is_meld),
    ("dix", "exchanged after it scored", _of_dix(lambda dix: yes_or_no(holds=dix.spent_exchanges))),
    ("carte_blanche", "points, and again for each draw", _of_blanche(lambda rule: str(rule.points))),
    ("carte_blanche", "a hand without", _of_blanche(lambda rule: rank_signs(rule.courts))),
    ("carte_blanche", "shown before", _of_blanche(first_play_words)),
    ("play", "a turn", _turn(0)),
    ("play", "the reply to a card led", _reply(0)),
    ("close", "a turn", _turn(-1)),
    ("close", "the reply to a card led", _reply(-1)),
    ("close", "melds per turn", meld_limit(-1)),
)  # fmt: skip
"""The rows that compare deals, trumps and play, in the order of the articles."""


# Melds, bonuses and the end of a game as the short cells of a table.


def _of_tableau(describe: Callable[[TableauRule], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: describe(sheet.rules.tableau) if sheet.rules.tableau else NOT_IN_GAME


def _who_melds(sheet: RuleSheet) -> str:
    if not isinstance(sheet.rules.play, TrickPlay):
        return "a player, in turn"
    return f"the winner of a trick{or_partner(sheet)}"


def _made_of(sheet: RuleSheet) -> str:
    return "cards won in tricks" if sheet.rules.melds_from is MeldsFrom.CAPTURED else "cards held"


def _bezique_cards(sheet: RuleSheet) -> str:
    usual, other = (
        " ".join(map(card_sign, bezique_faces(trump, sheet.rules))) for trump in (None, "S")
    )
    if usual == other:
        return usual or NOT_IN_GAME
    return f"{usual}; {other} when spades or diamonds are trumps"


def _row(sheet: RuleSheet) -> str:
    ends = places_of_the_ace(sheet.rules.pack)
    return join_words(ends, "or") if ends else NOT_IN_GAME


def _melds(sheet: RuleSheet) -> set[str]:
    return {meld.name for meld in sheet.rules.melds}


def _reading(says: Callable[[RuleSheet], bool], *melds: str) -> Callable[[RuleSheet], str]:
    """A detail of the rule of reuse, where the sheet has the melds that it is about."""

    def cell(sheet: RuleSheet) -> str:
        return yes_or_no(holds=says(sheet)) if set(melds) <= _melds(sheet) else NOT_IN_GAME

    return cell


def _leaves(sheet: RuleSheet) -> str:
    leaving = (ReuseRule.REFORMED_AFTER_LEAVING, ReuseRule.AUGMENT_OR_RESTORE)
    return (
        LEAVING_WORDS[sheet.rules.reuse.card_leaves_by]
        if sheet.rules.reuse.rule in leaving
        else NOT_IN_GAME
    )


def _zetemas(tableau: TableauRule) -> str:
    rows = zetemas_by_points(tableau)
    return "; ".join(f"{rank_signs(ranks)} {points}" for points, ranks in rows)


def _bonus(when: When) -> SheetProperty:
    def cell(sheet: RuleSheet) -> str:
        due = [bonus for bonus in sheet.rules.bonuses if bonus.tricks is when]
        return ", ".join(f"{bonus.points} to the {bonus.to.value}" for bonus in due) or NOT_IN_GAME

    return ("bonuses", BONUS_WORDS[when], cell)


def _brisques(says: Callable[[RuleSheet], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet) if has_tricks(sheet.rules.phases[0]) else NOT_IN_GAME


def _target(sheet: RuleSheet) -> str:
    match sheet.rules.match:
        case OneDeal():
            return "one deal"
        case RaceTo() as race:
            return target_words(race)
        case _:
            assert_never(sheet.rules.match)


def _race_end(sheet: RuleSheet) -> str:
    return (
        GAME_END_WORDS[sheet.rules.match.end]
        if isinstance(sheet.rules.match, RaceTo)
        else NOT_IN_GAME
    )


def _of_deal(says: Callable[[OneDeal], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: (
        says(sheet.rules.match) if isinstance(sheet.rules.match, OneDeal) else NOT_IN_GAME
    )


SCORING_PROPERTIES: tuple[SheetProperty, ...] = (
    ("melds", "melds per turn before the close", meld_limit(0)),
    ("melds", "who melds", _who_melds),
    ("melds", "made of", _made_of),
    ("melds", "cards of a bezique", _bezique_cards),
    ("melds", "the ace in a row", _row),
    ("reuse", "a card may score", lambda sheet: REUSE_WORDS[sheet.rules.reuse.rule]),
    ("reuse", "a card leaves a meld when it is", _leaves),
    ("reuse", "sequence, then its marriage",
     _reading(lambda sheet: sheet.rules.reuse.sequence_then_marriage, "sequence", "marriage")),
    ("reuse", "two beziques, then the double",
     _reading(lambda sheet: sheet.rules.reuse.singles_then_double, "bezique", "double_bezique")),
    ("reuse", "double bezique, then a single",
     _reading(lambda sheet: sheet.rules.reuse.double_then_single, "bezique", "double_bezique")),
    ("reuse", "each card in only one meld", lambda sheet: yes_or_no(holds=sheet.rules.reuse.once_ever)),
    ("pending", "a shown meld may score later",
     lambda sheet: yes_or_no(holds=sheet.rules.pending)),
    ("tableau", "cards that make a zetema", _of_tableau(lambda tableau: str(tableau.full))),
    ("tableau", "points of a zetema", _of_tableau(_zetemas)),
    ("tableau", "cards drawn up to",
     _of_tableau(lambda tableau: number_by_players(tableau.draw_up_to))),
    ("tableau", "of marriages, from the hand",
     _of_tableau(lambda tableau: HAND_CARD_WORDS[tableau.marriage_hand_cards])),
    ("tableau", "a marriage in the doubled suit", _of_tableau(
        lambda tableau: f"{tableau.doubled_suit_points} more when fewer than {tableau.doubled_suit_below}")),
    ("tableau", "two players go on after a zetema",
     _of_tableau(lambda tableau: CHAIN_WORDS[tableau.chain])),
    *map(_bonus, BONUS_WORDS),
    ("brisques", "brisques are", _brisques(lambda sheet: rank_signs(sheet.rules.brisques.ranks))),
    ("brisques", "points each", _brisques(lambda sheet: str(sheet.rules.brisques.points))),
    ("brisques", "counted", _brisques(lambda sheet: BRISQUE_COUNT_WORDS[sheet.rules.brisques.count])),
    ("game", "a game is", _target),
    ("game", "ends", _race_end),
    ("game", "rubicon", _of_deal(lambda game: f"{game.rubicon:,}")),
    ("game", "scores are", _of_deal(lambda game: rounding_words(game.settlement))),
    ("game", "winner receives",
     _of_deal(lambda game: win_words(game.settlement))),
    ("game", "the difference is", _of_deal(lambda game: ROUNDED_DIFFERENCE_WORDS[game.settlement.win_difference])),
    ("game", "if the loser is rubiconed",
     _of_deal(lambda game: rubicon_words(game.settlement))),
)  # fmt: skip
"""The rows that compare scoring, in the order of the articles; the melds' points are rows of their own."""


MeldKey = tuple[str, MeldCards]
"""Melds of two sheets are the same if they have this in common: the name in a record and the cards."""


@dataclass(frozen=True, slots=True)
class ComparisonCell:
    """What one sheet says, and whether it differs from most of the others or from the one compared with."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One property of the sheets; `detail` is a meld's cards in words."""

    name: str
    detail: str
    cells: tuple[ComparisonCell, ...]

    @property
    def differs(self) -> bool:
        """Whether any sheet differs."""
        return any(cell.differs for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ComparisonGroup:
    """The properties of one article."""

    article: str
    heading: str
    rows: tuple[ComparisonRow, ...]


@dataclass(frozen=True, slots=True)
class ComparedSheet:
    """One sheet: its id and its name."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sheets side by side; `against` is the id of the sheet that the others are compared with, if any."""

    sheets: tuple[ComparedSheet, ...]
    against: str | None
    groups: tuple[ComparisonGroup, ...]


def compare_rule_sheets(
    sheets: Sequence[RuleSheet], *, against: str | None = None, only_differing: bool = False
) -> Comparison:
    """These sheets compared with what most of them say, or with the sheet `against`, which comes first."""
    model = [sheet for sheet in sheets if sheet.id == against]
    sheets = [*model, *(sheet for sheet in sheets if sheet.id != against)]
    rows = _RowMaker(sheets, with_first=bool(model))
    groups = [
        *(rows.article(name, heading) for name, heading, _ in ARTICLES),
        rows.options(),
    ]
    shown_groups = [_differing(group) if only_differing else group for group in groups]
    return Comparison(
        sheets=tuple(ComparedSheet(sheet.id, sheet.name) for sheet in sheets),
        against=against if model else None,
        groups=tuple(group for group in shown_groups if group.rows),
    )


def _differing(group: ComparisonGroup) -> ComparisonGroup:
    rows = tuple(row for row in group.rows if row.differs)
    return ComparisonGroup(group.article, group.heading, rows)


class _RowMaker:
    """Makes the rows for these sheets, compared with the first of them or with what most say."""

    def __init__(self, sheets: Sequence[RuleSheet], *, with_first: bool) -> None:
        self.sheets = sheets
        self.with_first = with_first

    def article(self, name: str, heading: str) -> ComparisonGroup:
        """The properties of an article; for the article of melds, their points too."""
        properties = (
            (words, describe)
            for article, words, describe in (*PLAY_PROPERTIES, *SCORING_PROPERTIES)
            if article == name
        )
        rows = [
            self._row(words, [describe(sheet) for sheet in self.sheets])
            for words, describe in properties
        ]
        if name == "melds":
            rows += [self._meld(key) for key in meld_keys_of(self.sheets)]
        return ComparisonGroup(name, heading, tuple(filter(None, rows)))

    def options(self) -> ComparisonGroup:
        """The options of the sheets with their defaults."""
        names = dict.fromkeys(option.name for sheet in self.sheets for option in sheet.options)
        rows = [self._row(name, [_default(sheet, name) for sheet in self.sheets]) for name in names]
        return ComparisonGroup("options", "Options, with their defaults", tuple(filter(None, rows)))

    def _meld(self, key: MeldKey) -> ComparisonRow | None:
        """The points of a meld. A sheet with another word for it adds that word, which does not count as a difference."""
        found = [_meld_with_key(sheet, key) for sheet in self.sheets]
        words = Counter(meld.words for meld in found if meld is not None).most_common(1)[0][0]
        points = [NOT_IN_GAME if meld is None else f"{meld.points:,}" for meld in found]
        other = [f" ({meld.words})" if meld and meld.words != words else "" for meld in found]
        owner = next(sheet for sheet, meld in zip(self.sheets, found, strict=True) if meld)
        return self._row(words, points, cards_in_words(key[1], owner.rules), other)

    def _row(
        self, name: str, texts: list[str], detail: str = "", words: Sequence[str] = ()
    ) -> ComparisonRow | None:
        if set(texts) == {NOT_IN_GAME}:
            return None
        usual = texts[0] if self.with_first else _usual(texts)
        cells = tuple(
            ComparisonCell(text + word, text != usual)
            for text, word in zip_longest(texts, words, fillvalue="")
        )
        return ComparisonRow(name, detail, cells)


def _usual(texts: list[str]) -> str | None:
    """What most of the texts are; None if another one is as frequent."""
    (first, count), *others = Counter(texts).most_common(2)
    return None if others and others[0][1] == count else first


def meld_keys_of(sheets: Sequence[RuleSheet]) -> list[MeldKey]:
    """Every meld of the sheets once, each after the meld that it follows in its sheet."""
    order: list[MeldKey] = []
    for sheet in sheets:
        place = len(order)
        for key in map(_key, sheet.rules.melds):
            if key not in order:
                order.insert(place, key)
            place = order.index(key) + 1
    return order


def _key(meld: MeldRule) -> MeldKey:
    return meld.name, meld.cards


def _meld_with_key(sheet: RuleSheet, key: MeldKey) -> MeldRule | None:
    return next((meld for meld in sheet.rules.melds if _key(meld) == key), None)


def _default(sheet: RuleSheet, name: str) -> str:
    option = next((option for option in sheet.options if option.name == name), None)
    return NOT_IN_GAME if option is None else option_value_text(option.default)
