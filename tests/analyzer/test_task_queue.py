"""The queue behind the pages: order, taking back, closing, and a task that fails."""

import threading

import pytest

from analyzer.task_queue import TaskQueue
from tests.waiting import PATIENCE_SECONDS, wait_until


class Stage:
    """A queue whose first task stays at work until it is let go."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.begun, self.let_go = threading.Event(), threading.Event()
        self.queue = TaskQueue("test", self._work)

    def _work(self, task: str) -> None:
        self.begun.set()
        self.let_go.wait(PATIENCE_SECONDS)
        if task == "broken":
            raise ValueError(task)
        self.done.append(task)


@pytest.fixture
def stage():
    stage = Stage()
    yield stage
    stage.let_go.set()
    stage.queue.close()


def test_tasks_are_done_in_their_order_but_for_those_taken_back(stage) -> None:
    for task in ("first", "second", "third"):
        stage.queue.put(task)
    assert stage.begun.wait(PATIENCE_SECONDS)
    assert stage.queue.withdraw("second")
    assert not stage.queue.withdraw("second")
    assert not stage.queue.withdraw("first")  # it is at work
    stage.queue.put("second")
    last = threading.Event()
    stage.queue.work, work = lambda task: (work(task), task == "second" and last.set()), stage._work
    stage.let_go.set()
    assert last.wait(PATIENCE_SECONDS)
    assert stage.done == ["first", "third", "second"]


def test_closing_waits_for_the_task_at_work_and_begins_no_other(stage) -> None:
    stage.queue.put("first")
    stage.queue.put("second")
    assert stage.begun.wait(PATIENCE_SECONDS)
    threading.Timer(0.1, stage.let_go.set).start()
    stage.queue.close()
    assert stage.queue.closing
    assert stage.done == ["first"]
    stage.queue.put("third")
    stage.queue.close()
    assert stage.done == ["first"]


def test_a_task_that_fails_is_logged_and_the_next_one_is_done(stage, caplog) -> None:
    stage.let_go.set()
    stage.queue.put("broken")
    stage.queue.put("whole")
    wait_until(lambda: stage.done)
    assert stage.done == ["whole"]
    assert "test failed" in caplog.text
