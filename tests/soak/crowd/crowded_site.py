"""A crowd on a real server behind the real nginx: `python -m tests.soak --crowd`.

200 readers turn pages, 50 uploaders send games, and 20 attackers, each with an address of its own, keep idle and slow
connections and do not read their answers. Every game of which the server said that it has it must be in the database
afterwards; no reader may be refused; 99 of 100 pages must come within 1.5 seconds, and uploads within 5.

With `--greedy` five more take what they get: slow SQL, roll-outs and reviews, and what-ifs, questions, exports and
validations without pause. Then nothing may be lost, and no reader refused.
"""

import asyncio
import random
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import Store
from records.format import codec
from tests.soak.crowd import attackers
from tests.soak.crowd.running import running_site
from tests.soak.crowd.visitors import Answer, Site, ask, get, request_bytes
from tests.soak.loading import mixed

GAMES_IN_A_FILE, REPETITIONS = 30, 3
"""A file that is imported in the background: games, and how often each is in it, so that it is large enough."""
LONGEST_P99_SECONDS, LONGEST_UPLOAD_SECONDS = 1.5, 5.0
QUESTIONS = ["hand_strength", "meld_timing", "last_trick", "score_race"]
_TOKEN = re.compile(rb'name="csrf_token" value="([^"]+)"')


class Size(NamedTuple):
    """How many come, and what they do."""

    readers: int = 200
    uploaders: int = 50
    games_per_uploader: int = 8
    large_uploaders: int = 3
    attackers: int = 20
    greedy: bool = False
    stored_games: int = 120
    thinking_seconds: float = 6.0
    """How long a reader looks at a page on average."""
    uploading_seconds: float = 12.0
    """How long an uploader waits between two games on average."""


@dataclass
class Crowd:
    """The visitors of one server until `end`, and what they were answered."""

    site: Site
    games: list[str]
    """The digests of the games that are stored from the start."""
    end: float
    size: Size
    answers: dict[str, list[Answer]] = field(default_factory=lambda: defaultdict(list))
    """The answers to readers and uploaders, by kind of page."""
    acknowledged: set[str] = field(default_factory=set)
    """The digests of the games of which the server said that it has them."""
    imports: set[str] = field(default_factory=set)
    """The public ids of imports that the server began."""
    chance: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def goes_on(self) -> bool:
        """Whether it is not over."""
        return time.monotonic() < self.end

    async def pause(self, seconds: float) -> None:
        """Think for a while, so long on average, but not beyond the end."""
        left = max(0.0, self.end - time.monotonic())
        await asyncio.sleep(min(self.chance.expovariate(1 / seconds), left))

    async def read(self, number: int) -> None:
        """Turn pages."""
        address = f"127.1.{number // 250}.{number % 250 + 1}"
        await self.pause(self.size.thinking_seconds)
        while self.goes_on:
            kind, path = self.choose_page()
            self.answers[kind].append(await get(self.site, address, path))
            await self.pause(self.size.thinking_seconds)

    def choose_page(self) -> tuple[str, str]:
        """A kind of page, and the address of one."""
        deal = f"/games/{self.chance.choice(self.games)}/deals/1"
        pages = {
            "first page": "/",
            "list of games": "/games",
            "game": f"/games/{self.chance.choice(self.games)}",
            "replay": f"{deal}?step={self.chance.randrange(30)}",
            "what if": f"{deal}/what-if?step={self.chance.randrange(20)}",
            "question": f"/statistics/{self.chance.choice(QUESTIONS)}",
            "players": "/players",
            "rules": "/rules/rubicon-bezique",
            "file": "/static/css/tokens.css",
        }
        return self.chance.choice(list(pages.items()))

    async def upload(self, number: int, games: list[bytes]) -> None:
        """Send games one after the other, each until the server has it."""
        address = f"127.2.0.{number + 1}"
        await self.pause(self.size.uploading_seconds)
        for data in games:
            while self.goes_on:
                answer = await post_form(self.site, address, "/", {"record": data.decode()})
                self.answers["upload"].append(answer)
                if answer.status in (200, 303):  # in place, or at the address of its verdict
                    record = codec.decode(data).record
                    assert record is not None
                    self.acknowledged.add(codec.digest(record))
                    break
                await self.pause(1)
            await self.pause(self.size.uploading_seconds)

    async def upload_file(self, number: int, lines: bytes) -> None:
        """Send a file that is imported in the background."""
        address = f"127.2.1.{number + 1}"
        while self.goes_on:
            answer = await post_file(self.site, address, lines)
            self.answers["upload of a file"].append(answer)
            if answer.status == 303:
                self.imports.add(public_id(answer.header("Location")))
                self.acknowledged.update(digests(lines))
                break
            await self.pause(1)

    def attacks(self) -> list[Awaitable[None]]:
        """What the attackers do."""
        found: list[Awaitable[None]] = []
        for number in range(self.size.attackers):
            address = f"127.3.0.{number + 1}"
            found += [
                attackers.stay_idle(self.site, address, 20),
                attackers.trickle_heads(self.site, address, 15),
                attackers.trickle_bodies(self.site, address, 10),
                attackers.read_nothing(self.site, address, 5, "/rules"),
            ]
        return found + (self.greedy_attacks() if self.size.greedy else [])

    def greedy_attacks(self) -> list[Awaitable[None]]:
        """What those do who ask for all that is slow."""
        site, chosen = self.site, self.games[:20]
        deals = [f"/games/{digest}/deals/1" for digest in chosen]
        what_ifs = [f"{deal}/what-if?step={step}" for deal in deals for step in range(20)]
        questions = [f"/statistics/{name}" for name in QUESTIONS] + ["/players", "/statistics"]
        reviews = [f"/games/{digest}/{page}" for digest in chosen for page in ("review", "doubts")]
        record = b" " * 60_000 + b"{}"
        validation = request_bytes(site, "/api/validate", method="POST", body=record)
        first, second, third, fourth, fifth = (f"127.3.1.{number}" for number in range(1, 6))
        return [
            attackers.read_nothing(site, first, 10),
            attackers.pipeline(site, second, 10),
            attackers.run_statements(site, third, 20),
            self.roll_out(fourth),
            attackers.walk(site, fourth, 4, reviews),
            attackers.walk(site, fifth, 8, what_ifs),
            attackers.walk(site, fifth, 8, questions),
            attackers.walk(site, fifth, 2, ["/games.jsonl.gz", "/games.jsonl"]),
            attackers.repeat(site, fifth, 4, validation),
        ]

    async def roll_out(self, address: str) -> None:
        """Ask for roll-outs of one game after the other."""
        while True:
            for digest in self.games:
                path = f"/games/{digest}/review/luck"
                await post_form(self.site, address, path, {"rollouts": "200"}, shown_at="/")
                await asyncio.sleep(0.2)

    async def finish_imports(self) -> None:
        """Wait until the imports are done."""
        for upload in self.imports:
            for _ in range(600):
                answer = await get(self.site, "127.2.2.1", f"/imports/{upload}.json")
                if b'"goes_on":false' in answer.body:
                    break
                await asyncio.sleep(0.5)


async def post_form(
    site: Site, address: str, path: str, fields: dict[str, str], *, shown_at: str = "/"
) -> Answer:
    """Send a form as a browser does; the time is that of the form alone."""
    page = await get(site, address, shown_at)
    body = urlencode({**fields, "csrf_token": form_token(page)}).encode()
    headers = "Content-Type: application/x-www-form-urlencoded\r\n"
    request = request_bytes(site, path, method="POST", body=body, headers=headers + cookie(page))
    return await ask(site, address, request)


async def post_file(site: Site, address: str, data: bytes) -> Answer:
    """Send a file to the drop zone."""
    page = await get(site, address, "/")
    parts = [
        b'Content-Disposition: form-data; name="csrf_token"\r\n\r\n' + form_token(page).encode(),
        b'Content-Disposition: form-data; name="files"; filename="games.jsonl"\r\n\r\n' + data,
    ]
    body = b"".join(b"--border\r\n" + part + b"\r\n" for part in parts) + b"--border--\r\n"
    headers = "Content-Type: multipart/form-data; boundary=border\r\n"
    request = request_bytes(site, "/", method="POST", body=body, headers=headers + cookie(page))
    return await ask(site, address, request)


def public_id(location: str) -> str:
    """The public id of an upload, from the address that its answer leads to."""
    return location.partition("/sent/")[2].partition("#")[0]


def form_token(page: Answer) -> str:
    """The token of the first form of a page."""
    found = _TOKEN.search(page.body)
    return found[1].decode() if found else ""


def cookie(page: Answer) -> str:
    """The header that sends the cookie of a page back."""
    return f"Cookie: {page.header('Set-Cookie').partition(';')[0]}\r\n"


def digests(lines: bytes) -> set[str]:
    """The digests of records, one on a line."""
    records = [codec.decode(line).record for line in lines.splitlines()]
    return {codec.digest(record) for record in records if record is not None}


async def run_crowd(crowd: Crowd, chunks: list[list[bytes]], files: list[bytes]) -> None:
    """Let everybody in until the end; attackers are there all the time."""
    attacking = [asyncio.ensure_future(attack) for attack in crowd.attacks()]
    await asyncio.gather(
        *(crowd.read(number) for number in range(crowd.size.readers)),
        *(crowd.upload(number, games) for number, games in enumerate(chunks)),
        *(crowd.upload_file(number, data) for number, data in enumerate(files)),
    )
    for attack in attacking:
        attack.cancel()
    await asyncio.gather(*attacking, return_exceptions=True)
    await crowd.finish_imports()


def figures(crowd: Crowd, seconds: float) -> list[str]:
    """What everybody was answered, a line for every kind of page."""
    lines = [
        f"{'':20}{'answers':>9}{'a second':>9}{'p50':>8}{'p99':>8}{'max':>8}   others than 200"
    ]
    for kind, answers in [*sorted(crowd.answers.items()), ("all pages", page_answers(crowd))]:
        times = sorted(1000 * answer.seconds for answer in answers)
        other = Counter(answer.status for answer in answers if answer.status not in (200, 303))
        lines.append(
            f"{kind:20}{len(times):9,}{len(times) / seconds:9.1f}{share_of(times, 0.5):8,.0f}"
            f"{share_of(times, 0.99):8,.0f}{times[-1]:8,.0f}   {dict(other) or ''}"
        )
    return lines


def page_answers(crowd: Crowd) -> list[Answer]:
    """The answers to readers."""
    kinds = [kind for kind in crowd.answers if not kind.startswith("upload")]
    return [answer for kind in kinds for answer in crowd.answers[kind]]


def share_of(times: list[float], share: float) -> float:
    """The time within which this share of the answers came."""
    return times[min(len(times) - 1, int(share * len(times)))]


def faults(crowd: Crowd, folder: Path) -> list[str]:
    """What is not as it must be; the server has ended."""
    with Store(folder) as store:
        stored = {digest for (digest,) in store.rows("SELECT digest FROM games").rows}
    found = []
    if lost := crowd.acknowledged - stored:
        found.append(f"{len(lost)} acknowledged games are lost: {', '.join(sorted(lost)[:5])}")
    if refused := [answer.status for answer in page_answers(crowd) if answer.status != 200]:
        found.append(f"{len(refused)} readers were refused: {dict(Counter(refused))}")
    p99 = share_of(sorted(answer.seconds for answer in page_answers(crowd)), 0.99)
    if p99 > LONGEST_P99_SECONDS:
        found.append(f"99 of 100 pages take {p99:.2f} seconds, more than {LONGEST_P99_SECONDS}")
    uploads = sorted(answer.seconds for answer in crowd.answers["upload"])
    if uploads and (slowest := share_of(uploads, 0.99)) > LONGEST_UPLOAD_SECONDS:
        found.append(f"99 of 100 uploads take {slowest:.2f} s, more than {LONGEST_UPLOAD_SECONDS}")
    if not crowd.acknowledged:
        found.append("no game was acknowledged")
    return found


def make_games(size: Size) -> tuple[list[list[bytes]], list[bytes]]:
    """The games of every uploader, and the files of those who send large ones; no two are the same."""
    number, first = size.uploaders * size.games_per_uploader, size.stored_games
    games = mixed(range(first, first + number)).splitlines()
    starts = [first + number + GAMES_IN_A_FILE * k for k in range(size.large_uploaders)]
    files = [mixed(range(start, start + GAMES_IN_A_FILE)) * REPETITIONS for start in starts]
    return [games[k :: size.uploaders] for k in range(size.uploaders)], files


def hold(size: Size, seconds: float, folder: Path) -> tuple[Crowd, list[str]]:
    """Let a crowd in on a new data folder; what it was answered, and what is not as it must be."""
    chunks, files = make_games(size)
    with Store(folder) as store:
        ingest_bytes(store, "games.jsonl", mixed(range(size.stored_games)))
        known = [game.digest for game in store.games(limit=size.stored_games).games]
    with tempfile.TemporaryDirectory() as proxy, running_site(folder, Path(proxy)) as site:
        asyncio.run(get(site, "127.2.2.1", "/"))
        crowd = Crowd(site, known, time.monotonic() + seconds, size)
        asyncio.run(run_crowd(crowd, chunks, files))
    return crowd, faults(crowd, folder)


def main(seconds: float = 60, size: Size | None = None) -> int:
    """Let the crowd in and say how it went; 1 if anything is not as it must be."""
    size = size or Size()
    print(
        f"{size.readers} readers, {size.uploaders} uploaders, {size.attackers} attackers, {seconds:.0f} s",
        flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        crowd, found = hold(size, seconds, Path(folder) / "data")
    print("\n".join(figures(crowd, seconds)))
    print(f"{len(crowd.acknowledged)} games acknowledged, {len(crowd.imports)} imports")
    print("\n".join(found) or "Nothing is lost, and everybody was answered.")
    return 1 if found else 0
