"""The settings of `bezique serve`: one table, from which options, variables, the file and the listing come."""

import tomllib
from pathlib import Path

import click
import pytest

from tests.webui.cli.conftest import Run
from webui.cli.commands.serve import serve
from webui.cli.settings import Setting, settings_of

DONE_AT_ONCE = {"settings", "config", "example", "help"}
"""Options that say what to do, and not how to serve."""


def listed(run: Run, *words: object, **variables: str) -> str:
    result = run("serve", *words, "--settings", env=variables)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_every_option_is_a_setting() -> None:
    others = [each for each in serve.params if not isinstance(each, Setting)]
    assert {each.opts[0].removeprefix("--") for each in others} <= DONE_AT_ONCE


def test_every_setting_is_listed_with_its_names_and_meaning(run: Run) -> None:
    text = listed(run)
    for each in settings_of(serve):
        assert f"# --{each.key}, BEZIQUE_{each.key.upper().replace('-', '_')}" in text
        assert f"\n{each.key} = " in text or f"\n# {each.key} = " in text
        assert str(each.help)[:40] in text
    assert tomllib.loads(text)["port"] == 8000


def test_the_listing_is_a_settings_file(run: Run, tmp_path: Path) -> None:
    given = ["--port", 8123, "--site-host", "a.example.org", "--site-host", "b.example.org", "--public",
             "--behind-proxy", 2, "--prefix", "/club", "--read-only", "--access-log", "-", "--data", tmp_path]  # fmt: skip
    text = listed(run, *given)
    (tmp_path / "serve.toml").write_text(text)
    again = listed(run, "--config", tmp_path / "serve.toml")
    assert tomllib.loads(again) == tomllib.loads(text)
    assert tomllib.loads(text)["site-host"] == ["a.example.org", "b.example.org"]


def test_an_option_wins_over_the_environment_and_that_over_the_file(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "serve.toml"
    path.write_text('port = 1001\nhost = "localhost"\nsite-host = "club.example.org"\n')
    text = listed(run, "--port", 1003, BEZIQUE_CONFIG=str(path), BEZIQUE_PORT="1002",
                  BEZIQUE_PUBLIC="true", BEZIQUE_HOST="127.0.0.2")  # fmt: skip
    assert "--port, BEZIQUE_PORT, from the command line\nport = 1003" in text
    assert '--host, BEZIQUE_HOST, from the environment\nhost = "127.0.0.2"' in text
    assert "--public, BEZIQUE_PUBLIC, from the environment\npublic = true" in text
    assert "from the settings file\nsite-host = [" in text
    variables = {"BEZIQUE_SITE_HOST": "a.example.org b.example.org"}
    assert '["a.example.org","b.example.org"]' in listed(run, **variables)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("prot = 8000", "there is no setting 'prot'. Did you mean port?"),
        ("colour = 1", "`bezique serve --settings` lists all."),
        ("port = true", "port is one text or number."),
        ("public = 1", "public is true or false."),
        ('host = ["a"]', "host is one text or number."),
        ("port = 70000", "port: 70000 is not a whole number from 0 to 65535."),
        ('port = "x"', "port: 'x' is not a whole number from 0 to 65535."),
        ("port = ", "serve.toml: Invalid value"),
    ],
)
def test_a_wrong_line_is_told_with_its_file(
    run: Run, tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "serve.toml"
    path.write_text(text)
    result = run("serve", "--config", path)
    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert words in result.stderr


@pytest.mark.long
@pytest.mark.parametrize("prefix", ["/a b", "/a?b", "/../x", "/<script>", "/a//b", "/%2e"])
def test_a_prefix_that_is_no_path_is_refused(run: Run, tmp_path: Path, prefix: str) -> None:
    result = run("serve", "--data", tmp_path, "--port", 0, "--prefix", prefix)
    assert (result.exit_code, "--prefix is a path of letters" in result.stderr) == (2, True)


def test_the_help_says_where_settings_come_from() -> None:
    text = serve.get_help(click.Context(serve))
    assert "BEZIQUE_PORT=8080" in text
    assert "--config FILE" in text
