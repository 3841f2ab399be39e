"""The published rule sheets as data; `python -m records.documents.sheet_files` writes `sheets/<id>.json`."""

import json
import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, assert_never

import msgspec

from records.cards import SUITS
from records.documents import sheet_data
from records.documents.schemas import SPEC_FOLDER
from records.documents.sheet_data import reuse_clauses
from records.rules import vocabulary as v
from records.rules.compiled import bezique_faces, card_sets_for, parse_pattern
from records.rules.english import explain_sheet
from records.rules.registry import ALL_SHEETS, LAW_NUMBER_PATTERN, apply_options
from records.rules.settlement import SETTLEMENT_TERMS
from records.rules.tricks import OWED

SHEETS_FOLDER = SPEC_FOLDER / "sheets"
SHEET_VERSION = "1.0"

_SUIT_WORDS = {"t": "trumps", "p": "plain", "x": "any", "b": "bezique", "m": "same"}
_SOURCE = re.compile(r"\[(\w+)\] (.*?)(?:, (?=\[)|$)")
_TAG = re.compile(r"\[(\w+)\]")


def sheet_document(sheet: v.RuleSheet) -> sheet_data.SheetData:
    """A rule sheet as published."""
    explained = explain_sheet(sheet)
    return sheet_data.SheetData(
        format="bezique-sheet",
        version=SHEET_VERSION,
        id=sheet.id,
        edition=sheet.edition,
        name=sheet.name,
        says=sheet.says,
        rules=sheet_rules(sheet),
        options=[_option(sheet, option) for option in sheet.options],
        articles=[
            _article(section.article, section.heading, section.sentences, section.laws)
            for section in explained.sections
        ],
        laws=[sheet_data.SheetLaw(law.number, list(law.plain)) for law in explained.laws],
        sources=[
            sheet_data.SheetSource(*pair)
            for text in sheet.sources
            for pair in _SOURCE.findall(text)
        ],
    )


def encode_sheet(sheet: v.RuleSheet) -> bytes:
    """A sheet as the text of its file: a member a line, short lists on one."""
    data = {"$schema": "../sheet.schema.json"} | msgspec.to_builtins(sheet_document(sheet))
    return _laid_out(data, "").encode() + b"\n"


def _laid_out(value: Any, indent: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or len(indent + flat) <= 100:
        return flat
    deeper = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {_laid_out(part, deeper)}" for name, part in value.items()]
    else:
        parts = [_laid_out(part, deeper) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + "\n" + ",\n".join(deeper + part for part in parts) + f"\n{indent}{closing}"


def sheet_rules(sheet: v.RuleSheet) -> sheet_data.SheetRules:
    """The rules of a sheet as they stand, with whatever options it was resolved."""
    return sheet_data.SheetRules(
        players=list(sheet.players),
        partners=[
            sheet_data.Partnership(players, side)
            for players, sides in sheet.partners.items()
            for side in sides
        ],
        pack=_pack(sheet.pack),
        hand=_by_players(sheet.hand),
        trumps=_trumps(sheet.trumps),
        cut=_same(sheet.cut, sheet_data.SheetCut),
        dix=_same(sheet.dix, sheet_data.SheetDix),
        carte_blanche=_carte_blanche(sheet.carte_blanche),
        play=_play(sheet),
        phases=[_phase(phase) for phase in sheet.phases],
        tableau=_tableau(sheet.tableau),
        melds=[_meld(meld, sheet) for meld in sheet.melds],
        bezique_cards=_bezique_cards(sheet),
        pending=sheet.pending is v.Pending.YES,
        reuse=_reuse(sheet),
        bonuses=[
            sheet_data.SheetBonus(bonus.name, bonus.points, bonus.when.value, bonus.to.value)
            for bonus in sheet.bonuses
        ],
        brisques=_brisques(sheet.brisques),
        match=_match(sheet),
    )


def _same(part: Any, kind: type[msgspec.Struct]) -> Any:
    """A part of a sheet whose members have the same names as data, or None."""
    if part is None:
        return None
    values = [getattr(part, name) for name in kind.__struct_fields__]
    return kind(*(value.value if isinstance(value, Enum) else value for value in values))


def _by_players(numbers: Mapping[int, int]) -> Any:
    return {str(players): number for players, number in numbers.items()}


def _pack(pack: v.Pack) -> sheet_data.SheetPack:
    copies: Any = {suit: pack.copies + (suit in pack.doubled_suits) for suit in SUITS}
    cards = len(pack.ranks) * sum(copies.values())
    return sheet_data.SheetPack(list(pack.ranks), copies, cards, list(pack.runs) or None)


def _trumps(
    trumps: v.Trumps,
) -> sheet_data.TurnUpTrumps | sheet_data.MeldTrumps | sheet_data.NoTrumpSuit:
    match trumps:
        case v.TurnUp(dealer_seven=points):
            return sheet_data.TurnUpTrumps(points)
        case v.FirstMeld(kinds=kinds, by=by):
            return sheet_data.MeldTrumps(list(kinds), by.value)
        case v.NoTrumps():
            return sheet_data.NoTrumpSuit()
        case _:
            assert_never(trumps)


def _carte_blanche(rule: v.CarteBlancheRule | None) -> sheet_data.SheetCarteBlanche | None:
    if rule is None:
        return None
    return sheet_data.SheetCarteBlanche(
        points=rule.points,
        courts=list(rule.courts),
        first="before_first_lead" if rule.before_first_lead else "before_own_first_card",
        later="before_next_card",
    )


def _play(sheet: v.RuleSheet) -> sheet_data.TrickPlay | sheet_data.TurnPlay:
    if sheet.tableau is not None:
        return sheet_data.TurnPlay(
            dealer="next_seat",
            first_turn="seat_after_dealer",
            next_turn="next_seat",
            without_cards="skipped_if_stock_empty",
            after_combination="discard_one_of_it",
            after_marriages="no_discard",
            stock_runs_out="turn_is_complete",
        )
    captured = sheet.melds_from is v.MeldsFrom.CAPTURED
    return sheet_data.TrickPlay(
        dealer="next_seat",
        first_lead="seat_after_dealer",
        lead="winner",
        takes=["highest_trump", "highest_of_suit_led"],
        like_cards="first_played",
        draws="winner_then_loser",
        last_card="turn_up" if isinstance(sheet.trumps, v.TurnUp) else "stock",
        melds_by="winner",
        melds_from=sheet.melds_from.value,
        at_the_close="nothing" if captured else "laid_cards_to_hand",
    )


def _phase(phase: v.Phase) -> sheet_data.SheetPhase:
    plain, trumps = ([*groups, "any"] for groups in OWED[phase.follow])
    return sheet_data.SheetPhase(
        name=phase.name,  # type: ignore[arg-type]
        steps=[step.value for step in phase.steps],
        follow=phase.follow.value,
        must_play=sheet_data.MustPlay(plain, trumps) if v.PhaseStep.TRICK in phase.steps else None,  # type: ignore[arg-type]
        melds=None if phase.melds == v.ANY_NUMBER_OF_MELDS else phase.melds,
        until=phase.until.value,
    )


def _tableau(rule: v.TableauRule | None) -> sheet_data.SheetTableau | None:
    if rule is None:
        return None
    return sheet_data.SheetTableau(
        full=rule.full,
        zetemas=dict(rule.zetemas),
        draw_up_to=_by_players(rule.draw_up_to),
        marriage_hand_cards=rule.marriage_hand_cards.value,
        doubled_suit_points=rule.imperial_points,
        doubled_suit_below=rule.imperial_below,
        chain=rule.chain.value,
    )


def _meld(meld: v.MeldRule, sheet: v.RuleSheet) -> sheet_data.SheetMeld:
    return sheet_data.SheetMeld(
        name=meld.name,
        words=meld.words,
        points=meld.points,
        cards=_meld_cards(meld),
        kind=meld.kind,
        family=meld.family,
        level=meld.level,
        sets=_count_sets(meld, sheet),
    )


def _meld_cards(meld: v.MeldRule) -> sheet_data.ListedCards | sheet_data.ShapedCards:
    pattern = parse_pattern(meld.cards)
    if pattern.shape:
        return sheet_data.ShapedCards(pattern.size, pattern.run, pattern.suit)
    cards = [
        sheet_data.PatternCard(list(card[:-1].strip("[]")), _SUIT_WORDS.get(card[-1], card[-1]))  # type: ignore[arg-type]
        for card in pattern.cards
    ]
    return sheet_data.ListedCards(pattern.times, cards)


def _count_sets(meld: v.MeldRule, sheet: v.RuleSheet) -> Any:
    if parse_pattern(meld.cards).shape:
        return None
    return {
        trump or "none": len(card_sets_for(meld, trump, sheet.bezique_cards, sheet.pack))
        for trump in (*SUITS, None)
    }


def _bezique_cards(sheet: v.RuleSheet) -> Any:
    if not any(parse_pattern(meld.cards).speaks_of("b") for meld in sheet.melds):
        return None
    return {
        trump or "none": list(bezique_faces(trump, sheet.bezique_cards)) for trump in (*SUITS, None)
    }


def _reuse(sheet: v.RuleSheet) -> sheet_data.SheetReuse:
    reuse = sheet.reuse
    return sheet_data.SheetReuse(
        law=LAW_NUMBER_PATTERN.findall(sheet.laws["reuse"])[0],
        sequence_then_marriage=reuse.sequence_then_marriage,
        singles_then_double=reuse.singles_then_double,
        double_then_single=reuse.double_then_single,
        card_leaves_by=reuse.leaves_by.value,
        once_ever=reuse.once_ever,
        forbids=list(reuse_clauses(sheet)),
    )


def _brisques(brisques: v.Brisques) -> sheet_data.SheetBrisques | None:
    if not brisques.ranks:
        return None
    return sheet_data.SheetBrisques(list(brisques.ranks), brisques.points, brisques.count.value)


def _match(sheet: v.RuleSheet) -> sheet_data.RaceMatch | sheet_data.OneDealMatch:
    match sheet.game:
        case v.RaceTo(target=target, many_from=many, many_target=many_target, end=end):
            targets = {
                players: many_target if players >= many else target for players in sheet.players
            }
            return sheet_data.RaceMatch(_by_players(targets), end.value, "another_deal")
        case v.OneDeal() as game:
            return sheet_data.OneDealMatch(game.rubicon, _settlement(game))
        case _:
            assert_never(sheet.game)


def _settlement(game: v.OneDeal) -> sheet_data.SheetSettlement:
    terms = SETTLEMENT_TERMS[game.settlement]
    keeps = game.settlement is v.Settlement.SIX_PACK
    win = sheet_data.PaidPoints(game.win_bonus, 1, 0 if keeps else -1, terms.least_difference, 0, 0)
    base = game.win_bonus if terms.rubicon_bonus is None else terms.rubicon_bonus
    return sheet_data.SheetSettlement(
        terms=game.settlement.value,
        rounded_to=1 if keeps else 100,
        win=win,
        win_difference=game.rounding.value,
        rubicon=sheet_data.PaidPoints(base, 1, 1, 0, terms.for_brisques, terms.below_100),
        rubicon_valued_by="totals" if keeps else "points_without_brisques",
        loser="own_total" if keeps else "nothing",
        draw="own_total" if keeps else "nothing",
    )


def _option(
    sheet: v.RuleSheet, option: v.Option
) -> sheet_data.ChoiceOfSheet | sheet_data.NumberOfSheet:
    law = option.ruling.strip("[]")
    match option:
        case v.ChoiceOption():
            values = [
                sheet_data.ChoiceValue(value, list(_changes(sheet, option.name, value)))
                for value in option.values
            ]
            return sheet_data.ChoiceOfSheet(option.name, option.says, law, option.default, values)
        case v.NumberOption(low=low, high=high):
            sets = [change.path for change in _changes(sheet, option.name, high)]
            return sheet_data.NumberOfSheet(
                option.name, option.says, law, option.default, low, high, sets
            )
        case _:
            assert_never(option)


def _changes(
    sheet: v.RuleSheet, name: str, value: v.RuleOptionValue
) -> Iterator[sheet_data.FieldChange]:
    """What an option changes in the data of its sheet."""
    changed = apply_options(sheet, {name: value}).sheet
    before, after = (msgspec.to_builtins(sheet_rules(each)) for each in (sheet, changed))
    return _differences(before, after, "/rules")


def _differences(before: Any, after: Any, path: str) -> Iterator[sheet_data.FieldChange]:
    """The smallest members in which two values differ; a list of another length is one."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        for name in before:
            yield from _differences(before[name], after[name], f"{path}/{name}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, pair in enumerate(zip(before, after, strict=True)):
            yield from _differences(*pair, f"{path}/{index}")
    else:
        yield sheet_data.FieldChange("replace", path, after)


def _article(
    article: str, heading: str, sentences: tuple[str, ...], laws: str
) -> sheet_data.SheetArticle:
    numbers, _, tags = laws.rpartition(";")
    said, _, points = tags.partition("points")
    follows = re.search(r"C8 ([a-z]+)", numbers)
    return sheet_data.SheetArticle(
        id=article,
        heading=heading,
        says=list(sentences),
        laws=LAW_NUMBER_PATTERN.findall(numbers),
        follows=follows[1] if follows else None,
        sources=_TAG.findall(said),
        points_from=_TAG.findall(points),
    )


def sheet_file_name(sheet: v.RuleSheet) -> str:
    """The name of a sheet's file in the folder of sheets."""
    return f"{sheet.id}.json"


def main() -> None:
    """Write the sheets beside the specification."""
    SHEETS_FOLDER.mkdir(exist_ok=True)
    for sheet in ALL_SHEETS:
        (SHEETS_FOLDER / sheet_file_name(sheet)).write_bytes(encode_sheet(sheet))


if __name__ == "__main__":
    main()
