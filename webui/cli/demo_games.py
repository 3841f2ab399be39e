"""The demo games: self-play by every rulebook, and the samples, broken ones among them."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from analyzer.annotate import stored_annotations
from analyzer.annotate.annotation import AnalysisTerms
from analyzer.db.store import Store
from analyzer.ingest.loader import ingest
from records import codec
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import ChoiceOption, NumberOption, RuleOptionValue, RuleSheet
from records.selfplay import PlayingStyle, play_game
from webui.cli.commands.ingest import describe_summary
from webui.cli.progress_bar import ProgressBar
from webui.cli.sources import find_record_files, read_input_records
from webui.games import samples

GAMES_PER_STYLE: Mapping[PlayingStyle, int] = {"greedy": 31, "random": 8}
"""How many games of each rulebook, by style of play."""

SAMPLE_FOLDERS = ("good", "broken")
"""The folders of samples that hold records."""

GAMES_PER_OPTION_GAME = 5
"""One game in this many is played with an option of the rulebook."""

MOST_PACKS_UNLABELLED = 2
"""Games of more packs get labels, as a server would write them: without, validating them takes far longer."""

GAMES_REVIEWED, REVIEW_TERMS = 3, AnalysisTerms(positions=1_000)
"""How many games of each rulebook are annotated, with few positions, so that the demo is made quickly."""

LUCK_SHEET_ID, LUCK_TERMS = "marjolet", AnalysisTerms(positions=1_000, rollouts=20)
"""The rulebook whose annotated games also get roll-outs: its roll-outs are the quickest."""

EVENT_NAME = "Demo evenings"
FIRST_EVENING, WEEK, NUMBER_OF_EVENINGS = datetime(2025, 1, 2, 19, 30), timedelta(weeks=1), 52
"""The dates that the games are given: the Thursdays of one year."""

PLAYER_NAMES = (
    "Ada", "Bruno", "Carla", "Dora", "Emil", "Flora", "Gustav", "Hedda", "Ivan", "Julia", "Karl",
    "Lena", "Marta", "Nils", "Olga", "Paul",
)  # fmt: skip


def make_demo_games(folder: Path) -> str:
    """Make the games and store them; returns what became of them, in a line."""
    total = len(ALL_SHEETS) * sum(GAMES_PER_STYLE.values())
    with Store(folder) as store:
        with ProgressBar("playing", total) as bar:
            done = describe_summary(ingest(store, _entries(bar)))
        _review(store)
    return done


def _review(store: Store) -> None:
    """Annotate the first games of every rulebook, so that there is something to look at."""
    sql = "SELECT digest, sheet FROM games WHERE players = 2 AND clean QUALIFY row_number() OVER (PARTITION BY sheet ORDER BY game) <= $most"
    games = store.rows(sql, {"most": GAMES_REVIEWED}).rows
    with ProgressBar("reviewing", len(games)) as bar:
        for done, (digest, sheet) in enumerate(games, start=1):
            stored_annotations.annotate_stored_game(
                store, digest, LUCK_TERMS if sheet == LUCK_SHEET_ID else REVIEW_TERMS
            )
            bar.show(done)


def _entries(bar: ProgressBar) -> Iterator[codec.Entry]:
    done = 0
    for sheet in ALL_SHEETS:
        for line, data in enumerate(play_demo_games(sheet), start=1):
            done += 1
            bar.show(done, sheet.name)
            yield codec.Entry(f"demo-{sheet.id}.jsonl", line, data)
    sources = [
        source
        for name in SAMPLE_FOLDERS
        for source in find_record_files(samples.samples_folder() / name)
    ]
    for found in read_input_records(sources, ProgressBar("reading samples")):
        yield found.entry


def play_demo_games(sheet: RuleSheet) -> Iterator[bytes]:
    """The games of a rulebook, always the same ones."""
    random = Random(sheet.id)
    for style, games in GAMES_PER_STYLE.items():
        for seed in range(games):
            players = random.choice(sheet.players)
            names = random.sample(PLAYER_NAMES, players)
            options = (
                _one_option(sheet, random)
                if seed % GAMES_PER_OPTION_GAME == GAMES_PER_OPTION_GAME - 1
                else {}
            )
            record = play_game(
                sheet.id,
                seed=seed,
                options=options,
                style=style,
                names=names,
                labels=sheet.pack.copies > MOST_PACKS_UNLABELLED,
            )
            evening = FIRST_EVENING + WEEK * random.randrange(NUMBER_OF_EVENINGS)
            record.meta = {"event": EVENT_NAME, "started": f"{evening:%Y-%m-%dT%H:%M:%SZ}"}
            yield codec.encode(record)


def _one_option(sheet: RuleSheet, random: Random) -> dict[str, RuleOptionValue]:
    """A random option of the rulebook with a value other than the default; empty if it has no options."""
    if not sheet.options:
        return {}
    option = random.choice(sheet.options)
    match option:
        case ChoiceOption():
            values = [value for value in option.values if value != option.default]
        case NumberOption():
            values = [option.low] if option.low != option.default else [option.high]
    return {option.name: random.choice(values)}
