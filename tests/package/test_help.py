"""What `help` and `print` say of the package to somebody who has nothing else."""

import inspect
import pydoc
import textwrap
from pathlib import Path

import pytest

import bezique

LONGEST_HELP = 250_000
"""In characters, of all names. Two thirds are what every struct and error has from Python and msgspec."""
LONGEST_LINE = 2_000
"""In characters: the signature of a struct with many members."""


def help_of(thing: object) -> str:
    """What `help` writes of it, without bold letters."""
    return pydoc.plain(pydoc.render_doc(thing))


def test_the_help_of_everything_spells_out_no_card_and_no_meld() -> None:
    told = help_of(bezique)
    assert len(told) < LONGEST_HELP
    assert max(map(len, told.splitlines())) < LONGEST_LINE
    assert not [word for word in ("'QS.2'", "'four_kings'") if word in told]


@pytest.mark.parametrize("name", [name for name in vars(bezique.Game) if name[0] != "_"])
def test_the_help_of_a_method_fits_on_a_screen(name: str) -> None:
    told = help_of(getattr(bezique.Game, name)).splitlines()
    assert len(told) < 30
    assert max(map(len, told)) < 200


def test_the_help_begins_with_an_example_that_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paragraphs = inspect.getdoc(bezique).split("\n\n")  # type: ignore[union-attr]
    example = textwrap.dedent("\n".join(each for each in paragraphs if each.startswith("    ")))
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    assert capsys.readouterr().out.startswith("legal [")
