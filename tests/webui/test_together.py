"""A link that moves with the steps of a reader: who may move it, when it ends, and what is told to those who follow."""

import threading

import pytest

from webui.server.shown_steps import (
    BREATH_SECONDS,
    LEAVING_SECONDS,
    MOST_SHOWN,
    SILENCE_SECONDS,
    ReadersTogether,
    ShownStep,
    TooManyShown,
)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def at(step: int) -> ShownStep:
    return ShownStep("game", 1, step)


def test_followers_get_the_step_of_now_and_every_one_after_it():
    together = ReadersTogether()
    key, secret = together.begin(at(1))
    told = [together.follow(key) for _ in range(3)]
    assert [next(each) for each in told] == [at(1)] * 3
    assert together.move(key, secret, at(2))
    assert [next(each) for each in told] == [at(2)] * 3
    together.end(key, secret)
    assert [list(each) for each in told] == [[]] * 3
    assert together.shown(key) is None


def test_a_slow_follower_gets_the_latest_step_and_not_those_between():
    together = ReadersTogether()
    key, secret = together.begin(at(0))
    told = together.follow(key)
    next(told)
    for step in range(1, 50):
        together.move(key, secret, at(step))
    assert next(told) == at(49)


def test_one_who_waits_is_told_at_once():
    together = ReadersTogether()
    key, secret = together.begin(at(0))
    told = together.follow(key)
    next(told)
    seen: list[ShownStep | None] = []
    waiting = threading.Thread(target=lambda: seen.append(next(told)))
    waiting.start()
    together.move(key, secret, at(7))
    waiting.join(BREATH_SECONDS / 3)
    assert seen == [at(7)]


def test_only_the_secret_moves_or_ends_a_link():
    together = ReadersTogether()
    key, secret = together.begin(at(1))
    other, other_secret = together.begin(at(1))
    for wrong in ("", "ä", key, other_secret):
        assert not together.move(key, wrong, at(2))
        together.end(key, wrong)
        together.leave(key, wrong)
    assert together.shown(key) == at(1)
    assert not together.move("nobody", secret, at(2))
    assert together.move(other, other_secret, at(2))
    assert together.shown(key) == at(1)


def test_a_reader_who_is_silent_or_leaves_has_left_after_a_while():
    clock = Clock()
    together = ReadersTogether(clock)
    key, secret = together.begin(at(1))
    clock.now += SILENCE_SECONDS - 1
    assert together.move(key, secret, at(1)), "heard of"
    clock.now += SILENCE_SECONDS - 1
    assert together.shown(key) == at(1)
    together.leave(key, secret)
    clock.now += LEAVING_SECONDS - 1
    assert together.move(key, secret, at(1)), "the page was only loaded again"
    clock.now += LEAVING_SECONDS + 1
    assert together.shown(key) == at(1)
    together.leave(key, secret)
    told = together.follow(key)
    next(told)
    clock.now += LEAVING_SECONDS
    assert list(told) == []
    assert not together.move(key, secret, at(2))


def test_so_many_and_no_more_show_their_steps():
    clock = Clock()
    together = ReadersTogether(clock)
    for _ in range(MOST_SHOWN):
        together.begin(at(1))
    with pytest.raises(TooManyShown):
        together.begin(at(1))
    clock.now += SILENCE_SECONDS
    together.begin(at(1))


@pytest.fixture
def told(client, stored) -> dict[str, str]:
    return client.post("/together", data={"digest": stored, "deal": 1, "step": 3}).json


def test_the_link_leads_to_the_step_that_is_shown(client, stored, told):
    key, secret = told["key"], told["secret"]
    link = f"/together/{key}"
    assert client.get(link).location.endswith(f"/games/{stored}/deals/1?step=3&follow={key}")
    moved = {"digest": stored, "deal": 1, "step": 9, "secret": secret}
    assert client.post(link, data=moved).status_code == 204
    assert "step=9" in client.get(link).location
    assert client.post(link, data=moved | {"secret": "guessed"}).status_code == 404
    with client.get(f"{link}/steps") as events:
        assert events.mimetype == "text/event-stream"
        assert events.headers["X-Accel-Buffering"] == "no"
        assert events.headers["Cache-Control"] == "no-store"
        pieces = iter(events.response)
        assert next(pieces).startswith(b"retry:")
        assert next(pieces) == (
            b'event: step\ndata: {"digest":"%s","deal":1,"step":9}\n\n' % stored.encode()
        )
        assert client.post(link, data={"secret": secret, "ends": "yes"}).status_code == 204
        assert list(pieces) == [b"event: end\ndata: {}\n\n"]
    answer = client.get(link)
    assert answer.status_code == 404
    assert "Nobody shows a game by this link any more" in answer.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"digest": "0" * 64}, {"digest": ""}, {"deal": 99}, {"deal": 0}, {"deal": "x"}, {"step": -1},
        {"step": "1e3"}, {"deal": "9" * 400}, {"step": "9" * 5000},
    ],
)  # fmt: skip
def test_only_steps_of_stored_games_are_shown(client, stored, wrong):
    sent = {"digest": stored, "deal": 1, "step": 3} | wrong
    assert client.post("/together", data=sent).status_code == 404


def test_the_secret_stands_in_no_page_and_no_address(client, stored, told):
    answer = client.get(f"/together/{told['key']}")
    assert told["secret"] not in str(answer.headers)
    assert told["secret"] not in client.get(answer.location).text
