"""A large collection of matches, from which whole matches are drawn to see how often intervals are right.

Self-play of four sheets with two targets each, by twelve players of two styles. Who plays how is settled by
match, so that the deals of one match are more alike than deals of different ones, as they are among people.
Some records state wrong points, and some matches are annotated.
"""

import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec

from analyzer.ingest.importer import Importer, ImportSource
from analyzer.review import stored
from analyzer.review.deep_review import ReviewTerms
from analyzer.store.store import Store
from records.events import Meld
from records.format import codec
from records.record import Record
from records.selfplay import play_game

SHEETS = ("zique", "marjolet", "polish-bezique", "rubicon-bezique")
TARGETS = {"zique": 500, "marjolet": 300, "polish-bezique": 500}
"""The other target that half of the matches of a sheet have."""
GREEDY, RANDOM = (
    ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"),
    ("Gus", "Hal", "Ida", "Jo", "Kim", "Lou"),
)
MONTHS = 6
MOST_WRONG_POINTS = 4


def match(number: int) -> bytes:
    """One match, whose number settles everything about it."""
    random = Random(f"match {number}")
    sheet = SHEETS[number % len(SHEETS)]
    greedy = random.random() < 0.6
    options = {"target": TARGETS[sheet]} if sheet in TARGETS and random.random() < 0.5 else {}
    record = play_game(
        sheet,
        seed=number,
        options=options,
        style="greedy" if greedy else "random",
        names=random.sample(GREEDY if greedy else RANDOM, 2),
    )
    month = 1 + min(random.randrange(MONTHS), random.randrange(MONTHS))
    record.meta = {"started": f"2026-{month:02}-15T19:30:00Z"}
    if random.random() < 0.2:
        state_wrong_points(record, random)
    return codec.encode(record)


def state_wrong_points(record: Record, random: Random) -> None:
    """Change the points that some melds state."""
    melds = [event for deal in record.deals for event in deal.events if isinstance(event, Meld)]
    for event in random.sample(melds, min(len(melds), random.randint(1, MOST_WRONG_POINTS))):
        deal = next(deal for deal in record.deals if any(each is event for each in deal.events))
        place = next(place for place, each in enumerate(deal.events) if each is event)
        deal.events[place] = msgspec.structs.replace(event, points=(event.points or 0) + 10)


def lines(matches: int, workers: int) -> Iterator[bytes]:
    """So many matches, a line each."""
    if not workers:
        yield from (match(number) + b"\n" for number in range(matches))
        return
    with multiprocessing.Pool(workers) as pool:
        for record in pool.imap(match, range(matches), chunksize=20):
            yield record + b"\n"


def fill(folder: Path, matches: int, *, annotated: int, workers: int = 2) -> None:
    """Store so many matches in a folder, and annotate some of them."""
    folder.mkdir(parents=True)
    path = folder / "matches.jsonl"
    with path.open("wb") as file:
        file.writelines(lines(matches, workers))
    with Store(folder) as store:
        source = ImportSource(path.name, path, path.stat().st_size, lambda: path.open("rb"))
        Importer(store, workers).run([source])
        for digest in stored.list_games_without_review(store)[:annotated]:
            stored.review_stored_exactly(
                store, digest, ReviewTerms(worlds=0, positions=200, last_trick=False)
            )
    path.unlink()
