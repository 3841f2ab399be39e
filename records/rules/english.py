"""A rule sheet in English, made from its data alone, for the web page and the terminal."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from textwrap import fill
from typing import assert_never

from records.cards import SUIT_NAMES
from records.phrases import count_in_words, join_words, number_word, with_article
from records.rules import english_melds
from records.rules.compiled import card_sets_for
from records.rules.english_melds import (
    BONUS_WORDS,
    BRISQUE_COUNT_WORDS,
    CHAIN_WORDS,
    DIFFERENCE_ROUNDING_WORDS,
    FOLLOW_WORDS,
    GAME_END_WORDS,
    HAND_CARD_WORDS,
    TRUMPS_BY_WORDS,
    WINDOW_WORDS,
    at_most,
    first_play_words,
    or_partner,
    rank_name,
    rank_signs,
    rounding_words,
    rubicon_words,
    usual_and_exceptions,
    win_words,
    zetemas_by_points,
)
from records.rules.registry import Law, cited_laws
from records.rules.vocabulary import (
    Bonus,
    BrisqueCount,
    Brisques,
    Chain,
    ChoiceOption,
    CutRule,
    DixRule,
    FirstMeld,
    Follow,
    GameEnd,
    MeldRule,
    MeldsFrom,
    NoTrumps,
    NumberOption,
    OneDeal,
    Option,
    Pack,
    Phase,
    PhaseStep,
    RaceTo,
    RuleOptionValue,
    RuleSheet,
    ShapedCards,
    SheetSettlement,
    TableauRule,
    TurnUp,
    Until,
    When,
    Window,
)

# The deal, the cut, trumps, the seven of trumps and carte blanche in sentences.


def explain_deal(sheet: RuleSheet) -> list[str]:
    """How many play, with which cards, and how many each is dealt."""
    low, high = min(sheet.rules.players), max(sheet.rules.players)
    players = number_word(low) if low == high else f"{number_word(low)} to {number_word(high)}"
    return [
        f"The game is for {players} players.",
        *_partners(sheet),
        _pack(sheet.rules.pack),
        _hands(sheet.rules.hand),
        *_next_deal(sheet),
    ]


SETS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""How the set of a suit is called that comes once more than one, two, ... whole packs."""


def _pack(pack: Pack) -> str:
    packs = count_in_words(pack.packs, "pack")
    if pack.doubled_suits:
        twice = join_words(SUIT_NAMES[suit] for suit in pack.doubled_suits)
        packs += f" and a {SETS[pack.packs - 1]} set of {twice}"
    together = " shuffled together" if pack.packs > 1 else ""
    ranks = rank_signs(pack.ranks)
    return f"The {pack.cards} cards are {packs}{together}, ranking {ranks} from high to low."


def _hands(hands: Mapping[int, int]) -> str:
    usual, exceptions = usual_and_exceptions(hands)
    others = [f"{number_word(cards)} when {number_word(players)} play"
              for players, cards in exceptions.items()]  # fmt: skip
    exception = f", or {join_words(others)}" if others else ""
    return f"Each player is dealt {count_in_words(usual, 'card')}{exception}."


def _partners(sheet: RuleSheet) -> list[str]:
    if not sheet.rules.partners:
        return []
    sides = [
        f"{number_word(players)} players form {join_words((_sides(players, size) for size in sizes), 'or')}"
        for players, sizes in sheet.rules.partner_sizes.items()
    ]
    return [
        f"Each plays alone, or with partners who sit alternately: {'; '.join(sides)}.",
    ]


def _sides(players: int, size: int) -> str:
    return f"{number_word(players // size)} sides of {number_word(size)}"


def _next_deal(sheet: RuleSheet) -> list[str]:
    match sheet.rules.match:
        case RaceTo():
            return ["The deal passes to the next player each time."]
        case OneDeal():
            return []
        case _:
            assert_never(sheet.rules.match)


def explain_cut(sheet: RuleSheet) -> list[str]:
    """The cut before the deal, if there is one."""
    match sheet.rules.cut:
        case None:
            return []
        case CutRule(packet, dealer_points, guess_points):
            return [
                "Before the deal the dealer cuts a packet, and the other player guesses how many cards"
                f" it has. A packet of exactly {packet} cards scores {dealer_points} for the dealer;"
                f" a right guess scores {guess_points} for the other player. Both may score."
            ]
        case _:
            assert_never(sheet.rules.cut)


def explain_trumps(sheet: RuleSheet) -> list[str]:
    """What makes trumps."""
    match sheet.rules.trumps:
        case TurnUp(dealer_seven):
            bonus = f"If it is a seven, the dealer scores {dealer_seven}."
            turned = "A card is turned up after the deal, and its suit is trumps."
            return [turned, bonus] if dealer_seven else [turned]
        case FirstMeld(melds, when):
            first = join_words(map(with_article, melds), "or")
            return [
                f"There are no trumps until {first} is {TRUMPS_BY_WORDS[when]}. Its suit is trumps for the"
                " rest of the deal, and this first meld already scores as one in trumps."
            ]
        case NoTrumps():
            return ["There are no trumps."]
        case _:
            assert_never(sheet.rules.trumps)


def explain_dix(sheet: RuleSheet) -> list[str]:
    """What the seven of trumps scores and when."""
    dix = sheet.rules.dix
    if isinstance(sheet.rules.trumps, NoTrumps):
        return []
    if dix is None or (dix.points == 0 and dix.exchange is Window.NEVER):
        return ["The seven of trumps has no special value."]
    worth = f"worth {dix.points} points" if dix.points else "which scores nothing"
    return [
        f"The seven of trumps is the dix, {worth}.",
        *_exchange(dix, one_meld=sheet.rules.phases[0].melds == 1),
        *_show(dix),
        *(_spent(dix) if dix.points else []),
    ]


def _exchange(dix: DixRule, *, one_meld: bool) -> list[str]:
    if dix.exchange is Window.NEVER:
        return []
    score = f" and score {dix.points}" if dix.points else ""
    swap = (
        f"{WINDOW_WORDS[dix.exchange].capitalize()}, its holder may exchange it for the turn-up{score},"
        " unless the turn-up has been drawn or is itself a seven."
    )
    if not one_meld or dix.exchange is not Window.AFTER_TRICK_WON:
        return [swap]
    counts = "counts" if dix.exchange_is_the_meld else "does not count"
    return [swap, f"The exchange {counts} as the meld of that trick."]


def _show(dix: DixRule) -> list[str]:
    if dix.show is Window.NEVER:
        return []
    turn = ", in turn or not," if dix.show is Window.AT_ANY_TIME else ""
    return [f"Shown {WINDOW_WORDS[dix.show]}{turn} it scores {dix.points} and stays in the hand."]


def _spent(dix: DixRule) -> list[str]:
    sentences = []
    if dix.played:
        sentences.append(
            "A dix that has not scored yet scores when it is played, whoever wins the trick."
        )
    if not dix.in_last_tricks:
        sentences.append("After the close it no longer scores.")
    if dix.once_per_card:
        sentences.append(
            "Each dix scores once per deal; one that scored as the turn-up does not score again."
        )
    else:
        sentences.append("A dix that has scored scores again whenever it is played.")
    if dix.spent_exchanges and dix.exchange is not Window.NEVER:
        sentences.append("A dix that has scored may still be exchanged, but scores nothing then.")
    return sentences


def explain_carte_blanche(sheet: RuleSheet) -> list[str]:
    """What a hand without court cards scores."""
    rule = sheet.rules.carte_blanche
    if rule is None:
        return []
    names = join_words((rank_name(rank) for rank in rule.courts), "or")
    return [
        f"A hand dealt without {with_article(names)} may be shown before {first_play_words(rule)}:"
        f" this is carte blanche and scores {rule.points}.",
        f"After that, each card drawn scores {rule.points} again if it is shown before the next card"
        f" is played; the first {names} drawn ends this.",
    ]


# Tricks, turns, draws and the close in sentences.


def explain_play(sheet: RuleSheet) -> list[str]:
    """Who leads, which card wins, and what may be played while the stock lasts."""
    first = sheet.rules.phases[0]
    if PhaseStep.TRICK not in first.steps:
        return [
            "The player after the dealer begins, and the turn passes round the table.",
            f"In a turn a player {join_words(_step(step, sheet) for step in first.steps)}.",
        ]
    leads = (
        "The player who did not deal leads to the first trick, the winner of a trick to the next."
    )
    if sheet.rules.tricks_of_more:
        leads = (
            "The player to the left of the dealer leads to the first trick, the winner of a trick to the next;"
            " the others play in turn to the left."
        )
    return [leads, _winning(sheet), *_following(first.follow, sheet)]


def _step(step: PhaseStep, sheet: RuleSheet) -> str:
    match step:
        case PhaseStep.TRICK:
            return "plays a trick"
        case PhaseStep.DECLARE:
            return "may declare"
        case PhaseStep.DRAW:
            return "draws a card"
        case PhaseStep.DRAW_UP:
            return f"draws up to {_full_hand(sheet)}"
        case PhaseStep.COMBINE:
            return "may score one combination"
        case PhaseStep.DISCARD:
            return "lays one card on the pile of its rank"
        case _:
            assert_never(step)


def _full_hand(sheet: RuleSheet) -> str:
    sizes = sheet.rules.tableau.draw_up_to if sheet.rules.tableau else sheet.rules.hand
    usual, exceptions = usual_and_exceptions(sizes)
    others = [
        f"{number_word(cards)} with {number_word(players)} players"
        for players, cards in exceptions.items()
    ]
    return count_in_words(usual, "card") + (f" ({join_words(others)})" if others else "")


def _winning(sheet: RuleSheet) -> str:
    match sheet.rules.trumps:
        case TurnUp():
            rule = "The highest trump wins the trick; without a trump, the highest card of the suit led wins"
        case FirstMeld():
            rule = (
                "The highest card of the suit led wins the trick; once there are trumps, the highest"
                " trump wins"
            )
        case NoTrumps():
            rule = "The highest card of the suit led wins the trick"
        case _:
            assert_never(sheet.rules.trumps)
    return rule + (". Of two equal cards, the first wins." if sheet.rules.pack.packs > 1 else ".")


def _following(follow: Follow, sheet: RuleSheet) -> list[str]:
    words, more = FOLLOW_WORDS[follow], sheet.rules.tricks_of_more
    who = "The others" if more else "The second player"
    if follow is Follow.ANY:
        return [f"{who} may play {words}."]
    return [
        f"{who} must {words}; a player who can do neither may play any card.",
        *(_LATER_HANDS if more else ()),
    ]


_LATER_HANDS = (
    "The third player and later ones have the best card so far before them, and not the card led.",
    "Once a trump has taken a plain suit, whoever has that suit plays any card of it, and whoever has none a trump"
    " that is higher, if there is one in the hand.",
)
"""What is said besides where more than two play."""


def explain_draw(sheet: RuleSheet) -> list[str]:
    """How hands are filled up from the stock."""
    steps = sheet.rules.phases[0].steps
    if PhaseStep.DRAW_UP in steps:
        return [
            "When the stock is too small to fill a hand, the player takes the cards that are left."
        ]
    if PhaseStep.DRAW not in steps:
        return []
    more = sheet.rules.tricks_of_more
    others = "the others in turn to the left" if more else "the loser"
    sentences = [f"After each trick the winner draws a card from the stock, then {others}."]
    if isinstance(sheet.rules.trumps, TurnUp) and more:
        sentences.append("At the last draw the last of them takes the turn-up.")
    elif isinstance(sheet.rules.trumps, TurnUp):
        sentences.append(
            "At the last draw the winner takes the last card of the stock and the loser the turn-up."
        )
    return sentences


def explain_close(sheet: RuleSheet) -> list[str]:
    """What changes when the stock is gone."""
    return [
        sentence for phase in sheet.rules.phases[1:] for sentence in _after_the_stock(phase, sheet)
    ]


def _after_the_stock(phase: Phase, sheet: RuleSheet) -> list[str]:
    if PhaseStep.TRICK not in phase.steps:
        turn = join_words(_step(step, sheet) for step in phase.steps)
        return [
            "The turn in which the last card of the stock is drawn is played in full.",
            f"After that, a player {turn} in each turn; a player without cards is skipped.",
            _until(phase.until),
        ]
    captured = sheet.rules.melds_from is MeldsFrom.CAPTURED
    return [
        *([] if captured else _take_back(sheet)),
        *_following(phase.follow, sheet),
        *_without_trumps(sheet, phase),
        _late_melds(phase, sheet, to_the_end=captured),
        _until(phase.until),
    ]


def _without_trumps(sheet: RuleSheet, phase: Phase) -> list[str]:
    """What the second player may play while nobody has made trumps (ruling A-13)."""
    if not isinstance(sheet.rules.trumps, FirstMeld) or phase.follow is Follow.ANY:
        return []
    return ["As long as there are no trumps, a player without the suit may play any card."]


def _take_back(sheet: RuleSheet) -> list[str]:
    who = "all" if sheet.rules.tricks_of_more else "both"
    return [f"When the stock is empty, {who} players take their melded cards back into the hand."]


def _late_melds(phase: Phase, sheet: RuleSheet, *, to_the_end: bool) -> str:
    if PhaseStep.DECLARE not in phase.steps or phase.melds == 0:
        return "Nobody melds any more."
    last = ", and after the last trick too" if to_the_end else ""
    return f"The winner of a trick{or_partner(sheet)} may still score {at_most(phase.meld_limit)} before leading{last}."


def _until(until: Until) -> str:
    match until:
        case Until.STOCK_EMPTY:
            return "This goes on until the stock is empty."
        case Until.HANDS_EMPTY:
            return "The deal is over when the hands are empty."
        case _:
            assert_never(until)


# Bonuses, the tableau, brisques, and how a game is won, in sentences.


def explain_bonuses(sheet: RuleSheet) -> list[str]:
    """Points for tricks."""
    return [_bonus(bonus) for bonus in sheet.rules.bonuses]


def _bonus(bonus: Bonus) -> str:
    # The winner of all tricks has the bonus for the last one too.
    more = " more" if bonus.tricks is When.ALL_CLOSED_TRICKS else ""
    return f"The {bonus.to.value} of {BONUS_WORDS[bonus.tricks]} scores {bonus.points}{more}."


def explain_tableau(sheet: RuleSheet) -> list[str]:
    """What completes a pile, and what it scores (Zetema)."""
    tableau = sheet.rules.tableau
    if tableau is None:
        return []
    return [
        "Discards lie face up in piles, one for each rank.",
        f"The card that makes {number_word(tableau.full)} on a pile scores a zetema:"
        f" {_zetemas(tableau)}. Those cards leave the game.",
        f"Of marriages, {HAND_CARD_WORDS[tableau.marriage_hand_cards]} must come from the hand; the"
        " others may be taken from the tableau. The cards of marriages leave the game, and the turn"
        " ends without a discard.",
        f"Each marriage in a suit that comes twice scores {tableau.doubled_suit_points} more when fewer than"
        f" {number_word(tableau.doubled_suit_below)} marriages are melded at once.",
        "After any other combination the discard is one of its cards.",
        *(_chain(tableau.chain) if 2 in sheet.rules.players else []),
    ]


def _zetemas(tableau: TableauRule) -> str:
    return "; ".join(
        f"{join_words((rank_name(rank, tableau.full) for rank in ranks), 'or')} {points}"
        for points, ranks in zetemas_by_points(tableau)
    )


def _chain(chain: Chain) -> list[str]:
    return [
        f"When two play, {CHAIN_WORDS[chain]}, a player who scores a zetema goes on discarding: cards"
        " that complete other piles while there are any, then one card more."
    ]


def explain_brisques(sheet: RuleSheet) -> list[str]:
    """What aces and tens taken in tricks are worth."""
    if PhaseStep.TRICK not in sheet.rules.phases[0].steps:
        return []
    return [_brisques(sheet.rules.brisques)]


def _brisques(brisques: Brisques) -> str:
    each = join_words(f"each {rank_name(rank)}" for rank in brisques.ranks).capitalize()
    if brisques.count is BrisqueCount.NEVER:
        return f"{each} taken in tricks scores nothing."
    return (
        f"{each} taken in tricks is a brisque worth {brisques.points}. Brisques are counted"
        f" {BRISQUE_COUNT_WORDS[brisques.count]}."
    )


def explain_game(sheet: RuleSheet) -> list[str]:
    """How the game is won."""
    match sheet.rules.match:
        case RaceTo() as race:
            return [f"The game is {target_words(race)}.", _race_end(race.end)]
        case OneDeal(rubicon, terms):
            return [
                "A game is one deal.",
                f"A loser with fewer than {rubicon:,} points is rubiconed.",
                _settled(terms) + DIFFERENCE_ROUNDING_WORDS[terms.win_difference],
                _drawn(terms, sheet.rules.brisques.count),
            ]
        case _:
            assert_never(sheet.rules.match)


def target_words(race: RaceTo) -> str:
    """The points that win, with those of more players where they differ: `300 points (200 for four players or more)`."""
    usual = max(race.target.values())
    fewer = [players for players, points in race.target.items() if points != usual]
    many = (
        f" ({race.target[fewer[0]]:,} for {number_word(fewer[0])} players or more)" if fewer else ""
    )
    return f"{usual:,} points{many}"


def _race_end(end: GameEnd) -> str:
    ends = f"When a side has reached them, the game ends {GAME_END_WORDS[end]}"
    if end is GameEnd.AT_ONCE:
        return f"{ends}."
    return f"{ends} and the highest total wins; if totals are equal, another deal decides."


def _drawn(terms: SheetSettlement, count: BrisqueCount) -> str:
    still = " with the brisques" if count is BrisqueCount.TO_SETTLE else ""
    nobody = "adds" if terms.loser == "own_total" else "receives"
    return f"If both have the same score{still}, the game is drawn and nobody {nobody} anything."


def _settled(terms: SheetSettlement) -> str:
    if terms.loser == "own_total":
        return (
            f"The winner adds {win_words(terms)} to the score and, if the loser is rubiconed,"
            f" {rubicon_words(terms)}; the loser keeps the points scored."
        )
    return (
        f"Scores are {rounding_words(terms)}. The winner receives {win_words(terms)}; if the loser"
        f" is rubiconed, the winner instead receives {rubicon_words(terms)}."
    )


ARTICLES = (
    ("deal", "The deal", explain_deal),
    ("cut", "The cut", explain_cut),
    ("trumps", "Trumps", explain_trumps),
    ("dix", "The seven of trumps", explain_dix),
    ("carte_blanche", "Carte blanche", explain_carte_blanche),
    ("play", "The play", explain_play),
    ("draw", "Drawing", explain_draw),
    ("close", "After the close", explain_close),
    ("melds", "Melds", english_melds.explain_melds),
    ("reuse", "Using a card again", english_melds.explain_reuse),
    ("pending", "Pending melds", english_melds.explain_pending),
    ("tableau", "The tableau", explain_tableau),
    ("bonuses", "Bonuses", explain_bonuses),
    ("brisques", "Brisques", explain_brisques),
    ("game", "The game", explain_game),
)
"""The articles of a sheet in the order of a rulebook: name, heading, and what makes its sentences."""

NARROWEST_TEXT = 20
"""The smallest width of lines, in characters: where an indent is wider than the line, `textwrap` may never end."""
_EXAMPLE_TRUMP = "H"


@dataclass(frozen=True, slots=True)
class Section:
    """One article: its name (as in a finding's `rule`), its sentences, its laws and sources."""

    article: str
    heading: str
    sentences: tuple[str, ...]
    laws: str


@dataclass(frozen=True, slots=True)
class MeldLine:
    """A line of the points table; `example` is one such set of cards, hearts being trumps."""

    name: str
    words: str
    cards: str
    points: int
    example: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionLine:
    """An option: what it decides, its values as a record writes them, and the chosen one."""

    name: str
    says: str
    values: tuple[str, ...]
    default: str
    chosen: str
    ruling: str

    @property
    def changed(self) -> bool:
        """Whether the chosen value is not the default."""
        return self.chosen != self.default


@dataclass(frozen=True, slots=True)
class Explanation:
    """A whole sheet in English."""

    id: str
    edition: int
    title: str
    says: str
    sections: tuple[Section, ...]
    melds: tuple[MeldLine, ...]
    options: tuple[OptionLine, ...]
    laws: tuple[Law, ...]
    sources: tuple[str, ...]


def explain_sheet(
    sheet: RuleSheet, options: Mapping[str, RuleOptionValue] | None = None
) -> Explanation:
    """The sheet in English; `options` are the values that have been applied to it, if any."""
    chosen = {option.name: option.default for option in sheet.options} | dict(options or {})
    return Explanation(
        id=sheet.id,
        edition=sheet.edition,
        title=sheet.name,
        says=sheet.says,
        sections=_sections(sheet),
        melds=tuple(_meld_line(meld, sheet) for meld in sheet.rules.melds),
        options=tuple(_option_line(sheet, option, chosen[option.name]) for option in sheet.options),
        laws=tuple(
            _law_of(law, sheet)
            for law in cited_laws(
                [
                    *(each.cited for each in sheet.articles),
                    *(option.law for option in sheet.options),
                ]
            )
        ),
        sources=tuple(f"[{source.tag}] {source.title}" for source in sheet.sources),
    )


_OPTION_SENTENCE = re.compile(r"\s*\*Option\* `(\w+)`(?:[^.\[]|\[[^\]]*\]|\.(?=\S))*(?:\.|$)")


def _law_of(law: Law, sheet: RuleSheet) -> Law:
    """The law without the sentences on options that the sheet does not have."""
    known = {option.name for option in sheet.options}

    def kept(sentence: re.Match[str]) -> str:
        return sentence[0] if sentence[1] in known else ""

    return replace(
        law, paragraphs=tuple(_OPTION_SENTENCE.sub(kept, text) for text in law.paragraphs)
    )


def _sections(sheet: RuleSheet) -> tuple[Section, ...]:
    articles = ((name, heading, tuple(says(sheet))) for name, heading, says in ARTICLES)
    return tuple(
        Section(name, heading, sentences, sheet.cited(name))
        for name, heading, sentences in articles
        if sentences
    )


def _meld_line(meld: MeldRule, sheet: RuleSheet) -> MeldLine:
    words = english_melds.cards_in_words(meld.cards, sheet.rules)
    return MeldLine(meld.name, meld.words, words, meld.points, _example(meld, sheet))


def _example(meld: MeldRule, sheet: RuleSheet) -> tuple[str, ...]:
    """The set of cards with the most different ones, high cards first, pairs of one suit together."""
    if isinstance(meld.cards, ShapedCards):
        return _shaped(meld.cards, sheet.rules.pack)
    trumps = (_EXAMPLE_TRUMP, *SUIT_NAMES)  # another where so many hearts are not in the pack
    sets = next(filter(None, (card_sets_for(meld, suit, sheet.rules) for suit in trumps)))
    best = max(sets, key=lambda faces: len(set(faces)))
    paired, ranks = meld.cards.speaks_of("same"), sheet.rules.pack.ranks
    return tuple(sorted(best, key=lambda face: (face[1] * paired, ranks.index(face[0]))))


def _shaped(shape: ShapedCards, pack: Pack) -> tuple[str, ...]:
    """An example of a shape: in a row or not, in spades or in two suits."""
    row, gap = pack.ranks[: shape.size], pack.ranks[: shape.size + 1]
    ranks = row if shape.in_a_row else (*gap[:-2], gap[-1])
    suits = "S" * shape.size if shape.one_suit else ("SH" * shape.size)[: shape.size]
    return tuple(rank + suit for rank, suit in zip(ranks, suits, strict=True))


def _option_line(sheet: RuleSheet, option: Option, chosen: RuleOptionValue) -> OptionLine:
    match option:
        case ChoiceOption():
            values = tuple(map(option_value_text, option.permitted))
        case NumberOption():
            values = (f"{option.least} to {option.most}",)
        case _:
            assert_never(option)
    default = option_value_text(option.default)
    is_source = option.law in {source.tag for source in sheet.sources}
    law = f"[{option.law}]" if is_source else option.law
    return OptionLine(option.name, option.says, values, default, option_value_text(chosen), law)


def option_value_text(value: RuleOptionValue) -> str:
    """A value as a record writes it, without quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def explanation_text(explanation: Explanation, width: int = 80) -> str:
    """The explanation for a terminal `width` characters wide; a narrower one than `NARROWEST_TEXT` breaks the lines itself."""
    width = max(width, NARROWEST_TEXT)
    parts = [
        _title(explanation),
        fill(explanation.says, width),
        _played_with(explanation.options, width),
        *(_section(section, explanation, width) for section in explanation.sections),
        _options(explanation.options, width),
        _laws(explanation.laws, width),
        _sources(explanation.sources, width),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _title(explanation: Explanation) -> str:
    name = f"{explanation.title} ({explanation.id}, edition {explanation.edition})"
    return f"{name}\n{'=' * len(name)}"


def _played_with(options: Iterable[OptionLine], width: int) -> str:
    changed = ", ".join(f"{option.name} {option.chosen}" for option in options if option.changed)
    return fill(f"Here played with {changed}.", width) if changed else ""


def _section(section: Section, explanation: Explanation, width: int) -> str:
    lines = [_heading(section.heading, section.laws, width)]
    lines.append(_indented(" ".join(section.sentences), width))
    if section.article == "melds":
        lines += ["", *_meld_table(explanation.melds, width)]
    return "\n".join(lines)


def _heading(heading: str, laws: str, width: int) -> str:
    """The heading on the left and the laws on the right, or below it if there is no room for both."""
    if len(heading) + 2 + len(laws) <= width:
        return f"{heading}{laws:>{width - len(heading)}}".rstrip()
    return f"{heading}\n{fill(laws, width)}"


def _meld_table(melds: Iterable[MeldLine], width: int) -> list[str]:
    lines = list(melds)
    points = max((len(f"{line.points:,}") for line in lines), default=0)
    words = max((len(line.words) for line in lines), default=0)
    hang = min(4 + points + 2 + words + 2, width // 2)
    return [
        _indented(f"{line.points:>{points},}  {line.words:<{words}}  {line.cards}", width, 4, hang)
        for line in lines
    ]


def _options(options: Iterable[OptionLine], width: int) -> str:
    lines = [line for option in options for line in _option(option, width)]
    return "\n".join(["Options", *lines]) if lines else ""


def _option(option: OptionLine, width: int) -> list[str]:
    values = ", ".join(
        f"{value} (default)" if value == option.default else value for value in option.values
    )
    default = "" if option.default in option.values else f", default {option.default}"
    chosen = f"; here {option.chosen}" if option.changed else ""
    return [
        _indented(f"{option.name}: {values}{default}{chosen}", width),
        _indented(f"{option.says} ({option.ruling})", width, 6),
    ]


def _laws(laws: Iterable[Law], width: int) -> str:
    lines = [line for law in laws for line in _law(law, width)]
    return "\n".join(["Laws and rulings", *lines]) if lines else ""


def _law(law: Law, width: int) -> list[str]:
    first, *rest = law.plain
    return [
        _indented(f"{law.number}: {first}", width, 2, 6),
        *(_indented(paragraph, width, 6) for paragraph in rest),
    ]


def _sources(sources: Iterable[str], width: int) -> str:
    return "\n".join(["Sources", *(_indented(source, width) for source in sources)])


def _indented(text: str, width: int, by: int = 2, hanging: int | None = None) -> str:
    """A paragraph indented by `by`; its lines after the first by `hanging`, if that is given."""
    return fill(
        text,
        width,
        initial_indent=" " * by,
        subsequent_indent=" " * (by if hanging is None else hanging),
        break_on_hyphens=False,
    )
