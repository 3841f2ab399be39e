"""JSON Pointers: names written and read again, and the offsets of values in a text."""

import json

from hypothesis import given
from hypothesis import strategies as st

from records.pointers import pointer_names, pointer_step, value_offsets


@given(st.lists(st.text(alphabet="ab~/01 é")))
def test_names_in_a_pointer_are_read_as_they_were_written(names: list[str]) -> None:
    pointer = "".join(f"/{pointer_step(name)}" for name in names)
    assert pointer_names(pointer) == names


def test_signs_are_written_as_the_standard_has_them() -> None:
    assert pointer_step("a/b~1") == "a~1b~01"
    assert pointer_names("/~01/~10") == ["~1", "/0"]


@given(st.recursive(st.integers(0, 9), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
    st.text(alphabet='a"~/\\é', max_size=3), inner, max_size=3), max_leaves=12))  # fmt: skip
def test_every_value_is_found_where_it_begins(value: object) -> None:
    text = json.dumps(value, indent=1)
    places = {pointer: (at, found) for pointer, at, found in _walk(value, "")}
    offsets = value_offsets(text, places)
    assert offsets.keys() == places.keys()
    for pointer, (_, found) in places.items():
        read, _ = json.JSONDecoder().raw_decode(text, offsets[pointer])
        assert read == found


def _walk(value: object, at: str) -> list[tuple[str, str, object]]:
    parts = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [
        (at, at, value),
        *(each for name, part in parts for each in _walk(part, f"{at}/{pointer_step(str(name))}")),
    ]
