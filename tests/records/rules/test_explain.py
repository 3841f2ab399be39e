"""The English of a sheet agrees with its data."""

import re

import pytest
from msgspec.structs import replace

from records.rules import english, english_melds, registry
from records.rules.compiled import card_sets_for, fits_shape
from records.rules.english import ARTICLES, explain_sheet, explanation_text
from records.rules.registry import get_sheet, resolve_sheet
from records.rules.vocabulary import (
    ANY_NUMBER_OF_MELDS,
    REUSE_RULES,
    BrisqueCount,
    Brisques,
    CarteBlancheRule,
    ChoiceOption,
    CutRule,
    FirstMeld,
    GameEnd,
    LeavesBy,
    MeldsFrom,
    OneDeal,
    RaceTo,
    ReuseRule,
    RuleOptionValue,
    RuleSheet,
    ShapedCards,
    TrumpsBy,
)
from tests.playouts.games import values
from tests.records.rules.changed_sheets import read_pattern, with_member, with_rules

by_sheet = pytest.mark.parametrize("sheet", registry.ALL_SHEETS, ids=lambda sheet: sheet.id)
BEZIQUE = registry.ALL_SHEETS[0]
ONE_DEAL = [s.id for s in registry.ALL_SHEETS if isinstance(s.rules.match, OneDeal)]


def said(sentences: list[str]) -> str:
    return " ".join(sentences)


def article(sheet_id: str, name: str, **options: RuleOptionValue) -> str:
    sheet = resolve_sheet(sheet_id, None, options).sheet
    return next(said(says(sheet)) for article, _, says in ARTICLES if article == name)


@by_sheet
def test_every_article_that_speaks_has_laws(sheet: RuleSheet) -> None:
    explanation = explain_sheet(sheet)
    assert explanation.sections[0].article == "deal"
    assert all(section.sentences and section.laws for section in explanation.sections)


DUTIES = {
    "any": "second player may play any card",
    "head": "with a winning card if able",
    "suit": "beating a trump led if able",
}
"""What tells one rule of law C8 from the others."""


@by_sheet
def test_the_law_of_following_that_is_cited_is_the_rule_that_is_told(sheet: RuleSheet) -> None:
    for option in sheet.options:
        for value in values(option):
            resolved = resolve_sheet(sheet.id, None, {option.name: value})
            explanation = explain_sheet(resolved.sheet, resolved.options)
            for section in explanation.sections:
                told = [word for word, duty in DUTIES.items() if duty in said(section.sentences)]
                cited = re.findall(r"C8 (\w+)|\b(C4)\b", section.laws)
                assert [rule or "any" for rule, _ in cited] == told, (option.name, value)
                assert {law for law in ("C4", "C8") if re.search(rf"{law}\b", section.laws)} <= {
                    law.number for law in explanation.laws
                }


@by_sheet
def test_sentences_are_sentences(sheet: RuleSheet) -> None:
    for section in explain_sheet(sheet).sections:
        for sentence in section.sentences:
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert "  " not in sentence
            assert "_" not in sentence


@by_sheet
def test_the_points_table_shows_every_meld_with_cards_that_are_one(sheet: RuleSheet) -> None:
    lines = explain_sheet(sheet).melds
    assert [(line.words, line.points) for line in lines] == [
        (m.words, m.points) for m in sheet.rules.melds
    ]
    for line, meld in zip(lines, sheet.rules.melds, strict=True):
        if isinstance(meld.cards, ShapedCards):
            assert fits_shape(meld.cards, line.example, sheet.rules.pack.row or ())
            continue
        sets = card_sets_for(meld, "H", sheet.rules)
        assert tuple(sorted(line.example)) in sets


def test_an_example_of_four_shows_four_suits() -> None:
    aces = explain_sheet(BEZIQUE).melds[0]
    assert {card[1] for card in aces.example} == set("SHDC")


@by_sheet
@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_text_keeps_its_width_and_loses_nothing(sheet: RuleSheet, width: int) -> None:
    explanation = explain_sheet(sheet)
    text = explanation_text(explanation, width)
    title, rest = text.split("\n", 1)
    assert sheet.name in title
    assert max(map(len, rest.splitlines())) <= max(width, len(title))
    unfolded = " ".join(text.split())
    for section in explanation.sections:
        assert all(sentence in unfolded for sentence in section.sentences)
    assert all(" ".join(source.title.split()) in unfolded for source in sheet.sources)
    assert all(option.name in text for option in sheet.options)


def test_the_text_shows_the_options_played_with() -> None:
    resolved = resolve_sheet("zique", None, {"dix": True, "hand_size": 9})
    explanation = explain_sheet(resolved.sheet, resolved.options)
    assert "Here played with dix true, hand_size 9." in explanation_text(explanation)
    assert [option.name for option in explanation.options if option.changed] == ["dix", "hand_size"]
    assert "Here played" not in explanation_text(explain_sheet(get_sheet("zique")))


@pytest.mark.parametrize(
    ("sheet_id", "name", "options", "words"),
    [
        ("bezique", "deal", {}, "The 64 cards are two packs shuffled together"),
        ("bezique", "deal", {"hand_size": 9}, "Each player is dealt nine cards."),
        ("marjolet", "deal", {}, "The 32 cards are one pack"),
        ("marjolet", "trumps", {}, "If it is a seven, the dealer scores 10."),
        ("marjolet", "melds", {}, "the winner of a trick may score any number of melds"),
        ("bezique", "melds", {}, "the winner of a trick may score one meld"),
        ("marjolet", "close", {}, "Nobody melds any more."),
        ("bezique", "close", {"meld_after_close": True}, "may still score one meld before leading"),
        ("bezique", "close", {"follow": "any"}, "The second player may play any card."),
        ("bezique", "close", {}, "follow suit, with a winning card if able, or else trump"),
        ("zique", "close", {}, "follow suit, beating a trump led if able, or else trump"),
        ("marjolet", "bonuses", {}, "The loser of the last trick before the close scores 10."),
        ("marjolet", "bonuses", {}, "The winner of all tricks after the close scores 50 more."),
        ("marjolet-oxford", "bonuses", {}, "winner of the last trick before the close scores 10."),
        ("zique", "dix", {}, "no special value"),
        ("zique", "dix", {"dix": True}, "Shown at any time, in turn or not, it scores 10"),
        ("zique", "dix", {"dix_exchange": True}, "unless the turn-up has been drawn or is itself a seven"),
        ("bezique", "dix", {}, "does not count as the meld"),
        ("bezique", "dix", {"exchange_is_the_meld": True}, "The exchange counts as the meld"),
        ("bezique", "dix", {"dix_in_last_tricks": False}, "After the close it no longer scores."),
        ("bezique", "dix", {"dix_once_per_card": False}, "scores again whenever it is played"),
        ("bezique", "reuse", {}, "Two beziques scored one by one may not score again as a double"),
        ("zique", "reuse", {}, "Two ziques scored one by one may score again as a royal zique"),
        ("bezique", "melds", {"bezique_cards": "by_trump"}, "clubs and the jack of hearts"),
        ("bezique", "pending", {}, "A player may show more melds than may score."),
        ("bezique", "pending", {}, "lost when a higher meld with its cards scores first: a sequence over its"
         " marriage or a larger bezique over a smaller one."),
        ("six-pack-bezique", "pending", {}, "scores first: a larger bezique over a smaller one."),
        ("rubicon-bezique-club", "pending", {"double_then_single": True},
         "scores first: a sequence over its marriage."),
        ("rubicon-bezique", "reuse", {}, "The card that has left is not in the new meld"),
        ("six-pack-bezique", "reuse", {}, "from then on only the restored set counts"),
        ("rubicon-bezique-club", "trumps", {}, "until a marriage or a sequence is laid, scored or not."),
        ("rubicon-bezique-club", "trumps", {"trumps_by": "scored"}, "or a sequence is scored."),
        ("rubicon-bezique", "trumps", {}, "until a marriage or a sequence is scored."),
        ("bezique", "game", {"target": 2000}, "The game is 2,000 points."),
        ("zique", "game", {"long_game": True}, "The game is 1,600 points."),
        ("bezique", "brisques", {}, "Each ace and each 10 taken in tricks is a brisque"),
    ],
)  # fmt: skip
def test_an_article_says(
    sheet_id: str, name: str, options: dict[str, RuleOptionValue], words: str
) -> None:
    assert words in article(sheet_id, name, **options)


@by_sheet
def test_every_value_of_every_option_can_be_explained(sheet: RuleSheet) -> None:
    for option in sheet.options:
        values = (
            option.permitted if isinstance(option, ChoiceOption) else (option.least, option.most)
        )
        for value in values:
            resolved = resolve_sheet(sheet.id, None, {option.name: value})
            assert explanation_text(explain_sheet(resolved.sheet, resolved.options))


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("4 * Ax", "any four aces"),
        ("4 * Tt", "four 10s of trumps"),
        ("Kt Qt", "king and queen of trumps"),
        ("Kp Qp", "king and queen of a plain suit"),
        ("Jt Qp", "jack of trumps and queen of a plain suit"),
        ("At Tt Kt Qt Jt", "A 10 K Q J of trumps"),
        ("Qb Jb", "queen of spades and jack of diamonds"),
        ("3 * Qb Jb", "three queens of spades and three jacks of diamonds"),
        ("KS QS", "king and queen of spades"),
    ],
)
def test_a_pattern_in_words(cards: str, words: str) -> None:
    assert english_melds.cards_in_words(read_pattern(cards), BEZIQUE.rules) == words


@pytest.mark.parametrize("law", REUSE_RULES)
@pytest.mark.parametrize("leaves_by", LeavesBy)
def test_every_reuse_rule_has_its_sentence(law: str, leaves_by: LeavesBy) -> None:
    readings = dict.fromkeys(
        ("sequence_then_marriage", "singles_then_double", "double_then_single"), True
    )
    reuse = replace(BEZIQUE.rules.reuse, law=law, card_leaves_by=leaves_by, **readings)
    told = said(english_melds.explain_reuse(with_rules(BEZIQUE, reuse=reuse)))
    assert told.endswith("Cards of a double bezique may score as a bezique afterwards.")
    if reuse.rule in (ReuseRule.REFORMED_AFTER_LEAVING, ReuseRule.AUGMENT_OR_RESTORE):
        assert ("or scored in another meld" in told) == (leaves_by is LeavesBy.PLAYED_OR_MELDED)


def test_a_card_that_scores_once_ever() -> None:
    sheet = with_member(BEZIQUE, "reuse.once_ever", True)
    assert "never scores in another" in said(english_melds.explain_reuse(sheet))


@pytest.mark.parametrize(
    ("by", "words"), [(TrumpsBy.SCORED, "scored. Its"), (TrumpsBy.LAID, "laid, scored or not. Its")]
)
def test_trumps_by_the_first_meld(by: TrumpsBy, words: str) -> None:
    sheet = with_rules(BEZIQUE, trumps=FirstMeld(("marriage", "sequence"), by), dix=None)
    assert f"until a marriage or a sequence is {words}" in said(english.explain_trumps(sheet))
    assert "no special value" in said(english.explain_dix(sheet))
    assert "once there are trumps" in said(english.explain_play(sheet))
    assert "turn-up" not in said(english.explain_draw(sheet))


@pytest.mark.parametrize(
    ("sheet_id", "name", "words"),
    [
        ("polish-bezique", "close", "before leading, and after the last trick too."),
        ("rubicon-bezique", "close", "As long as there are no trumps, a player without the suit"),
        (
            "chinese-bezique",
            "game",
            "If both have the same score with the brisques, the game is drawn",
        ),
        (
            "six-pack-bezique",
            "game",
            "If both have the same score, the game is drawn and nobody adds",
        ),
        ("zetema", "melds", "In a row the ace is low, and no row goes round the corner."),
        ("zetema", "close", "a player without cards is skipped"),
    ],
)
def test_an_article_of_the_later_sheets_says(sheet_id: str, name: str, words: str) -> None:
    assert words in article(sheet_id, name)


def test_a_row_goes_up_to_the_ace_by_the_option() -> None:
    assert "In a row the ace is low or high" in article("zetema", "melds", ace_high=True)


def test_carte_blanche_and_the_cut() -> None:
    sheet = with_rules(
        BEZIQUE,
        carte_blanche=CarteBlancheRule(
            50, tuple("KQJ"), "before_own_first_card", "before_next_card"
        ),
    )
    assert "without a king, queen or jack" in said(english.explain_carte_blanche(sheet))
    sheet = with_rules(BEZIQUE, cut=CutRule(packet=24, dealer_points=250, guess_points=150))
    assert "exactly 24 cards scores 250" in said(english.explain_cut(sheet))


def test_melds_of_captured_cards() -> None:
    sheet = with_member(BEZIQUE, "play.melds_from", MeldsFrom.CAPTURED)
    assert "at least one of the two cards just won" in said(english_melds.explain_melds(sheet))
    assert "back into the hand" not in said(english.explain_close(sheet))


@pytest.mark.parametrize("count", BrisqueCount)
def test_every_way_to_count_brisques(count: BrisqueCount) -> None:
    sheet = with_rules(BEZIQUE, brisque_rule=Brisques(("A", "T"), 10, count))
    told = said(english.explain_brisques(sheet))
    assert told.startswith("Each ace and each 10 taken in tricks")


@pytest.mark.parametrize("sheet_id", ONE_DEAL)
def test_every_settlement_has_its_sentence(sheet_id: str) -> None:
    sheet = with_member(get_sheet(sheet_id), "match.settlement.win.base", 700)
    told = said(english.explain_game(with_member(sheet, "match.rubicon", 1000)))
    assert "fewer than 1,000 points is rubiconed" in told
    assert "700" in told


def test_a_game_without_tricks() -> None:
    zetema = get_sheet("zetema")
    sheet = with_rules(
        zetema, partners=(), tableau=None, melds=(),
        match=RaceTo({2: 300, 3: 300, 4: 200, 5: 200, 6: 200}, GameEnd.AT_ONCE, "another_deal"),
    )  # fmt: skip
    text = " ".join(explanation_text(explain_sheet(sheet)).split())
    assert (
        "The game is for two to six players. The 65 cards are one pack and a second set of spades"
        in text
    )
    assert "Each player is dealt six cards, or five when six play." in text
    assert "draws up to six cards (five with six players), may score one combination" in text
    assert "The game is 300 points (200 for four players or more)." in text
    assert "When a side has reached them, the game ends at once." in text
    assert "trick" not in text.split("Using a card again")[0].split("The play")[1]


def test_a_limit_of_melds_in_words() -> None:
    from records.rules.english_melds import at_most

    assert [at_most(count) for count in (1, 2, ANY_NUMBER_OF_MELDS)] == [
        "one meld", "up to two melds", "any number of melds",
    ]  # fmt: skip


@pytest.mark.parametrize(("width", "lines"), [(80, 1), (40, 2)])
def test_laws_stand_beside_their_heading_or_below_it(width: int, lines: int) -> None:
    text = explanation_text(explain_sheet(get_sheet("marjolet")), width).splitlines()
    start = next(number for number, line in enumerate(text) if line.startswith("Using a card"))
    assert "R-SET" in text[start + lines - 1]
    assert text[start + lines].startswith("  A card may score in any")


@pytest.mark.parametrize("sheet", registry.ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_law_names_only_options_that_the_sheet_has(sheet: RuleSheet) -> None:
    options = {option.name for option in sheet.options}
    for law in explain_sheet(sheet).laws:
        assert law.paragraphs[0]
        for text in law.paragraphs:
            assert set(re.findall(r"\*Option\* `(\w+)`", text)) <= options, law.number
