from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from records.format import codec
from records.rules import registry
from records.selfplay import play_game
from webui.cli.main import main

Run = Callable[..., Result]


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs a command line and returns its result; no exception but an exit passes."""

    def run_it(
        *words: object, stdin: bytes | None = None, env: dict[str, str] | None = None
    ) -> Result:
        result = CliRunner().invoke(main, [str(word) for word in words], input=stdin, env=env)
        assert isinstance(result.exception, SystemExit | None), result.exception
        return result

    return run_it


@pytest.fixture
def forget() -> Callable[[], None]:
    """Lets this process forget the rulebooks of one's own that it was told, as another process has never known them."""
    return lambda: registry.know_sheets(())


@pytest.fixture(scope="session")
def legal() -> bytes:
    return codec.encode(play_game("zique", seed=1))


@pytest.fixture(scope="session")
def illegal(legal: bytes) -> bytes:
    """A third nine of clubs is drawn, at event 31 of the first deal."""
    return legal.replace(b'"card":"8C"', b'"card":"9C"', 3)


@pytest.fixture(scope="session")
def three_lines(legal: bytes, illegal: bytes) -> bytes:
    """A legal, an illegal and an unreadable record."""
    return legal + b"\n" + illegal + b"\n{bad\n"


@pytest.fixture
def three(tmp_path: Path, three_lines: bytes) -> Path:
    """A file of them."""
    path = tmp_path / "three.jsonl"
    path.write_bytes(three_lines)
    return path


@pytest.fixture
def game(tmp_path: Path, legal: bytes) -> Path:
    path = tmp_path / "game.json"
    path.write_bytes(legal)
    return path
