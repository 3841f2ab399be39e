"""Reviews and estimates that were asked for outlive the server: the next one goes on with them."""

from pathlib import Path

import pytest
from flask import Flask
from msgspec.structs import replace

from analyzer.review.stored import load_review
from records.selfplay import play_game
from tests.machine.waiting import wait_until
from tests.make.empty_store import with_empty_database
from tests.make.stored_games import store_game
from webui import create_app
from webui.application import close_app
from webui.server.game_jobs import MOST_RESUMED

GAME = play_game("bezique", seed=3, deals=1)
BEGUN = replace(
    GAME, deals=[replace(GAME.deals[0], events=GAME.deals[0].events[:7], claims=None)], result=None
)
"""The first cards of a deal, which are weighed in no time."""
BOTH = ["deep reviews", "roll-outs"]


def opened(folder: Path) -> Flask:
    return create_app(data=folder, testing=True, wtf_csrf_enabled=False)


def asked(site: Flask) -> list[tuple[str, int]]:
    """What is noted as asked for, and how often it was resumed."""
    return [
        *site.extensions["store"].rows("SELECT kind, resumed FROM work_requests ORDER BY kind").rows
    ]


def ask_for_both(site: Flask) -> str:
    """Store a game and ask for both kinds of work, of which nothing is begun; returns its digest."""
    for queue in ("rollouts", "weighing"):
        site.extensions[queue].close()
    digest = store_game(site, BEGUN)
    client, page = site.test_client(), f"/games/{digest}/review"
    assert client.post(f"{page}/luck", data={"rollouts": "20"}).status_code == 303
    assert client.post(f"{page}/weighing", data={"width": "quick"}).status_code == 303
    return digest


@pytest.mark.long
def test_work_that_was_acknowledged_is_done_by_the_next_server(tmp_path: Path) -> None:
    folder = with_empty_database(tmp_path / "data")
    first = opened(folder)
    digest = ask_for_both(first)
    assert [kind for kind, _ in asked(first)] == BOTH
    close_app(first)
    second = opened(folder)
    try:
        wait_until(lambda: not asked(second), pause=0.1)
        for queue in ("rollouts", "weighing"):
            assert second.extensions[queue].job(digest).state == "done"
        assert load_review(second.extensions["store"], digest)
    finally:
        close_app(second)


@pytest.mark.long
def test_work_that_is_stopped_is_not_asked_for_any_more(tmp_path: Path) -> None:
    site = opened(with_empty_database(tmp_path / "data"))
    try:
        digest = ask_for_both(site)
        for work in ("luck", "weighing"):
            site.test_client().post(f"/games/{digest}/review/{work}/stop")
        assert asked(site) == []
    finally:
        close_app(site)


@pytest.mark.long
def test_work_that_no_server_finishes_is_given_up(tmp_path: Path) -> None:
    """Each of them ends before it has begun, as if the work had ended it."""
    folder = with_empty_database(tmp_path / "data")
    site = opened(folder)
    digest = ask_for_both(site)
    close_app(site)
    for resumed in range(1, MOST_RESUMED + 1):
        site = opened_idle(folder)
        assert asked(site) == [(kind, resumed) for kind in BOTH]
        close_app(site)
    site = opened_idle(folder)
    try:
        assert asked(site) == []
        assert site.extensions["weighing"].job(digest) is None
    finally:
        close_app(site)


def opened_idle(folder: Path) -> Flask:
    """A server whose queues begin nothing."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("webui.server.jobs.JobQueue._run", lambda queue, job: None)
        return opened(folder)


@pytest.mark.long
def test_what_cannot_be_read_is_struck_and_written_to_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = with_empty_database(tmp_path / "data")
    site = opened(folder)
    ask_for_both(site)
    with site.extensions["store"].writing() as cursor:
        cursor.execute("UPDATE work_requests SET terms = '{'")
    close_app(site)
    site = opened(folder)
    try:
        assert asked(site) == []
        assert caplog.text.count("cannot be resumed") == len(BOTH)
    finally:
        close_app(site)
