"""Records in and out of a program: whatever a struct holds is judged and nothing is raised."""

import math
from decimal import Decimal
from pathlib import Path
from random import Random

import msgspec
import pytest

import bezique
from bezique import (
    Deal,
    Draw,
    Finding,
    Meld,
    Play,
    Player,
    Record,
    Rules,
    UnreadableRecord,
    annotate,
    check,
    check_file,
    encode,
    parse,
    read,
    replay,
    write,
)
from records.selfplay import play_game
from records.validate.codes import FINDING_CODES

SAMPLES = Path(__file__).parents[2] / "samples"
STRANGE = (
    "9Z", "10H", "ah", "", "KS.9", "\ud800", "??", -1, 5, 2**63, 10**5000, 1.5, math.nan, math.inf, True, None,
    b"KS", Decimal("1.5"), {1: 2}, {"a": {}}, [], [[]], ["KS", 7], {"KS"}, object(), 1j, msgspec.UNSET, Play,
    Play(seat=0, card="KS"), Rules(id="nothing"), [Meld(seat=9, meld="marrige", cards="KS")],
)  # fmt: skip


def structs_of(value: object) -> list[msgspec.Struct]:
    """A struct and every struct in it."""
    found: list[msgspec.Struct] = []
    if isinstance(value, msgspec.Struct):
        found.append(value)
        for name in value.__struct_fields__:
            found += structs_of(getattr(value, name))
    elif isinstance(value, list):
        found += [each for item in value for each in structs_of(item)]
    return found


@pytest.mark.parametrize("sheet", ["zique", "zetema"])
def test_check_never_raises_whatever_a_struct_holds(sheet: str) -> None:
    written, random = msgspec.json.encode(play_game(sheet, seed=1, deals=1)), Random(sheet)
    unreadable = 0
    for _ in range(60):
        record = parse(written)
        del record.deals[0].events[30:]
        for _ in range(random.choice([1, 1, 3])):
            struct = random.choice(structs_of(record))
            name = random.choice(struct.__struct_fields__)
            value = getattr(struct, name)
            strange = random.choice(STRANGE)
            if isinstance(value, list) and value and random.random() < 0.5:
                value[random.randrange(len(value))] = strange
            else:
                setattr(struct, name, strange)
        report = check(record)
        assert isinstance(report.findings, list)
        unreadable += report.verdict == "unreadable"
    assert unreadable > 30


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Play(seat=0, card="9Z"), "bad-card"),
        (Play(seat=5, card="KS"), "out-of-range"),
        (Meld(seat=0, meld="marrige", cards=["KS"]), "unknown-meld"),
        (Draw(seat=0, card=7), "wrong-type"),
    ],
)
def test_wrong_cards_seats_and_melds_of_a_struct_are_findings(event: object, code: str) -> None:
    deal = Deal(dealer=0, hands=[["??"] * 9] * 2, events=[event])
    record = Record(
        format="bezique-record", version="1.0", rules=Rules(id="zique"),
        players=[Player(name="Ann"), Player(name="Bob")], deals=[deal],
    )  # fmt: skip
    finding: Finding = check(record).findings[0]
    assert finding.code in FINDING_CODES
    assert (finding.code, finding.at.event) == (code, 0)


def test_what_holds_itself_or_goes_too_deep_is_a_finding() -> None:
    record = parse((SAMPLES / "good/zique.json").read_bytes())
    endless: list[object] = []
    endless.append(endless)
    deep: object = {}
    for _ in range(5_000):
        deep = {"deeper": deep}
    for value in (endless, deep, record):
        record.meta = {"x": value}
        assert check(record).verdict in ("unreadable", "legal")
    record.players = endless
    assert check(record).verdict == "unreadable"
    del record.players
    assert check(record).verdict == "unreadable"
    for value in (7, None, object(), [], "hello", "\ud800", b"\xff", {"format": 1}):
        assert check(value).verdict == "unreadable"


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("good/z*.json")), ids=lambda path: path.stem)
def test_a_struct_is_judged_as_its_text_is(path: Path) -> None:
    told, made = check(path.read_bytes()), check(parse(path.read_bytes()))
    assert (made.verdict, made.digest, made.findings) == (told.verdict, told.digest, told.findings)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    records = [play_game("zique", seed=seed, deals=1) for seed in range(3)]
    for name in ("games.jsonl", "games.jsonl.gz", "games.jsonl.zst"):
        assert write(records, tmp_path / name) == 3
        assert list(read(tmp_path / name)) == records
    assert (tmp_path / "games.jsonl.gz").read_bytes()[:2] == b"\x1f\x8b"
    assert write(records[0], tmp_path / "game.json") == 1
    with pytest.raises(ValueError, match=r"Use \.jsonl"):
        write(records, tmp_path / "two.json")
    assert not (tmp_path / "two.json").exists()


def test_what_is_no_record_is_neither_read_nor_written(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(encode(play_game("zique", seed=1, deals=1)) + b"\n{bad\n")
    with pytest.raises(UnreadableRecord, match=r"games\.jsonl:2: ") as found:
        list(read(path))
    assert found.value.report.verdict == "unreadable"
    record = play_game("zique", seed=1, deals=1)
    record.deals[0].dealer = "Ann"
    with pytest.raises(UnreadableRecord, match="dealer"):
        write(record, tmp_path / "new.jsonl")
    assert not (tmp_path / "new.jsonl").exists()
    with pytest.raises(UnreadableRecord):
        next(replay(record))
    record.deals[0].dealer = 0
    record.rules.id = "nothing"
    for refuse in (annotate, lambda wrong: next(replay(wrong))):
        with pytest.raises(UnreadableRecord, match="no rule sheet"):
            refuse(record)
    with pytest.raises(FileNotFoundError):
        list(check_file(tmp_path / "nowhere.json"))
    assert [report.verdict for report in check_file(path)][1] == "unreadable"


def test_every_step_of_a_replay_has_words_and_a_table() -> None:
    record = parse((SAMPLES / "good/zique.json").read_bytes())
    steps = list(replay(record))
    assert [step.number for step in steps if step.deal == 0][:3] == [0, 1, 2]
    assert steps[0].event is None
    assert all(step.words.endswith(".") for step in steps if step.event is not None)
    assert sum(points for step in steps for _, _, points in step.scored) > 0
    assert steps[-1].position.step == "over"


def test_the_promise_is_complete_and_can_be_imported() -> None:
    assert sorted(bezique.__all__) == bezique.__all__
    assert dir(bezique) == bezique.__all__
    assert all(getattr(bezique, name) is not None for name in bezique.__all__)
    assert bezique.__version__
    with pytest.raises(AttributeError, match="no attribute 'Gmae'"):
        bezique.Gmae  # noqa: B018
