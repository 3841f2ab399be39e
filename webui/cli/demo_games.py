"""The demo games: a year of a club by every rulebook, a tournament, a last evening; broken records lie in a folder of their own."""

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from analyzer.ingest.loader import ingest
from analyzer.players import evenings
from analyzer.players.evening_results import pair_next_round, read_results
from analyzer.players.expectancy import shipped_models
from analyzer.players.winning_model import ChanceModels
from analyzer.review import stored
from analyzer.review.deep_review import ReviewTerms
from analyzer.store.durable_files import write_file
from analyzer.store.store import Store
from records.format import codec
from records.format.files import Entry
from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import ChoiceOption, NumberOption, RuleOptionValue, RuleSheet
from records.selfplay import PlayingStyle, play_game
from webui.cli.commands.ingest import describe_summary
from webui.cli.main import ProgressBar
from webui.server import game_cache

GAMES_PER_RULEBOOK = 39
"""How many games of each rulebook the club plays in its year."""

GAMES_PER_OPTION_GAME = 5
"""One game in this many is played with an option of the rulebook."""

MOST_PACKS_UNLABELLED = 2
"""Games of more packs get labels, as a server would write them: without, validating them takes far longer."""

GAMES_REVIEWED, REVIEW_TERMS = 3, ReviewTerms(worlds=0, positions=1_000)
"""How many games of each rulebook are reviewed, with few positions, so that the demo is made quickly."""

LUCK_SHEET_ID, LUCK_TERMS = "marjolet", ReviewTerms(worlds=0, positions=1_000, rollouts=20)
"""The rulebook whose reviewed games also get roll-outs: its roll-outs are the quickest."""

CLUB_NAME, SEASON_NAME = "Thursday Club", "Season 2025"
FIRST_EVENING, WEEK, NUMBER_OF_EVENINGS = datetime(2025, 1, 2, 19, 30), timedelta(weeks=1), 52
"""The evenings of the club: the Thursdays of one year, of which the season's rounds are counted."""

CLUB_MEMBERS: Mapping[str, PlayingStyle] = {
    "Ada": "greedy", "Bruno": "greedy", "Carla": "greedy", "Dora": "greedy", "Emil": "greedy",
    "Flora": "greedy", "Gustav": "casual", "Hedda": "casual", "Ivan": "casual", "Julia": "casual",
    "Karl": "casual", "Lena": "random", "Marta": "random", "Nils": "random",
}  # fmt: skip
"""The players and how they play: six are strong, five are casual, three have just begun."""

RIVALS, GAMES_PER_DERBY = ("Ada", "Bruno"), 6
"""Two players who meet in one game of so many, wherever two play."""

TOURNAMENT_NAME, TOURNAMENT_SHEET_ID = "Spring Tournament 2025", "bezique"
TOURNAMENT_PLAYERS = ("Ada", "Bruno", "Carla", "Gustav", "Hedda", "Julia", "Lena", "Nils")
"""Everybody meets everybody else once, in rounds of one evening each."""
FIRST_TOURNAMENT_EVENING = 9

LAST_EVENING_NAME, LAST_EVENING, LAST_EVENING_ROUNDS = "Christmas Evening 2025", WEEK * 50, 3
LAST_EVENING_PLAYERS = ("Dora", "Karl", "Emil", "Marta", "Flora", "Ivan", "Carla", "Hedda")
"""An evening of its own, of which one game was lost: its result was typed, in points."""
LOST_GAME_POINTS, MADE_BY = (1_080, 740), "demo"

BROKEN_FOLDER = "broken-records"
"""The folder in the data folder for records to try the validator on; none of them is stored."""


def make_demo_games(folder: Path) -> str:
    """Make the games and store them; returns what became of them, in a line."""
    total = len(ALL_SHEETS) * GAMES_PER_RULEBOOK
    with Store(folder) as store:
        with ProgressBar("playing", total) as bar:
            done = describe_summary(ingest(store, _entries(bar)))
        hold_last_evening(store)
        _review(store)
    count = copy_broken_records(folder / BROKEN_FOLDER)
    return f"{done}\n{count} broken records to upload are in {folder / BROKEN_FOLDER}."


def copy_broken_records(folder: Path) -> int:
    """Copy the broken samples into a folder, for people who want to see what the validator says; returns their number."""
    found = sorted((game_cache.samples_folder() / "broken").glob("*"))
    folder.mkdir(parents=True, exist_ok=True)
    for path in found:
        write_file(folder / path.name, path.read_bytes())
    return len(found)


def _review(store: Store) -> None:
    """Review the first games of every rulebook, so that there is something to look at."""
    sql = "SELECT digest, sheet FROM games WHERE players = 2 AND clean QUALIFY row_number() OVER (PARTITION BY sheet ORDER BY game) <= $most"
    games = [
        (digest, LUCK_TERMS if sheet == LUCK_SHEET_ID else REVIEW_TERMS)
        for digest, sheet in store.rows(sql, {"most": GAMES_REVIEWED}).rows
    ]
    models = ChanceModels(store, shipped_models())
    found = stored.review_games_exactly(store, games, os.cpu_count() or 1, models)
    with ProgressBar("reviewing", len(games)) as bar:
        for done, _ in enumerate(found, 1):
            bar.show(done)


def _entries(bar: ProgressBar) -> Iterator[Entry]:
    """The games as the club would have stored them: evening by evening, so that the latest are by every rulebook."""
    done = 0
    for line, evening in enumerate(zip(*map(play_demo_games, ALL_SHEETS), strict=True), start=1):
        for sheet, data in zip(ALL_SHEETS, evening, strict=True):
            done += 1
            bar.show(done, sheet.name)
            yield Entry(f"demo-{sheet.id}.jsonl", line, data)


def play_demo_games(sheet: RuleSheet) -> Iterator[bytes]:
    """The games of a rulebook, always the same ones: those of the tournament first, where it is played by it."""
    random = Random(sheet.id)
    tournament = list(_tournament_tables()) if sheet.id == TOURNAMENT_SHEET_ID else []
    for seed in range(GAMES_PER_RULEBOOK):
        if seed < len(tournament):
            round_number, names = tournament[seed]
            evening, event = FIRST_TOURNAMENT_EVENING + round_number - 1, TOURNAMENT_NAME
        else:
            names = _table_of_the_evening(sheet, seed, random)
            evening = seed * NUMBER_OF_EVENINGS // GAMES_PER_RULEBOOK
            round_number, event = evening + 1, f"{SEASON_NAME}, {sheet.name}"
        has_option = (
            event != TOURNAMENT_NAME and seed % GAMES_PER_OPTION_GAME == GAMES_PER_OPTION_GAME - 1
        )
        record = play_game(
            sheet.id,
            seed=seed,
            options=_one_option(sheet, random) if has_option else {},
            styles=[CLUB_MEMBERS[name] for name in names],
            names=names,
            sides=_sides(sheet, len(names), random),
            labels=sheet.rules.pack.packs > MOST_PACKS_UNLABELLED,
        )
        yield _played(record, event, round_number, FIRST_EVENING + WEEK * evening)


def _played(record: Record, event: str, round_number: int, started: datetime) -> bytes:
    record.meta = {
        "event": event,
        "round": round_number,
        "site": CLUB_NAME,
        "started": f"{started:%Y-%m-%dT%H:%M:%SZ}",
    }
    return codec.encode(record)


def hold_last_evening(store: Store) -> None:
    """Pair and play the rounds of the last evening that are not played yet; the last table of all gets a typed result."""
    day = (FIRST_EVENING + LAST_EVENING).date()
    try:
        opening = evenings.EveningOpening(LAST_EVENING_NAME, day, "swiss")
        key = evenings.open_evening(store, opening, MADE_BY)
    except evenings.EveningExists as held:
        key = held.key
    if not _evening(store, key).players:
        arrivals = [evenings.PlayerArrival(name) for name in LAST_EVENING_PLAYERS]
        evenings.take_steps(store, key, arrivals, MADE_BY)
    while (number := len(_evening(store, key).rounds) + 1) <= LAST_EVENING_ROUNDS:
        evening = _evening(store, key)
        paired = pair_next_round(evening, read_results(store, evening))
        steps: list[evenings.AnyStep] = [evenings.RoundPairing(number, paired)]
        tables = [[evening.player(each).name for each in pair] for pair in paired.pairs]
        if number == LAST_EVENING_ROUNDS:
            tables.pop()
            lost = evenings.ResultTyping(number, *paired.pairs[-1], "first", LOST_GAME_POINTS)
            steps.append(lost)
        played = (_evening_game(number, table, names) for table, names in enumerate(tables))
        ingest(store, (Entry("demo-evening.jsonl", line, data) for line, data in enumerate(played)))
        evenings.take_steps(store, key, steps, MADE_BY)


def _evening(store: Store, key: int) -> evenings.Evening:
    evening = evenings.read_evening(store, key)
    assert evening is not None, "it was opened"
    return evening


def _evening_game(number: int, table: int, names: list[str]) -> bytes:
    styles = [CLUB_MEMBERS[name] for name in names]
    seed = GAMES_PER_RULEBOOK + number * len(LAST_EVENING_PLAYERS) + table
    record = play_game(TOURNAMENT_SHEET_ID, seed=seed, styles=styles, names=names)
    return _played(record, LAST_EVENING_NAME, number, FIRST_EVENING + LAST_EVENING)


def _tournament_tables() -> Iterator[tuple[int, list[str]]]:
    """The tables of every round, counted from 1: one player stays, the others move on by one seat (a round robin)."""
    first, *others = TOURNAMENT_PLAYERS
    for number in range(len(others)):
        row = [first, *others[number:], *others[:number]]
        half = len(row) // 2
        for table, names in enumerate(zip(row[:half], reversed(row[half:]), strict=True)):
            yield number + 1, list(names if (number + table) % 2 else reversed(names))


def _table_of_the_evening(sheet: RuleSheet, seed: int, random: Random) -> list[str]:
    """Who sits at a table: as many as may play, the two rivals now and then."""
    players = random.choice(sheet.rules.players)
    if players == len(RIVALS) and seed % GAMES_PER_DERBY == 0:
        return random.sample(RIVALS, players)
    return random.sample(list(CLUB_MEMBERS), players)


def _sides(sheet: RuleSheet, players: int, random: Random) -> list[list[int]] | None:
    """The sides of a table where players may have partners, in one game of two; partners sit apart."""
    sizes: Sequence[int] = sheet.rules.partner_sizes.get(players, ())
    if not sizes or random.random() < 0.5:
        return None
    count = players // random.choice(sizes)
    return [list(range(side, players, count)) for side in range(count)]


def _one_option(sheet: RuleSheet, random: Random) -> dict[str, RuleOptionValue]:
    """A random option of the rulebook with a value other than the default; empty if it has no options."""
    if not sheet.options:
        return {}
    option = random.choice(sheet.options)
    match option:
        case ChoiceOption():
            values = [value for value in option.permitted if value != option.default]
        case NumberOption():
            values = [option.least] if option.least != option.default else [option.most]
    return {option.name: random.choice(values)}
