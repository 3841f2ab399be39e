"""A long test of a process that is killed: `python -m tests.soak --kills 200`.

A process uploads, imports, deletes, reviews and backs up, and says of each when it is done; another upgrades an
old database. Each is killed at a random moment, and everything that it said must be so.
"""

import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path

from analyzer.ingest.loader import ingest_bytes
from analyzer.review.stored import load_review
from analyzer.store.games import backup_store
from analyzer.store.schema import OLD_DATABASE_NAME
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.upgrade import upgrade_folder
from records.format import codec
from records.selfplay import play_game
from webui import create_app
from webui.server.imports_queue import UPLOADS_FOLDER, missing_uploads

WORK = "import sys; from tests.soak.kills import work; work(sys.argv[1], int(sys.argv[2]))"
UPGRADE = "import sys; from pathlib import Path; from analyzer.upkeep import upgrade; upgrade.RECORDS_PER_BATCH = 4; print('go', flush=True); upgrade.upgrade_folder(Path(sys.argv[1]))"
MOST_LINES, MOST_SECONDS_AFTER_LINE = 12, 0.3
"""A process is killed some moment after it has said a few lines."""
UPGRADE_SECONDS = 0.5
GAMES_IN_UPLOAD = 12


@dataclass(slots=True)
class Acknowledged:
    """What processes said that they had done, by digest, import and folder."""

    stored: set[str] = field(default_factory=set)
    begun: set[str] = field(default_factory=set)
    """Games whose deletion had begun: they may be there or not."""
    deleted: set[str] = field(default_factory=set)
    reviewed: set[str] = field(default_factory=set)
    uploads: dict[str, set[str]] = field(default_factory=dict)
    backups: set[str] = field(default_factory=set)

    def take(self, line: str) -> None:
        """Note one line of a process."""
        word, name, *more = line.split()
        match word:
            case "stored":
                self.stored.add(name)
            case "deleting":
                self.begun.add(name)
            case "deleted":
                self.deleted.add(name)
            case "reviewed":
                self.reviewed.add(name)
            case "uploaded":
                self.uploads[name] = set(more)
            case "copied":
                self.backups.add(name)


def work(data: str, seed: int) -> None:
    """Do one thing after the other in a data folder for ever, and say what is done."""
    app = create_app(
        data=Path(data),
        ratelimit_enabled=False,
        wtf_csrf_enabled=False,
        import_processes=0,
        large_upload=30_000,
    )
    client, chance = app.test_client(), random.Random(seed)
    games = (codec.encode(play_game("zique", seed=number)) for number in count(seed * 1000))
    mine: list[str] = []
    print("begun now", flush=True)
    for number in count():
        kind = chance.choice(["store", "store", "upload", "delete", "review", "copy"])
        if kind == "store" or not mine:
            game = next(games)
            assert _send(client, game) == 303
            mine.append(str(codec.decode(game).digest()))
            _say("stored", mine[-1])
        elif kind == "upload":
            before = {job.id for job in app.extensions["imports"].jobs()}
            several = [next(games) for _ in range(GAMES_IN_UPLOAD)]
            assert _send(client, b"\n".join(several)) == 303
            (job,) = {job.id for job in app.extensions["imports"].jobs()} - before
            _say("uploaded", job, *(str(codec.decode(game).digest()) for game in several))
        elif kind == "delete":
            digest = mine.pop(chance.randrange(len(mine)))
            _say("deleting", digest)
            assert client.post(f"/games/{digest}/delete").status_code == 303
            _say("deleted", digest)
        elif kind == "review":
            digest = chance.choice(mine)
            assert client.get(f"/games/{digest}/review.json").status_code == 200
            _say("reviewed", digest)
        else:
            folder = Path(data).parent / f"copy-{seed}-{number}"
            backup_store(app.extensions["store"], folder)
            _say("copied", folder.name)


def _send(client: object, data: bytes) -> int:
    files = {"files": (io.BytesIO(data), "games.jsonl")}
    return client.post("/", data=files).status_code  # type: ignore[attr-defined,no-any-return]


def _say(*words: str) -> None:
    print(*words, flush=True)


def kill_once(data: Path, said: Acknowledged, seed: int, chance: random.Random) -> None:
    """Let a process work on a data folder, kill it, and see whether everything that it said is so."""
    command = [sys.executable, "-c", WORK, str(data), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for line in islice(process.stdout, 1 + chance.randrange(MOST_LINES)):
            said.take(line)
        time.sleep(chance.uniform(0, MOST_SECONDS_AFTER_LINE))
        os.kill(process.pid, signal.SIGKILL)
        for line in process.stdout:
            if line.endswith("\n"):
                said.take(line)
    verify(data, said)


def verify(data: Path, said: Acknowledged) -> None:
    """Compare a data folder with what was said of it."""
    report = check_folder(data, lambda *_: None)
    assert not report.is_wrong, report.problems
    assert missing_uploads(data / UPLOADS_FOLDER) == []
    with Store(data) as store:
        found = {digest for (digest,) in store.rows("SELECT digest FROM records").rows}
        assert not found & said.deleted
        assert said.stored - said.begun <= found
        for digest in said.reviewed - said.begun:
            assert load_review(store, digest) is not None
    for key, digests in said.uploads.items():
        assert (data / UPLOADS_FOLDER / key / "import.json").exists()
        waiting = [
            path for path in (data / UPLOADS_FOLDER / key).iterdir() if path.name[0].isdigit()
        ]
        assert waiting or digests <= found
    for name in said.backups:
        assert (data.parent / name / DATABASE_FILE_NAME).exists()
    for path in data.parent.glob(f"copy-*/{DATABASE_FILE_NAME}"):
        assert not check_folder(path.parent, lambda *_: None).is_wrong


def old_database(folder: Path) -> int:
    """A database with some games that says that an older program judged them; how many."""
    with Store(folder) as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(codec.encode(play_game("zique", seed=seed)) for seed in range(20)))  # fmt: skip
        with store.writing() as cursor:
            cursor.execute("UPDATE schema_version SET judgement = judgement - 1")
    return 20


def kill_upgrade_once(old: Path, games: int, chance: random.Random) -> None:
    """Kill the upgrade of an old database; what is there then goes on, and both databases have every game."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / DATABASE_FILE_NAME).write_bytes(old.read_bytes())
        command = [sys.executable, "-c", UPGRADE, name]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdout
            process.stdout.readline()
            time.sleep(chance.uniform(0, UPGRADE_SECONDS))
            process.kill()
        upgrade_folder(folder)
        with Store(folder) as store:
            assert store.counts().games == games
        (kept,) = folder.glob(f"{OLD_DATABASE_NAME}*.duckdb")
        assert kept.read_bytes() == old.read_bytes()
        assert not check_folder(folder, lambda *_: None).is_wrong


def kill_many(times: int, seed: int) -> Iterator[Acknowledged]:
    """Kill a process so many times, each fourth of them at an upgrade; yields what was said so far."""
    chance, said = random.Random(seed), Acknowledged()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games = old_database(folder / "old")
        for number in range(times):
            if number % 4 == 3:
                kill_upgrade_once(folder / "old" / DATABASE_FILE_NAME, games, chance)
            else:
                kill_once(folder / "data", said, seed * 1000 + number, chance)
            yield said


def main(times: int = 200, seed: int = 1) -> int:
    """Kill, and say how far it is."""
    for number, said in enumerate(kill_many(times, seed), start=1):
        print(
            f"\rkilled {number} of {times} times: {len(said.stored)} games stored, {len(said.uploads)} uploads, "
            f"{len(said.deleted)} deleted, {len(said.reviewed)} reviewed, {len(said.backups)} copies ",
            end="",
            flush=True,
        )
    print("\nEverything acknowledged was there after every one.")
    return 0
