"""The demo games: self-play by every rulebook, and the samples, broken ones among them."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from analyzer.annotate import stored_annotations
from analyzer.annotate.annotation import Terms
from analyzer.db.store import Store
from analyzer.ingest.loader import ingest
from records import codec
from records.rules.registry import ALL
from records.rules.vocabulary import Choice, Number, OptionValue, RuleSheet
from records.selfplay import Style, play_game
from webui.cli.commands.ingest import told
from webui.cli.progress_bar import Bar
from webui.cli.sources import read, record_files
from webui.games import samples

STYLES: Mapping[Style, int] = {"greedy": 31, "random": 8}
"""Games of each rulebook by style."""

SAMPLES = ("good", "broken")
"""Folders of samples that hold records."""

WITH_OPTION = 5
"""One game in so many is played with an option that the rulebook offers."""

FEW = 2
"""Games of more packs tell the copies of a card apart, as a server would: it is quicker by far."""

REVIEWED, TERMS = 3, Terms(positions=1_000)
"""Games of each rulebook that are annotated, and on which terms: nobody should wait for them."""

WITH_LUCK, LUCK = "marjolet", Terms(positions=1_000, rollouts=20)
"""In whose annotated games luck is told from skill, too: its roll-outs are the quickest."""

EVENT = "Demo evenings"
FIRST_EVENING, WEEK, EVENINGS = datetime(2025, 1, 2, 19, 30), timedelta(weeks=1), 52
"""When the games are said to have been played: on one of a year's Thursdays."""

NAMES = (
    "Ada", "Bruno", "Carla", "Dora", "Emil", "Flora", "Gustav", "Hedda", "Ivan", "Julia", "Karl",
    "Lena", "Marta", "Nils", "Olga", "Paul",
)  # fmt: skip


def make(folder: Path) -> str:
    """Make the games and store them; returns what became of them, in a line."""
    total = len(ALL) * sum(STYLES.values())
    with Store(folder) as store:
        with Bar("playing", total) as bar:
            done = told(ingest(store, _entries(bar)))
        _review(store)
    return done


def _review(store: Store) -> None:
    """Annotate the first games of every rulebook, so that there is something to look at."""
    sql = "SELECT digest, sheet FROM games WHERE players = 2 AND clean QUALIFY row_number() OVER (PARTITION BY sheet ORDER BY game) <= $most"
    games = store.rows(sql, {"most": REVIEWED}).rows
    with Bar("reviewing", len(games)) as bar:
        for done, (digest, sheet) in enumerate(games, start=1):
            stored_annotations.make(store, digest, LUCK if sheet == WITH_LUCK else TERMS)
            bar.show(done)


def _entries(bar: Bar) -> Iterator[codec.Entry]:
    done = 0
    for sheet in ALL:
        for line, data in enumerate(played(sheet), start=1):
            done += 1
            bar.show(done, sheet.name)
            yield codec.Entry(f"demo-{sheet.id}.jsonl", line, data)
    sources = [source for name in SAMPLES for source in record_files(samples.folder() / name)]
    for found in read(sources, Bar("reading samples")):
        yield found.entry


def played(sheet: RuleSheet) -> Iterator[bytes]:
    """Games of a rulebook, always the same."""
    random = Random(sheet.id)
    for style, games in STYLES.items():
        for seed in range(games):
            players = random.choice(sheet.players)
            names = random.sample(NAMES, players)
            options = _one_option(sheet, random) if seed % WITH_OPTION == WITH_OPTION - 1 else {}
            record = play_game(
                sheet.id,
                seed=seed,
                options=options,
                style=style,
                names=names,
                labels=sheet.pack.copies > FEW,
            )
            evening = FIRST_EVENING + WEEK * random.randrange(EVENINGS)
            record.meta = {"event": EVENT, "started": f"{evening:%Y-%m-%dT%H:%M:%SZ}"}
            yield codec.encode(record)


def _one_option(sheet: RuleSheet, random: Random) -> dict[str, OptionValue]:
    """One option of the rulebook, with a value that is not the default; none if it has none."""
    if not sheet.options:
        return {}
    option = random.choice(sheet.options)
    match option:
        case Choice():
            values = [value for value in option.values if value != option.default]
        case Number():
            values = [option.low] if option.low != option.default else [option.high]
    return {option.name: random.choice(values)}
