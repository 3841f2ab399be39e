"""Whatever one visitor does to a site behind nginx, as it is shipped, the others are answered."""

import asyncio
import json
import time
from collections.abc import Awaitable, Iterator
from urllib.parse import urlencode

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import Store
from records.format import codec
from records.selfplay import play_game
from tests.soak.crowd import attackers
from tests.soak.crowd.running import NGINX, running_site
from tests.soak.crowd.visitors import Answer, Site, ask, connect, get, request_bytes, run
from webui.server.request_kinds import FOLLOWERS
from webui.server.shown_steps import BREATH_SECONDS

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not NGINX, reason="nginx is not installed"),
]

ATTACKER, READER, OTHER = "127.0.0.2", "127.0.0.3", "127.0.0.4"
LONGEST_SECONDS, TIMES_AS_LONG = 3.0, 10
"""A reader may wait so long, and so many times as long as before the attack, which tells how busy the machine is. Without
limits it is until the attack ends."""
PAGES = ("/", "/games", "/rules", "/players")
GAMES = 40


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with some games, enough that a join of three tables runs into its time limit."""
    folder = tmp_path_factory.mktemp("fair")
    games = [play_game("bezique", seed=seed) for seed in range(GAMES)]
    with Store(folder) as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(map(codec.encode, games)))
    with running_site(folder, tmp_path_factory.mktemp("nginx")) as site:
        yield site


@pytest.fixture(scope="module")
def longest(site: Site) -> float:
    """How long a reader may have to wait during an attack."""

    async def read() -> list[Answer]:
        return [await get(site, READER, path) for path in PAGES]

    run(read())  # templates compile once in the life of a server
    return LONGEST_SECONDS + TIMES_AS_LONG * max(each.seconds for each in run(read()))


def pages_during(site: Site, attack: Awaitable[None], begins: float = 1.0) -> list[Answer]:
    """What a reader is answered during an attack."""

    async def read() -> list[Answer]:
        attacking = asyncio.ensure_future(attack)
        await asyncio.sleep(begins)
        try:
            return [await get(site, READER, path) for path in PAGES]
        finally:
            attacking.cancel()
            await asyncio.gather(attacking, return_exceptions=True)

    return run(read())


@pytest.mark.slow
@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(lambda site: attackers.stay_idle(site, ATTACKER, 120), id="idle"),
        pytest.param(lambda site: attackers.trickle_heads(site, ATTACKER, 120), id="slow-heads"),
        pytest.param(lambda site: attackers.trickle_bodies(site, ATTACKER, 120), id="slow-bodies"),
        pytest.param(lambda site: attackers.pipeline(site, ATTACKER, 40), id="unread-pipelines"),
        pytest.param(lambda site: attackers.run_statements(site, ATTACKER, 40), id="statements"),
    ],
)
def test_one_client_does_not_silence_the_site(site, longest, attack):
    answers = pages_during(site, attack(site))
    assert [answer.status for answer in answers] == [200] * 4
    assert max(answer.seconds for answer in answers) < longest


@pytest.mark.slow
def test_one_too_many_is_refused_at_once_with_a_sentence(site, longest):
    async def statements() -> list[Answer]:
        statement = request_bytes(site, "/sql.json?q=" + attackers.quoted(attackers.SLOW_STATEMENT))
        return await asyncio.gather(*(ask(site, OTHER, statement) for _ in range(4)))

    answers = sorted(run(statements()), key=lambda answer: answer.seconds)
    refused = [answer for answer in answers if answer.status == 429]
    assert len(refused) == 3
    assert all(answer.seconds < longest for answer in refused)
    assert all(int(answer.header("Retry-After")) > 0 for answer in refused)
    assert b"Wait until it has ended" in refused[0].body


@pytest.mark.slow
def test_a_step_shown_to_others_reaches_them_through_the_proxy_at_once(site):
    digest = codec.decode(codec.encode(play_game("bezique", seed=0))).digest()

    async def send(path: str, **fields: object) -> Answer:
        body = urlencode({"digest": digest, "deal": 1, **fields}).encode()
        form = "Content-Type: application/x-www-form-urlencoded\r\n"
        request = request_bytes(site, path, method="POST", body=body, headers=form)
        return await ask(site, READER, request)

    async def look() -> None:
        shown = json.loads((await send("/together", step=3)).body)
        link = f"/together/{shown['key']}"
        followers = [await connect(site, OTHER) for _ in range(FOLLOWERS.at_once or 0)]
        for reader, writer in followers:
            writer.write(request_bytes(site, f"{link}/steps"))
            await reader.readuntil(b'"step":3}')
        assert (await get(site, OTHER, f"{link}/steps")).status == 429, "no more follow at a time"
        assert (await get(site, OTHER, "/games")).status == 200
        began = time.monotonic()
        assert (await send(link, step=4, secret=shown["secret"])).status == 204
        for reader, writer in followers:
            await reader.readuntil(b'"step":4}')
            writer.close()
        assert time.monotonic() - began < BREATH_SECONDS, "nothing waits until the proxy has more"
        await send(link, ends="yes", secret=shown["secret"])
        assert (await get(site, OTHER, f"{link}/steps")).status == 404, "all places are free again"

    run(look())
