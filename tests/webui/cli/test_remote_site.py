"""`bezique --server ADDRESS`: commands do with a running site what they do with a data folder."""

import gzip
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random

import pytest
from flask import Flask

from records.format import codec
from records.format.files import read_entries
from records.selfplay import play_game
from records.validate import finding
from tests.machine.serving import served
from tests.make.own_rulebooks import own_game
from tests.make.rewritings import rewritten
from tests.webui.public_site import public_site
from webui.application import close_app
from webui.cli.remote import TOKEN_VARIABLE
from webui.server import logins
from webui.server.serving import serve_application


@pytest.fixture(scope="module")
def games() -> bytes:
    return b"".join(codec.encode(play_game("zique", seed=seed)) + b"\n" for seed in range(4))


@pytest.fixture(scope="module")
def site(tmp_path_factory, games) -> Iterator[str]:
    """The address of a site with these games; for reading only."""
    with served(tmp_path_factory.mktemp("site"), {"games.jsonl": games}) as (address, _):
        yield address


@pytest.fixture
def empty(tmp_path) -> Iterator[tuple[str, Flask]]:
    with served(tmp_path / "site", {}) as (address, app):
        app.config["LARGE_UPLOAD"] = 100_000
        yield address, app


@pytest.mark.long
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_a_site_judges_is_told_as_if_it_had_been_judged_here(
    run, site, tmp_path, three_lines, form
):
    (tmp_path / "three.jsonl").write_bytes(three_lines)
    (tmp_path / "broken.json").write_bytes(b'{\n "format": "bezique-record",\n oops\n}\n')
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(three_lines)[:-200])
    one = three_lines.splitlines()[1]
    (tmp_path / "pretty.json").write_text(json.dumps(json.loads(one), indent=1))
    (tmp_path / "unknown.json").write_bytes(one[:-1] + b',"surprise":1}')
    for more in ([], ["--lenient"]):
        here = run("validate", tmp_path, "--format", form, *more)
        there = run("--server", site, "validate", tmp_path, "--format", form, *more)
        assert there.output == here.output
        assert there.exit_code == here.exit_code == 2


@pytest.mark.long
@pytest.mark.parametrize("examined", [1, 2, 3])
def test_what_a_request_does_not_examine_is_sent_in_another(
    run, site, tmp_path, games, monkeypatch, examined
):
    (tmp_path / "games.jsonl").write_bytes(games)
    here = run("validate", tmp_path / "games.jsonl")
    let_a_request_examine(monkeypatch, examined * longest_of(games))
    there = run("--server", site, "validate", tmp_path / "games.jsonl")
    assert (there.output, there.exit_code) == (here.output, here.exit_code)


@pytest.mark.long
def test_a_record_that_no_request_examines_ends_the_command(
    run, site, tmp_path, games, monkeypatch
):
    (tmp_path / "games.jsonl").write_bytes(games)
    let_a_request_examine(monkeypatch, longest_of(games) - 1)
    done = run("--server", site, "validate", tmp_path / "games.jsonl")
    assert done.exit_code == 2
    assert "examines no record as costly as the next one" in done.output


def let_a_request_examine(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Let a request examine so many bytes of records, and no more."""
    monkeypatch.setattr(finding, "REQUEST_STEPS", 0)
    monkeypatch.setattr(finding, "MOST_BYTES_EXAMINED", size)


def longest_of(games: bytes) -> int:
    return max(map(len, games.splitlines()))


@pytest.mark.slow
def test_files_are_sent_and_stored(run, empty, tmp_path, games, three_lines):
    address, app = empty
    (tmp_path / "games.jsonl").write_bytes(games)
    (tmp_path / "three.jsonl.gz").write_bytes(gzip.compress(three_lines))
    sent = run("--server", address, "ingest", tmp_path / "games.jsonl", tmp_path / "three.jsonl.gz")
    assert sent.output.startswith("7 records: 5 stored, 1 already stored, 1 unreadable (")
    assert sent.exit_code == 2
    again = run("--server", address, "ingest", "-", stdin=games)
    assert again.output.startswith("4 records: 4 already stored (")
    assert again.exit_code == 0
    assert app.extensions["store"].counts().games == 5


@pytest.mark.slow
def test_what_is_large_is_stored_in_the_background(run, empty, tmp_path, games):
    address, app = empty
    app.config["LARGE_UPLOAD"] = 1000
    app.extensions["imports"].processes = 0
    (tmp_path / "games.jsonl").write_bytes(games)
    sent = run("--server", address, "ingest", tmp_path / "games.jsonl")
    assert sent.output.startswith("4 records: 4 stored (")
    assert app.extensions["store"].counts().games == 4


@pytest.mark.slow
@pytest.mark.parametrize("large", [100_000_000, 1000])
def test_what_became_of_records_is_told_as_if_they_had_been_stored_here(
    run, empty, tmp_path, three_lines, large
):
    address, app = empty
    app.config["LARGE_UPLOAD"] = large
    app.extensions["imports"].processes = 0
    record = play_game("zique", seed=4, deals=2)
    record.meta = {"started": "2026-03-31T19:00:00Z"}
    raw, random = json.loads(codec.encode(record)), Random(1)
    told = [json.dumps(rewritten(raw, random)).encode() for _ in range(4)]
    (tmp_path / "all.jsonl").write_bytes(b"\n".join([*told, told[0], three_lines]))
    here = run("ingest", tmp_path / "all.jsonl", "--data", tmp_path / "here")
    there = run("--server", address, "ingest", tmp_path / "all.jsonl")
    assert there.output == here.output
    assert "tell of a match that another record tells of" in here.output


@pytest.mark.slow
def test_a_site_answers_questions(run, site, tmp_path, games):
    run("ingest", "-", "--data", tmp_path, stdin=games)
    for words in (
        ["points_by_source", "--rules", "zique"],
        ["points", "--by", "sheet", "--only", "role=dealer", "--every"],
    ):
        here = run("stats", *words, "--format", "csv", "--data", tmp_path)
        there = run("--server", site, "stats", *words, "--format", "csv")
        assert there.output == here.output
        assert there.exit_code == 0
    assert "Based on" in run("--server", site, "stats", *words).output


@pytest.mark.long
def test_a_rulebook_that_a_site_keeps_is_named_by_its_id_and_called_by_its_name(run, tmp_path):
    """As in a folder: the key stands in the rows, and below them what it is called."""
    (tmp_path / "game.json").write_bytes(data := codec.encode(own_game("zique")))
    folder = tmp_path / "folder"
    run("ingest", tmp_path / "game.json", "--data", folder)
    with served(tmp_path / "site", {"game.json": data}) as (address, _):
        at_site = ("--server", address, "stats")
        for words in (
            ["deals_won", "--by", "sheet"],
            ["points_by_source", "--rules", "ours"],
            ["deals_won", "--by", "sheet", "--only", "sheet=ours"],
        ):
            here, there = run("stats", *words, "--data", folder), run(*at_site, *words)
            assert re.search(r"^ours~[0-9a-f]{12} is Ours\.$", here.output, re.MULTILINE)
            assert without_time(there.output) == without_time(here.output)
        plain = run(*at_site, *words, "--format", "csv").output
        assert " is " not in plain
        refused = run(*at_site, "deals_won", "--rules", "ourz")
        assert refused.exit_code == 2
        assert 'There is no rulebook "ourz"' in refused.stderr


def without_time(text: str) -> str:
    return re.sub(r"answered in \S+ ms", "", text)


def test_a_site_lists_what_it_can_be_asked(run, site):
    here, there = (
        [line.split()[0] for line in result.output.splitlines()]
        for result in (run("stats"), run("--server", site, "stats"))
    )
    assert there == here


def test_games_of_a_site_are_written_to_files(run, site, tmp_path, games):
    lines = sorted(games.splitlines())
    (tmp_path / "folder").mkdir()
    wanted = {"all.jsonl.zst": 4, "folder": 4}
    for target, number in wanted.items():
        done = run("--server", site, "export", tmp_path / target, "--rules", "zique")
        assert done.output == f"Wrote {number} records to {tmp_path / target}.\n"
    with (tmp_path / "all.jsonl.zst").open("rb") as stream:
        assert sorted(entry.data for entry in read_entries(stream)) == lines
    assert sorted(path.read_bytes() for path in (tmp_path / "folder").iterdir()) == lines
    digest = codec.digest(play_game("zique", seed=2))
    run("--server", site, "export", tmp_path / "one.json", "--digest", digest[:12])
    assert (tmp_path / "one.json").read_bytes() in lines
    none = run("--server", site, "export", tmp_path / "none.jsonl", "--player", "nobody")
    assert (none.exit_code, none.output) == (2, "Error: No stored games match.\n")
    assert not (tmp_path / "none.jsonl").exists()


@pytest.fixture
def club(tmp_path) -> Iterator[tuple[str, Path]]:
    """A public site that only reads for visitors: its address, and its folder."""
    app = public_site(
        tmp_path,
        site_hosts=["127.0.0.1"],
        plain_http=True,
        visitors_may=["read"],
        ratelimit_uploads="1 per second",
    )
    server = serve_application(app, "127.0.0.1", 0)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}", tmp_path
    server.close()
    thread.join()
    close_app(app)


@pytest.mark.slow
def test_the_token_is_sent_and_a_rate_is_waited_for(run, club, game, monkeypatch):
    address, folder = club
    refused = run("--server", address, "ingest", game)
    assert refused.exit_code == 2
    assert "status 403: This server takes no uploads from visitors." in refused.output
    monkeypatch.setenv(TOKEN_VARIABLE, logins.add_token(folder, "importer", "upload"))
    assert run("--server", address, "ingest", game, game, game).exit_code == 0


@pytest.mark.long
def test_the_token_goes_to_no_other_place(run, game, monkeypatch):
    class Elsewhere(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            asked.append(self.path)
            self.send_response(307)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

    asked: list[str] = []
    monkeypatch.setenv(TOKEN_VARIABLE, "secret")
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = run("--server", f"http://127.0.0.1:{server.server_port}/club/", "ingest", game)
        server.shutdown()
    assert asked == ["/club/api/v1/games"]
    assert (done.exit_code, "answers with status 307" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--server", "example.org", "stats"], "is an address such as"),
        (["--server", "http://127.0.0.1:1", "stats", "points_by_source"], "cannot be asked: Connection refused"),
        (["--server", "http://127.0.0.1:1", "stats"], "cannot be asked: Connection refused"),
        (["--server", "http://x", "show", "game.json"], "--server is for validate, ingest, stats, export"),
        (["--server", "http://x", "export", "x", "--parquet"], "--parquet needs the data folder"),
        (["--server", "http://x", "stats", "points", "--plot"], "--plot cannot be combined"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(run, words, said):
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.output, result.output
