"""Places with several readings: each is found where it stands, and a chosen reading changes nothing else."""

from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from records.format import codec
from records.format.notation_writer import write_notation
from records.format.open_readings import NoSuchReading, choose_reading, find_open_places
from records.selfplay import play_game

HEAD = '[bezique 1.0]\n[rules bezique]\n[player a "North"]\n[player b "South"]\n'
OPEN_LINES = [
    "[date 5/3/2026]",
    "[meta started 5.3.2026]",
    "[date 5-3-2026 19:30]",
    "[date\u200b 5/\u200b3/2026]",
]


def test_the_line_is_told_in_three_parts():
    (place,) = find_open_places(f"{HEAD}[date 5/3/2026]\r\n")
    assert place == (5, 7, "[date ", "5/3/2026", "]", ("2026-03-05", "2026-05-03"))


@pytest.mark.parametrize("line", OPEN_LINES)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["", "\r\n"])
def test_every_reading_can_be_chosen(line: str, mark: str, end: str):
    text = f"{mark}{HEAD}{line}{end}"
    (place,) = find_open_places(text)
    assert place.before + place.written + place.after == line
    for reading in place.readings:
        chosen = choose_reading(text, place.line, place.column, reading)
        assert chosen == f"{mark}{HEAD}{place.before}{reading}{place.after}{end}"
        assert codec.decode(chosen.encode()).record is not None


def test_what_is_not_open_cannot_be_chosen():
    for text, column, reading in [
        (f"{HEAD}[date 5/3/2026]", 7, "2026-03-06"),
        (f"{HEAD}[date 5/3/2026]", 8, "2026-03-05"),
        (f"{HEAD}[date 2026-03-05]", 7, "2026-03-05"),
        ("{}", 7, "2026-03-05"),
    ]:
        with pytest.raises(NoSuchReading):
            choose_reading(text, 5, column, reading)


GAME = write_notation(play_game("bezique", seed=3, deals=1))


@settings(max_examples=25)
@given(st.data())
def test_choosing_ends_with_nothing_open(data: st.DataObject):
    """Whatever is chosen, each choice leaves one open place fewer, and all other lines as they were."""
    lines = GAME.split("\n")
    dix = " a: dix 8s"
    where = data.draw(st.lists(st.integers(4, len(lines) - 1), max_size=3, unique=True))
    for at in sorted(where, reverse=True):
        lines[at : at + 1] = [lines[at] + dix] if lines[at].startswith("a:") else [lines[at]]
    lines.insert(2, data.draw(st.sampled_from(OPEN_LINES)))
    text = "\n".join(lines)
    for _ in count():
        places = find_open_places(text)
        if not places:
            break
        place = data.draw(st.sampled_from(places))
        reading = data.draw(st.sampled_from(place.readings))
        chosen = choose_reading(text, place.line, place.column, reading)
        before, after = text.split("\n"), chosen.split("\n")
        assert before[: place.line - 1] == after[: place.line - 1]
        assert before[place.line :] == after[place.line :]
        assert len(find_open_places(chosen)) == len(places) - 1
        text = chosen
