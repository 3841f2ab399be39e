"""What lists call people: one name for each, whatever order records come in; renamed, made one, and taken back."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from random import Random

import msgspec
import pytest

from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest_bytes
from analyzer.ingest.renaming import rename_player, take_back_rename
from analyzer.players.directory import list_players
from analyzer.players.ratings import Ratings
from analyzer.players.standings import MatchChoice, counted_matches, pairings, standing
from analyzer.store.player_names import (
    RenameRefused,
    find_people,
    list_renames,
    list_similar_people,
    plan_rename,
    similar_people,
)
from analyzer.store.store import GameFilter, Store
from records.format import codec
from records.people import APART, list_people, read_name
from records.record import Player
from records.selfplay import play_game

Seated = tuple[Player, Player]
EVERYTHING = {
    "games": "SELECT * FROM games ORDER BY game",
    "seats": "SELECT * FROM seats ORDER BY game, deal, seat",
    "renames": "SELECT person, same_as, name FROM renames ORDER BY made_at",
}


def match_of(seed: int, *players: Player, day: int = 1) -> bytes:
    """A match that is played to its end."""
    record = play_game("zetema", seed=seed, names=["A", "B"])
    record.players = list(players)
    record.meta = {"event": "Club", "started": f"2026-01-{day:02}T19:30:00+01:00"}
    return codec.encode(record)


def store_matches(store: Store, matches: Sequence[bytes]) -> list[str]:
    outcomes = [outcome for data in matches for outcome in ingest_bytes(store, "club.jsonl", data)]
    assert all(outcome.state == "stored" for outcome in outcomes)
    return [str(outcome.digest) for outcome in outcomes]


def tables(store: Store) -> dict[str, list[tuple[object, ...]]]:
    rows = {name: store.rows(sql) for name, sql in EVERYTHING.items()}
    return {
        name: [
            tuple(
                value
                for column, value in zip(found.columns, row, strict=True)
                if column != "stored_at"
            )
            for row in found.rows
        ]
        for name, found in rows.items()
    }


def people_of(store: Store) -> set[str]:
    return {label for (label,) in store.rows("SELECT DISTINCT unnest(people) FROM games").rows}


def wins(store: Store) -> dict[str, tuple[int, int]]:
    return {
        line.name: (line.matches, line.won)
        for line in standing(store, counted_matches(store, MatchChoice()))
    }


@pytest.fixture
def store(tmp_path: Path):
    with Store(tmp_path / "data") as opened:
        yield opened


def test_two_of_one_name_at_a_table_are_two_everywhere(store: Store) -> None:
    """Nobody is at once the one who won and the one who lost."""
    store_matches(
        store,
        [
            match_of(1, Player("Ann"), Player("Ann")),
            match_of(2, Player("Ann"), Player("Bob"), day=2),
        ],
    )
    ladder = Ratings(store).ladder()
    for named in (
        people_of(store),
        {*wins(store)},
        {player.name for player in list_players(store, ladder, every=True)},
        {*ladder.standings},
    ):
        assert len(named) == 4
        assert {"Ann", "Bob"} < named
    assert all(matches == 1 for matches, _ in wins(store).values())
    assert sum(won for _, won in wins(store).values()) == 2
    assert {game.names[0] for game in store.games().games} == {"Ann"}


def test_an_id_is_one_person_in_all_spellings(store: Store) -> None:
    one, same, other = (
        Player("Sam", id="club:1"),
        Player("Samuel", id="club:1"),
        Player("Sam", id="club:2"),
    )
    store_matches(
        store,
        [
            match_of(1, one, other),
            match_of(2, same, Player("Kim"), day=2),
            match_of(3, same, Player("Bob"), day=3),
        ],
    )
    assert {name: matches for name, (matches, _) in wins(store).items()} == {
        "Samuel": 3,
        "Sam": 1,
        "Kim": 1,
        "Bob": 1,
    }
    assert store.games(GameFilter(player="Samuel")).total == 3
    assert find_people(store, "club:1") == ["Samuel"]
    assert sorted(game.names for game in store.games(GameFilter(player="Sam")).games)[0] == [
        "Sam",
        "Sam",
    ]
    pairs = pairings(store, counted_matches(store, MatchChoice()), ["Samuel", "Sam"])
    assert {key: pair.matches for key, pair in pairs.items()} == {
        ("Samuel", "Sam"): 1,
        ("Sam", "Samuel"): 1,
    }


def test_somebody_of_the_same_name_without_an_id_is_somebody_else(store: Store) -> None:
    (first, *_) = store_matches(
        store,
        [
            match_of(1, Player("Sam", id="x"), Player("Bob")),
            match_of(2, Player("Sam"), Player("Bob"), day=2),
        ],
    )
    assert people_of(store) == {"Sam", f"Sam{APART}(x)", "Bob"}
    assert find_people(store, "Sam (x)") == [f"Sam{APART}(x)"]
    assert find_people(store, "Sam") == ["Sam"]
    assert store.games(GameFilter(player="Sam (x)")).games[0].digest == first


CLUB = [
    Player("Ann"), Player(" Ann"), Player("A\u200bnn"), Player("ann"), Player("Anne"), Player("Sam"),
    Player("Sam", id="s1"), Player("Samuel", id="s1"), Player("Sam", id="s2"), Player("Bob", id="b"), Player("Bob"), Player(" "),
]  # fmt: skip


def some_matches(chance: Random, number: int) -> list[bytes]:
    return [
        match_of(chance.randrange(10**6), *chance.choices(CLUB, k=2), day=chance.randrange(1, 28))
        for _ in range(number)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_what_people_are_called_follows_from_the_records_in_any_order(
    tmp_path: Path, seed: int
) -> None:
    """Also if some were stored and deleted; and nobody's name is somebody else's."""
    chance = Random(seed)
    matches = some_matches(chance, 14)
    with Store(tmp_path / "one") as one, Store(tmp_path / "other") as other:
        store_matches(one, matches[:10])
        ingest_bytes(other, "all.jsonl", b"\n".join(chance.sample(matches, len(matches))))
        ingest_bytes(other, "again.jsonl", b"\n".join(matches))
        delete_games(other, [str(codec.decode(data).digest()) for data in matches[10:]])
        assert tables(one) == tables(other)
        assert_one_name_for_each(one)


def assert_one_name_for_each(store: Store) -> None:
    """People, worked out from the records alone, and names are one to one; all tables have the same."""
    keys, labels = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for digest, people in store.rows("SELECT digest, people FROM games").rows:
        record = codec.decode(store.record_bytes(digest) or b"").record
        assert record is not None
        for person, label in zip(list_people(record.players, digest), people, strict=True):
            keys[label].add(person.key)
            labels[person.key].add(label)
    assert all(len(found) == 1 for found in (*keys.values(), *labels.values()))
    wrong = """
        SELECT count(*) FROM seats JOIN games USING (game)
        WHERE player <> people[seat + 1] OR opponent <> people[2 - seat] OR names <> written
    """
    assert store.rows(wrong).rows == [(0,)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_every_rename_can_be_taken_back(store: Store, seed: int) -> None:
    """After any renames, taken back one by one, everything is as before, also what was stored meanwhile."""
    chance = Random(seed)
    store_matches(store, some_matches(chance, 12))
    names, moments = ["Ann", "Anne", "Cleo", "Sam", "Samuel", "Bob (b)", "club"], []
    for _ in range(12):
        before, groups = tables(store), groups_of(store)
        old, new = chance.choice(sorted(people_of(store))), chance.choice(names)
        try:
            plan = rename_player(store, old, new)
        except RenameRefused:
            assert tables(store) == before
            continue
        moments.append(before)
        together = groups.pop(plan.old) | groups.pop(plan.new, set())
        now = groups_of(store)
        (label,) = (label for label, seats in now.items() if seats == together)
        if plan.person == plan.same_as:
            assert read_name(label).startswith(plan.name)
        assert sorted(map(sorted, now.values())) == sorted(
            map(sorted, (*groups.values(), together))
        )
    assert len(moments) > 3
    for before in reversed(moments):
        last = list_renames(store)[-1]
        take_back_rename(store, last.now)
        assert tables(store) == before
    assert_one_name_for_each(store)


def groups_of(store: Store) -> dict[str, set[tuple[int, int]]]:
    """The seats of each person: by game and seat."""
    sql = "SELECT game, generate_subscripts(people, 1), unnest(people) FROM games"
    found = defaultdict[str, set[tuple[int, int]]](set)
    for game, seat, label in store.rows(sql).rows:
        found[label].add((game, seat))
    return found


def test_a_rename_holds_for_what_is_stored_later(store: Store) -> None:
    store_matches(store, [match_of(1, Player("Ann"), Player("Bob"))])
    rename_player(store, "ann" if find_people(store, "ann") else " Ann\u200b", "Anne")
    store_matches(
        store,
        [
            match_of(2, Player("Ann"), Player("Cleo"), day=2),
            match_of(3, Player("Anne"), Player("Bob"), day=3),
        ],
    )
    assert wins(store)["Anne"][0] == 3
    assert find_people(store, "Ann") == ["Anne"]
    assert {name for game in store.games().games for name in game.names} == {"Anne", "Bob", "Cleo"}


def test_who_was_made_one_and_sits_at_one_table_is_two_there(store: Store) -> None:
    """The merge was wrong, or the record is: nobody can tell, so the match is nobody's double."""
    store_matches(
        store,
        [
            match_of(1, Player("Ann"), Player("Bob")),
            match_of(2, Player("Anne"), Player("Bob"), day=2),
        ],
    )
    rename_player(store, "Ann", "Anne")
    before = wins(store)
    store_matches(store, [match_of(3, Player("Ann"), Player("Anne"), day=3)])
    assert before.items() <= wins(store).items()
    assert len(wins(store)) == 4
    take_back_rename(store, "Anne")
    assert {name: matches for name, (matches, _) in wins(store).items()} == {
        "Ann": 2,
        "Anne": 2,
        "Bob": 2,
    }


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Ann", "Bob", "sit at the same table in 1 game"),
        ("Ann ", "Ann", "Both names are the same."),
        ("Anm", "Cleo", "Did you mean 'Ann'?"),
        ("Ann", " \u200b", "A name has 1 to 200 characters."),
        ("Ann", "x" * 201, "A name has 1 to 200 characters."),
    ],
)
def test_what_cannot_be_renamed_is_said(store: Store, old: str, new: str, words: str) -> None:
    store_matches(store, [match_of(1, Player("Ann"), Player("Bob"))])
    with pytest.raises(RenameRefused) as raised:
        plan_rename(store, old, new)
    assert words in str(raised.value)
    with pytest.raises(RenameRefused, match="was not renamed"):
        take_back_rename(store, "Ann")


def test_similar_names_are_a_question_and_no_merge(store: Store) -> None:
    store_matches(
        store,
        [
            match_of(1, Player("Zoë"), Player("Bob")),
            match_of(2, Player("zoe"), Player("Bob"), day=2),
            match_of(3, Player("Zoe", id="z"), Player("Zoey"), day=3),
        ],
    )
    assert similar_people(store, "Zoë") == ["Zoe", "zoe"]
    assert list_similar_people(store) == [["Zoe", "Zoë", "zoe"]]
    assert len(people_of(store)) == 5


def test_a_person_known_in_one_match_can_be_named(store: Store) -> None:
    store_matches(
        store,
        [
            match_of(1, Player("Ann"), Player("Ann")),
            match_of(2, Player("Ann"), Player("Bob"), day=2),
        ],
    )
    unknown = next(label for label in people_of(store) if "seat 2" in label)
    rename_player(store, unknown, "Ann")
    assert wins(store)["Ann"][0] == 2
    take_back_rename(store, "Ann")
    assert unknown in people_of(store)


def test_ratings_follow_a_rename_at_once(store: Store) -> None:
    store_matches(store, [match_of(1, Player("Ann"), Player("Bob"))])
    ratings = Ratings(store)
    assert {*ratings.ladder().standings} == {"Ann", "Bob"}
    rename_player(store, "Ann", "Cleo")
    assert {*ratings.ladder().standings} == {"Cleo", "Bob"}


def test_a_rename_is_told_as_it_was_made(store: Store) -> None:
    store_matches(store, [match_of(1, Player("Ann"), Player("Bob", id="b"))])
    plan = rename_player(store, "Bob", "Robert")
    assert msgspec.to_builtins(plan) == {
        "person": "id:b", "same_as": "id:b", "name": "Robert", "old": "Bob", "new": "", "games": 1, "games_of_new": 0,
    }  # fmt: skip
    (made,) = list_renames(store)
    assert (made.person, made.now, made.name) == ("id:b", "Robert", "Robert")
    assert made.made_at.utcoffset() == timedelta(0)


def test_who_was_renamed_is_told_by_the_name_that_records_write(store: Store) -> None:
    store_matches(
        store,
        [
            match_of(1, Player("Sam"), Player("Bob", id="b")),
            match_of(2, Player("Ann"), Player("Ann")),
            match_of(3, Player("Zoe", id="x" * 100), Player("Bob")),
        ],
    )
    seat = next(each for each in people_of(store) if each.startswith("Ann"))
    while old := sorted(label for label in people_of(store) if not label.startswith("New")):
        rename_player(store, old[0], f"New {len(old)}")
    told = {made.old: made for made in list_renames(store)}
    assert {read_name(old).partition(" ")[0] for old in told} == {"Sam", "Bob", "Ann", "Zoe"}
    assert seat in told
    assert len(told) == 6
    assert not any(made.person in old for old, made in told.items())
