"""Whatever one visitor does to the server, the others are answered."""

import asyncio
from collections.abc import Awaitable, Iterator

import pytest

from analyzer.db.store import Store
from analyzer.ingest.loader import ingest_bytes
from records import codec
from records.selfplay import play_game
from tests.crowd import attackers
from tests.crowd.running import running_server
from tests.crowd.visitors import Answer, ask, get, request_bytes

pytestmark = pytest.mark.long

ATTACKER, READER, OTHER = "127.0.0.2", "127.0.0.3", "127.0.0.4"
LONGEST_SECONDS, TIMES_AS_LONG = 3.0, 10
"""A reader may wait so long, and so many times as long as before the attack, which tells how busy the machine is. Without
limits it is until the attack ends."""
PAGES = ("/", "/games", "/rules", "/players")
GAMES = 40


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server with some games, enough that a join of three tables runs into its time limit."""
    folder = tmp_path_factory.mktemp("fair")
    games = [play_game("bezique", seed=seed) for seed in range(GAMES)]
    with Store(folder) as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(map(codec.encode, games)))
    with running_server(folder) as port:
        yield port


@pytest.fixture(scope="module")
def longest(port: int) -> float:
    """How long a reader may have to wait during an attack."""

    async def read() -> list[Answer]:
        return [await get(port, READER, path) for path in PAGES]

    asyncio.run(read())  # templates compile once in the life of a server
    return LONGEST_SECONDS + TIMES_AS_LONG * max(each.seconds for each in asyncio.run(read()))


def pages_during(port: int, attack: Awaitable[None], begins: float = 1.0) -> list[Answer]:
    """What a reader is answered during an attack."""

    async def read() -> list[Answer]:
        attacking = asyncio.ensure_future(attack)
        await asyncio.sleep(begins)
        try:
            return [await get(port, READER, path) for path in PAGES]
        finally:
            attacking.cancel()
            await asyncio.gather(attacking, return_exceptions=True)

    return asyncio.run(read())


@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(lambda port: attackers.stay_idle(port, ATTACKER, 120), id="idle"),
        pytest.param(lambda port: attackers.trickle_heads(port, ATTACKER, 120), id="slow-heads"),
        pytest.param(lambda port: attackers.trickle_bodies(port, ATTACKER, 120), id="slow-bodies"),
        pytest.param(lambda port: attackers.pipeline(port, ATTACKER, 40), id="unread-pipelines"),
        pytest.param(lambda port: attackers.run_statements(port, ATTACKER, 40), id="statements"),
    ],
)
def test_one_client_does_not_silence_the_site(port, longest, attack):
    answers = pages_during(port, attack(port))
    assert [answer.status for answer in answers] == [200] * 4
    assert max(answer.seconds for answer in answers) < longest


def test_one_too_many_is_refused_at_once_with_a_sentence(port, longest):
    async def statements() -> list[Answer]:
        statement = request_bytes("/sql.json?q=" + attackers.quoted(attackers.SLOW_STATEMENT))
        return await asyncio.gather(*(ask(port, OTHER, statement) for _ in range(4)))

    answers = sorted(asyncio.run(statements()), key=lambda answer: answer.seconds)
    refused = [answer for answer in answers if answer.status == 429]
    assert len(refused) == 3
    assert all(answer.seconds < longest for answer in refused)
    assert all(int(answer.header("Retry-After")) > 0 for answer in refused)
    assert b"Wait until it has ended" in refused[0].body
