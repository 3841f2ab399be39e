"""The small words of every sentence: numbers, plurals, articles, lists, cards; and events as sentences."""

import pytest

from records.event_words import describe_event
from records.events import Cut, Declare, Draw, Irregular, Meld
from records.phrases import (
    count_in_words,
    join_words,
    list_cards,
    name_card,
    name_cards,
    name_meld,
    pluralize,
    size_in_units,
    with_article,
)


@pytest.mark.parametrize(
    ("number", "noun", "digits", "words"),
    [
        (0, "card", "0 cards", "no cards"), (1, "card", "1 card", "one card"),
        (2, "entry", "2 entries", "two entries"), (12, "match", "12 matches", "twelve matches"),
        (13, "breach", "13 breaches", "13 breaches"), (2000, "play", "2,000 plays", "2,000 plays"),
    ],
)  # fmt: skip
def test_a_number_of_things(number: int, noun: str, digits: str, words: str) -> None:
    assert pluralize(number, noun) == digits
    assert count_in_words(number, noun) == words


@pytest.mark.parametrize(
    ("size", "words"),
    [(65_536, "64 KiB"), (1_048_575, "1,023 KiB"), (1_048_576, "1 MiB"), (2**30, "1,024 MiB")],
)
def test_a_size(size: int, words: str) -> None:
    assert size_in_units(size) == words


def test_lists() -> None:
    assert join_words(["a"]) == "a"
    assert join_words(["a", "b", "c"], "or") == "a, b or c"
    assert list_cards(["KH", "TS"]) == "K♥ 10♠"
    assert name_cards(["KH", "QS.1"]) == "the king of hearts and the queen of spades (1)"


@pytest.mark.parametrize(
    ("noun", "words"),
    [
        ("marriage", "a marriage"), ("assembly of jacks", "an assembly of jacks"),
        ("four aces", "four aces"), ("two marriages", "two marriages"), ("marriages", "marriages"),
        ("unseen card", "an unseen card"), ("8 of some suit", "an 8 of some suit"),
    ],
)  # fmt: skip
def test_articles(noun: str, words: str) -> None:
    assert with_article(noun) == words


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("8D", "the 8 of diamonds"), ("8?", "an 8 of some suit"), ("A?", "an ace of some suit"),
        ("?S", "a card of spades"), ("??", "an unseen card"),
    ],
)  # fmt: skip
def test_cards(card: str, words: str) -> None:
    assert name_card(card) == words


@pytest.mark.parametrize(
    ("meld", "words"),
    [
        ("four_aces", "four aces"), ("flush_sequence", "a flush sequence"),
        ("assembly", "an assembly"), ("marriages", "marriages"),
    ],
)  # fmt: skip
def test_melds(meld: str, words: str) -> None:
    assert name_meld(meld) == words


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (Draw(seat=0, card="A?"), "Ann draws an ace of some suit."),
        (Cut(seat=1, packet=1), "Bob cuts 1 card."),
        (Cut(seat=1, packet=24, guess=26), "Bob cuts 24 cards; the guess is 26."),
        (
            Meld(seat=0, meld="four_aces", cards=["AS", "AH", "AD", "AC"], points=100),
            "Ann melds four aces, A♠ A♥ A♦ A♣ for 100.",
        ),
        (
            Meld(seat=0, meld="assembly", cards=["JS", "JH"]),
            "Ann melds an assembly, J♠ J♥.",
        ),
        (
            Declare(seat=0, meld="bezique", cards=["QS", "JD"]),
            "Ann shows a bezique, Q♠ J♦, to score later.",
        ),
        (
            Irregular(seat=0, what="exposed_card", text="the \x1b9 fell."),
            "Irregularity, Ann: exposed card: the  9 fell.",
        ),
    ],
)
def test_events_as_sentences(event: object, sentence: str) -> None:
    assert describe_event(event, ["Ann", "Bob"]) == sentence
