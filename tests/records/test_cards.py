"""Cards: how they are written and named, and what an unknown card may be."""

import pytest

from records.cards import (
    ALL_CARDS,
    FACE_OF,
    FACES,
    LABELLED_CARDS,
    UNKNOWN_CARDS,
    card_sign,
    covers,
    describe_card,
    is_unknown,
    parse_card,
)
from records.errors import CardError


def test_the_cards_there_are() -> None:
    assert len(FACES) == 13 * 4
    assert len(LABELLED_CARDS) == 13 * 4 * 8
    assert len(UNKNOWN_CARDS) == 1 + 4 + 13
    assert len(set(ALL_CARDS)) == len(ALL_CARDS) == 52 + 416 + 18


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("QS", "QS"), ("TH", "TH"), ("10H", "TH"), ("10H.2", "TH.2"), ("QS.6", "QS.6"), ("2C", "2C"),
        ("??", "??"), ("?S", "?S"), ("A?", "A?"), ("10?", "T?"),
    ],
)  # fmt: skip
def test_texts_that_are_cards(text: str, card: str) -> None:
    assert parse_card(text) == card


@pytest.mark.parametrize(
    "text",
    ["", "Q", "S", "qs", "QS ", "SQ", "QX", "1S", "11S", "100S", "TSS", "QS.0", "QS.9", "QS.", "?S.1", "Q♠", "?", "QS\n"],
)  # fmt: skip
def test_texts_that_are_none(text: str) -> None:
    with pytest.raises(CardError, match="is not a card"):
        parse_card(text)


def test_a_label_is_not_part_of_the_face() -> None:
    assert FACE_OF["QS.1"] == FACE_OF["QS.2"] == FACE_OF["QS"] == "QS"


@pytest.mark.parametrize(
    ("token", "covered", "not_covered"),
    [("??", "QS", None), ("?S", "QS", "QH"), ("Q?", "QS", "KS"), ("QS", "QS", "QH")],
)
def test_what_an_unseen_card_may_be(token: str, covered: str, not_covered: str | None) -> None:
    assert covers(token, covered)
    assert not_covered is None or not covers(token, not_covered)


def test_unseen_cards_are_told_from_seen_ones() -> None:
    assert all(map(is_unknown, UNKNOWN_CARDS))
    assert not any(map(is_unknown, (*FACES, *LABELLED_CARDS)))


@pytest.mark.parametrize(
    ("card", "said", "printed"),
    [
        ("QS", "queen of spades", "Q♠"), ("TH", "10 of hearts", "10♥"), ("JD.2", "jack of diamonds (2)", "J♦(2)"),
        ("??", "unseen card", "??"), ("?S", "card of spades", "?♠"), ("A?", "ace of some suit", "A?"),
    ],
)  # fmt: skip
def test_a_card_in_words_and_in_signs(card: str, said: str, printed: str) -> None:
    assert describe_card(card) == said
    assert card_sign(card) == printed
