"""The rulebooks that come as examples: each is checked, played, judged, reviewed, told, hidden, typed, counted and asked of others."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from analyzer.store.store import Store
from records.conformance.answers import OWN_ANSWERS
from records.conformance.cases import read_kit
from records.rules.registry import know_sheets
from tests.webui.test_own_rulebooks_kept import JSON
from webui.cli.main import main

FILES = sorted((Path(__file__).parents[2] / "samples" / "rulebooks").glob("*.toml"))
PAGES_OF_GAME = (
    "",
    "/review",
    "/notes",
    "/deals/1?step=9",
    "/deals/1?step=9&see=0",
    "/deals/1/what-if",
    "/deals/1.svg",
    "/story",
)
PAGES_OF_RULEBOOK = ("/rules/{}", "/rules/{}/form", "/statistics/sheets/{}", "/statistics?sheet={}", "/games?sheet={}",
                     "/rules/compare?against={}", "/explore?metric=points&by=role&limit=sheet&to={}")  # fmt: skip

each_example = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def test_the_examples_are_five_and_say_where_they_are_from() -> None:
    assert [file.stem for file in FILES] == [
        "bezique-four-partners", "bezique-four-tens", "bezique-three-hands", "eight-pack-bezique",
        "marjolet-house-points",
    ]  # fmt: skip
    assert all(file.read_text().startswith("# ") for file in FILES)


def command(*words: object, stdin: str | None = None) -> Result:
    """What a command line came to, by a process that knows nothing of the commands before."""
    know_sheets([])
    return CliRunner().invoke(main, [str(word) for word in words], input=stdin)


@pytest.fixture
def game(file: Path, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "game.json"
    path.write_text(command("play", "--rules", file).output.splitlines()[0])
    yield path
    know_sheets([])


@pytest.mark.slow
@each_example
def test_every_command_goes_by_it(file: Path, game: Path, tmp_path: Path) -> None:
    assert "has no mistakes" in command("rules", "check", file).output
    told = command("rules", file).output
    assert "ours" in told
    assert "1 legal" in command("validate", game).output
    typed, seen, kit = tmp_path / "game.bezique", tmp_path / "seen.json", tmp_path / "kit"
    command("convert", game, "--out", typed)
    assert json.loads(command("convert", typed, "--to", "json").output) == json.loads(
        game.read_text()
    )
    seen.write_text(command("redact", game, "--seat", "0").output)
    assert "illegal" not in command("validate", seen).output
    rules_id = json.loads(game.read_text())["rules"]["id"]
    assert f"({rules_id})" in command("identify", game).output
    review = command("review", game, "--deal", "1", "--no-brink")
    assert review.exit_code == 0, review.output
    assert command("picture", game, "--out", tmp_path / "game.svg").exit_code == 0
    assert command("conform", "write", kit, "--rules", file, "--games", "1").exit_code == 0
    own = [case for case in read_kit(kit) if case.sheet == rules_id]
    assert all(OWN_ANSWERS[case.ask](case.given) == case.expect for case in own)
    assert {"games", "replay", "perft", "partial"} <= {case.area for case in own}


@pytest.mark.slow
@each_example
def test_every_page_goes_by_it(file: Path, game: Path, fresh_client, store: Store) -> None:
    kept = fresh_client.post(
        "/api/v1/rulebooks", json={"text": file.read_text(), "toml": True}
    ).json
    sent = fresh_client.post("/api/v1/games", data=game.read_bytes(), content_type=JSON).json
    digest = sent["records"][0]["digest"]
    addresses = [f"/games/{digest}{rest}" for rest in PAGES_OF_GAME]
    addresses += [rest.format(kept["key"]) for rest in PAGES_OF_RULEBOOK]
    for address in addresses:
        assert fresh_client.get(address).status_code < 400, address
    assert store.rows("SELECT DISTINCT sheet FROM games").rows == [(kept["key"],)]
    frames = f"/api/v1/games/{digest}/deals/1"
    assert fresh_client.get(f"{frames}/frames").status_code == 200
    position = fresh_client.get(f"{frames}/position?step=0").json
    assert position
    plain = fresh_client.get(f"/rules/{kept['key']}").text
    assert kept["name"] in plain
