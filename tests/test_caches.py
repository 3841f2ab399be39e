"""Nothing that a stranger sends is kept at any size: every cache has an end, and what it keeps is small.

The caches of functions are found by importing every module.
"""

import gc
import importlib
import json
import pkgutil
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import Any

import pytest

import analyzer
import records
import webui
from analyzer.store.weighed_cache import WeighedCache
from records.format import codec
from records.format.diagnosis import suggest_cards, suggest_words
from records.record import Record
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import NumberOption
from records.selfplay import play_game
from records.validator import check
from tests.costs.looking import LOOKS, positions
from webui.replay.steps import Visibility
from webui.server.game_cache import MOST_VIEWS_CACHED, encode_permalink
from webui.server.lessons import open_example
from webui.views.rules import broken_sample

NAMES = "its keys are names and texts of the program itself"
CARDS = "its keys are cards, and the format knows a few hundred"
ONE_ANSWER = "it has one answer"
EXAMPLES = "its keys are the examples of the package, and each keeps few views of its deals"
ENDLESS = {
    "analyzer.solver.tricks.card_places": NAMES,
    "analyzer.store.schema.schema_columns": ONE_ANSWER,
    "analyzer.store.packing.codes_by_event": ONE_ANSWER,
    "analyzer.store.packing.events_by_number": ONE_ANSWER,
    "analyzer.store.sums.sums_sql": NAMES,
    "analyzer.statistics.catalogue.dimensions": ONE_ANSWER,
    "analyzer.statistics.catalogue.grains": ONE_ANSWER,
    "analyzer.statistics.catalogue.kind_sql": NAMES,
    "analyzer.statistics.catalogue.metrics": ONE_ANSWER,
    "analyzer.statistics.answer.overview_questions": NAMES,
    "analyzer.statistics.ask.presets": ONE_ANSWER,
    "analyzer.ingest.tasks._engine": ONE_ANSWER,
    "analyzer.statistics.intervals._text": NAMES,
    "analyzer.statistics.questions.questions": ONE_ANSWER,
    "records.cards.card_sign": CARDS,
    "records.cards.describe_card": CARDS,
    "records.format.diagnosis.fields_of": NAMES,
    "records.documents.findings_page.read_codes_of_deals": ONE_ANSWER,
    "records.documents.findings_page.read_illegal_events": ONE_ANSWER,
    "records.documents.glossary.find_entry": NAMES,
    "records.documents.glossary.read_glossary": ONE_ANSWER,
    "records.rules.registry.read_laws": ONE_ANSWER,
    "webui.display.documents.document_page": "its keys are the documents",
    "webui.display.documents.document_page_names": ONE_ANSWER,
    "webui.display.documents.document_parts": ONE_ANSWER,
    "webui.display.documents.spec_page": "its keys are the pages of the specification",
    "webui.display.documents._all_sections": ONE_ANSWER,
    "webui.views.specification._read_published": "its keys are the sheets and the schemas",
    "webui.display.card_svg.card_sprite": NAMES,
    "webui.display.script_imports.scripts_with": "its keys are the scripts of the pages",
    "webui.display.card_svg.card_svgs": NAMES,
    "webui.server.lessons._open": EXAMPLES,
    "webui.server.lessons.first_question": ONE_ANSWER,
    "webui.server.lessons.lesson_chapters": EXAMPLES,
    "webui.display.words.sheet_marks": ONE_ANSWER,
    "webui.server.lessons._guided": EXAMPLES,
    "webui.server.lesson_pictures.sheet_lesson": EXAMPLES,
    "webui.views.rules._read_sample": "its keys are the codes of findings",
}
"""Caches without an end of their own, and why they have one all the same."""
LARGEST_KEY_BYTES, LARGEST_TOTAL_BYTES = 512 * 1024, 64 * 1024 * 1024
"""Of the texts and lists of a key, and of all keys of a cache that is full of the largest."""


def modules() -> Iterator[ModuleType]:
    for package in (records, analyzer, webui):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def caches() -> dict[str, Any]:
    """Every function with a cache, by module and name."""
    kind = type(lru_cache(lambda: None))
    return {
        f"{module.__name__}.{name}": value
        for module in modules()
        for name, value in vars(module).items()
        if type(value) is kind and value.__module__ == module.__name__
    }


CACHES = caches()


def keys(cache: Any) -> Iterator[Any]:
    for kept in gc.get_referents(cache):
        if isinstance(kept, dict):
            yield from kept


def size_of(key: Any) -> int:
    """The bytes of the texts and lists of a key; sheets and their parts are shared by all who use them."""
    if isinstance(key, tuple | list | frozenset):
        return sys.getsizeof(key) + sum(map(size_of, key))
    return sys.getsizeof(key) if isinstance(key, str | bytes) else 0


@pytest.mark.parametrize("name", CACHES)
def test_every_cache_has_an_end(name: str) -> None:
    endless = CACHES[name].cache_parameters()["maxsize"] is None
    assert endless == (name in ENDLESS)


def test_no_cache_is_named_in_vain() -> None:
    assert ENDLESS.keys() <= CACHES.keys()


def look_at(data: bytes) -> None:
    decoded = codec.decode(data).record
    assert isinstance(decoded, Record)
    resolved = resolve_sheet(decoded.rules.id)
    for way in ("check", "steps", "what if"):
        LOOKS[way](decoded, resolved, data)


@pytest.mark.slow
def test_what_a_stranger_sends_is_not_kept_at_any_size() -> None:
    for data in positions().values():
        look_at(data)
    for number in range(100):
        long = f"{number}" * 10_000
        suggest_words(long, ("bezique",))
        suggest_cards(long)
        check(json.dumps({"format": "bezique-record", long: long}).encode())
        encode_permalink(long.encode() * 40)
    for name, cache in CACHES.items():
        largest = max(map(size_of, keys(cache)), default=0)
        most = cache.cache_parameters()["maxsize"] or 1_000
        assert largest <= LARGEST_KEY_BYTES, name
        assert largest * most <= LARGEST_TOTAL_BYTES, name


def test_other_targets_share_what_their_cards_beat() -> None:
    (sheet,) = [sheet for sheet in ALL_SHEETS if sheet.id == "bezique"]
    (option,) = [each for each in sheet.options if isinstance(each, NumberOption)]
    compile_sheet = CACHES["records.rules.compiled.compile_sheet"]
    one, two = (
        compile_sheet(resolve_sheet("bezique", None, {option.name: target}).sheet)
        for target in (option.least, option.least + 10)
    )
    assert one is not two
    assert one.strength is two.strength
    assert one.phases[-1].duties is two.phases[-1].duties
    assert one.beaters("S") is two.beaters("S")


def test_addresses_of_no_finding_are_not_kept() -> None:
    before = CACHES["webui.views.rules._read_sample"].cache_info().currsize
    for number in range(50):
        assert broken_sample(f"no-code-{number}") is None
    assert CACHES["webui.views.rules._read_sample"].cache_info().currsize == before


def weigh_text(text: str) -> int:
    return len(text)


def repeated(made: list[int]) -> Callable[[int], str]:
    def make(length: int) -> str:
        made.append(length)
        return "x" * length

    return make


def test_a_weighed_cache_keeps_what_weighs_little() -> None:
    made: list[int] = []
    cache = WeighedCache(repeated(made), weigh_text, most_answers=3, most_bytes=100)
    for length in (60, 60, 70, 60, 30, 30, 40, 20, 30, 40, 60):
        assert len(cache(length)) == length
    # Of 60 and 70, which are more than half, the last one is kept; 20 drives out the one asked for least recently: 30.
    assert made == [60, 70, 60, 30, 40, 20]
    assert cache.cache_info().weight == 90
    for length in (1, 2, 3):
        cache(length)
    assert cache.cache_info().currsize == 3
    assert cache.cache_info().weight == 6
    cache.cache_clear()
    assert cache.cache_info().currsize == cache.cache_info().weight == 0


def test_a_game_of_any_size_is_read_and_only_small_ones_are_kept() -> None:
    short = play_game("marjolet", seed=1, deals=1)
    weighed = WeighedCache(
        lambda deals: codec.encode(play_game("marjolet", seed=1, deals=deals)),
        len,
        most_answers=4,
        most_bytes=3 * len(codec.encode(short)),
    )
    weighed(1)
    weighed(4)
    assert weighed.cache_info().currsize == 1


def test_an_example_keeps_few_views_of_its_deals() -> None:
    """It stays open as long as the server runs, and a stranger chooses seat and step."""
    game = open_example("zique")
    for step in range(3 * MOST_VIEWS_CACHED):
        opened = game.deal(0, Visibility(until=step))
        assert game.deal(0, Visibility(until=step)) is opened
        assert len(game._deals) <= MOST_VIEWS_CACHED


def test_an_answer_that_was_begun_before_a_cache_was_cleared_is_not_kept() -> None:
    """A game that is deleted while somebody opens it must not come back from memory."""
    stored = {"game"}

    def read(name: str) -> bool:
        found = name in stored
        if found:
            stored.clear()
            cache.cache_clear()
        return found

    cache = WeighedCache(read, lambda found: 1, most_answers=3, most_bytes=100)
    assert [cache("game"), cache("game")] == [True, False]
    assert cache.cache_info().currsize == 1
