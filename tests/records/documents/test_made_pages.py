"""The documents that follow from the program are fresh, and what they show can be typed."""

import re
import shlex
from pathlib import Path

import click
import pytest

import bezique
from records.rules import registry
from tests.records.documents import architecture_picture, command_page, library_page
from tests.records.documents.make import MADE_FILES, SITE_FOLDER
from webui.cli.main import main


@pytest.mark.parametrize("name", MADE_FILES)
def test_a_made_file_is_fresh(name: str) -> None:
    assert (SITE_FOLDER / name).read_text(encoding="utf-8") == MADE_FILES[name](), (
        "write it with: python -m tests.records.documents.make"
    )


def test_the_picture_of_the_architecture_shows_every_folder() -> None:
    for package in ("records", "analyzer", "webui"):
        chapters = {path.parent.name for path in (SITE_FOLDER.parent / package).glob("*/*.py")}
        assert set(architecture_picture.FOLDERS[package]) == chapters, package


def test_the_page_of_the_commands_has_every_option() -> None:
    text = command_page.text()
    with click.Context(main, info_name="bezique") as context:
        for path, command, _ in command_page.commands(context):
            section = text.partition(f" {path}\n")[2].partition("\n#")[0]
            assert section, path
            for option in command.params:
                if isinstance(option, click.Option):
                    assert all(f"`{name}" in section for name in option.opts), (path, option.name)


def test_every_example_of_a_help_text_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "serve.toml").write_text("port = 8080\n")  # an option reads it at once
    (tmp_path / "ours.toml").write_text('base = "zique"\nid = "ours"\nname = "Ours"\n')
    monkeypatch.setattr(registry, "_OWN_SHEETS", {})
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```console\n(.*?)^```", command_page.text(), re.M | re.S)
    examples = [line for block in blocks for line in block.splitlines()]
    assert len(examples) > 60
    for line in examples:
        for part in re.split(r" \| | && |   ", line):
            words = shlex.split(re.split(" [<>] ", part)[0])
            if words[:1] == ["bezique"]:
                parse(words[1:])


def parse(words: list[str]) -> None:
    """Read the words of a command as it would, and do nothing; fails for what it does not know."""
    command: click.Command = main
    parent = None
    while True:
        context = command.make_context(command.name, list(words), parent=parent)
        if not isinstance(command, click.Group) or not context._protected_args:
            return
        name, found, words = command.resolve_command(
            context, [*context._protected_args, *context.args]
        )
        assert found is not None, name
        command, parent = found, context


def test_the_page_of_the_library_has_every_public_name_once() -> None:
    names = [name for chapter in library_page.CHAPTERS.values() for name in chapter]
    assert sorted([*names, "__version__"]) == sorted(bezique.__all__)
    text = library_page.text()
    assert all(f"\n### {name}\n\n" in text for name in names)
    assert "\n\n\n" not in text  # nothing has no words
