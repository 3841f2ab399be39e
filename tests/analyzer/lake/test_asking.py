"""Questions to a lake in parts, by a cluster of two workers, by one process, and to the database that it was made of."""

import logging
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Timer
from unittest.mock import Mock, patch

import pytest
from click.testing import CliRunner

from analyzer.ingest.tasks import connect_client
from analyzer.lake.asking import SHARES_PER_THREAD, ClusterStore, LakeShare, share_out
from analyzer.lake.copying import copy_into_lake
from analyzer.lake.joining import change_games
from analyzer.statistics import intervals
from analyzer.statistics.answer import run_ask, run_differences
from analyzer.statistics.ask import Ask, limit_ask, presets, refusal
from analyzer.statistics.catalogue import WHOLE_GRAINS, dimensions, metrics
from analyzer.statistics.parts import why_in_one_place
from analyzer.statistics.questions import Answer, QuestionFilters, questions, run_question
from analyzer.store.games import backup_store
from analyzer.store.lake_place import LakePlace
from analyzer.store.lake_state import read_state
from analyzer.store.lake_store import LakeStore
from analyzer.store.schema import schema_columns
from analyzer.store.store import Store
from records.errors import StoreError
from tests.machine.dask_clusters import DaskCluster, dask_cluster
from webui.cli.main import main

CELLS = int(os.environ.get("BEZIQUE_CELLS", "24"))
"""How many questions of Explore are asked, each three times."""


@pytest.fixture(scope="module")
def lake(full: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The games of the database with all their reviews in several parts, of which one hides those of others."""
    place = LakePlace(str(tmp_path_factory.mktemp("lake") / "lake"))
    copy_into_lake(backup_store(full, tmp_path_factory.mktemp("copy") / "copy").parent, place)
    keys = [key for (key,) in full.rows("SELECT game FROM games ORDER BY game").rows]
    for number in range(4):
        change_games(place, lambda _, number=number: keys[number::5], lambda _: None)  # type: ignore[misc]
    assert len(read_state(place).parts) == 5
    assert place.folder is not None
    return place.folder


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with dask_cluster(tmp_path_factory.mktemp("dask"), workers=2) as running:
        yield running


def told(answer: Answer) -> object:
    """All that an answer tells, types of figures included, but not how long it took."""
    return repr((answer.columns, answer.rows, answer.n, answer.left_out, answer.question.caveat))


def cells() -> list[Ask]:
    """Questions of Explore, chosen at random, by one or two dimensions and some by a filter."""
    random = Random(1)
    found: list[Ask] = []
    while len(found) < CELLS:
        metric = random.choice([*metrics().values()])
        known = [each for each in dimensions().values() if not refusal(metric, each)]
        first, second = random.sample(known, 2)
        ask = Ask(metric, first, random.choice((second, None)), every=random.random() < 0.3)
        if random.random() < 0.3 and not refusal(metric, dimensions()["sheet"]):
            ask = limit_ask(ask, sheet=random.choice(("zique", "marjolet")))
        found.append(ask)
    return found


@pytest.mark.slow
def test_a_cluster_answers_as_one_process_and_as_a_database(
    full: Store, lake: Path, cluster: DaskCluster
) -> None:
    random = Random(2)
    with (
        connect_client(cluster.address) as client,
        ClusterStore(lake, client) as shared,
        LakeStore(lake) as alone,
    ):
        for question in questions():
            for filters in (QuestionFilters(), QuestionFilters("zique", every=True)):
                found = [
                    told(run_question(store, question, filters)) for store in (shared, alone, full)
                ]
                assert found[0] == found[1] == found[2], question.name
        for ask in (*(preset.ask for preset in presets()), *cells()):
            # Of half of them only some matches are looked at for the width of the intervals.
            with patch.object(intervals, "ROWS_FOR_WIDTH", random.choice((100, 250_000))):
                answers = [run_ask(store, ask) for store in (shared, alone, full)]
                found = [told(answer) for answer in answers]
                assert found[0] == found[1] == found[2], ask.address()
                differences = [
                    run_differences(store, ask, answer)
                    for store, answer in zip((shared, alone, full), answers, strict=True)
                ]
                rows = [repr(each and each.rows) for each in differences]
                assert rows[0] == rows[1] == rows[2], ask.address()


@pytest.mark.slow
def test_who_is_gone_is_said_and_the_question_can_be_asked_again(
    lake: Path, tmp_path: Path
) -> None:
    question = ["stats", "points", "--by", "sheet", "--format", "csv", "--data", str(lake)]
    expected = CliRunner().invoke(main, question).output
    with dask_cluster(tmp_path, workers=2) as cluster:
        asked = [*question, "--cluster", cluster.address]
        first, second = cluster.workers
        first.send_signal(signal.SIGSTOP)  # it takes what it is asked, and never answers
        Timer(5, first.kill).start()
        found = CliRunner().invoke(main, asked)
        assert (found.exit_code, found.output) == (0, expected)
        with (
            connect_client(cluster.address) as client,
            ClusterStore(lake, client) as store,
            patch("analyzer.ingest.tasks.WORKERLESS_SECONDS", 2),
        ):
            second.kill()
            with pytest.raises(StoreError, match=r"no worker is left at tcp.*: start one"):
                run_question(store, questions()[0])
            cluster.add_workers(1)
            assert run_question(store, questions()[0]).rows
            cluster.scheduler.kill()
            with pytest.raises(StoreError, match=r"the scheduler at tcp.* is gone: start one"):
                run_question(store, questions()[1])
        with patch("analyzer.ingest.tasks.CONNECT_SECONDS", 1):
            found = CliRunner().invoke(main, asked)
        assert found.exit_code == 2
        assert "No worker can be reached at tcp" in found.output


@pytest.mark.slow
def test_dask_writes_nothing_to_the_terminal(cluster: DaskCluster) -> None:
    # It logs a lost connection as information with a traceback, at times and only then.
    with connect_client(cluster.address):
        for name in ("distributed.a_later_module", *logging.root.manager.loggerDict):
            if name.startswith(("distributed", "tornado")):
                assert not logging.getLogger(name).isEnabledFor(logging.ERROR), name


@pytest.mark.slow
def test_what_reads_sums_is_answered_in_one_place_and_that_is_said(
    lake: Path, cluster: DaskCluster
) -> None:
    words = ["stats", "what_is_led", "--data", str(lake), "--format", "csv"]
    found = CliRunner().invoke(main, [*words, "--cluster", cluster.address])
    assert found.exit_code == 0
    assert "what_is_led was answered in one place: it reads sums" in found.stderr
    assert found.stdout == CliRunner().invoke(main, words).stdout


def test_what_the_parts_do_not_answer_reads_only_sums_that_are_kept() -> None:
    whole = {*WHOLE_GRAINS.values()}
    alone = [question for question in questions() if why_in_one_place(question.sql)]
    assert alone
    for question in alone:
        read = {
            table
            for table in schema_columns()
            if re.search(rf"\b(FROM|JOIN) {table}\b", question.sql)
        }
        assert read <= whole, question.name


def test_a_cluster_is_for_lakes(tmp_path: Path) -> None:
    with Store(tmp_path / "data"):
        pass
    words = ["stats", "points", "--data", str(tmp_path / "data"), "--cluster", "tcp://127.0.0.1:9"]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 2
    assert "--cluster answers from a lake" in found.output


def test_a_worker_of_another_version_is_refused(lake: Path) -> None:
    place = LakePlace(str(lake))
    parts = read_state(place).parts
    with (
        patch("analyzer.store.lake_state.VERSIONS", (0, 0)),
        pytest.raises(StoreError, match="another version of bezique"),
    ):
        LakeShare(place, parts)


def test_a_lake_is_shared_out_also_when_the_last_worker_has_just_gone(lake: Path) -> None:
    with (
        patch("analyzer.lake.asking.count_threads", return_value=0),
        patch.object(ClusterStore, "_submit") as submit,
        ClusterStore(lake, Mock()),
    ):
        assert submit.call_count == SHARES_PER_THREAD


def test_shares_hold_every_part_once_and_are_alike(lake: Path) -> None:
    parts = read_state(LakePlace(str(lake))).parts
    for number in range(1, 9):
        shares = share_out(parts, number)
        assert len(shares) == min(number, len(parts))
        assert all(shares)
        assert sorted(part.key for share in shares for part in share) == sorted(part.key for part in parts)  # fmt: skip
