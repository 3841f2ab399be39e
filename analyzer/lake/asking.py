"""Asking a lake by a Dask cluster: its workers answer for shares of the parts, and this process puts together what they find.

A match lies in one part. Every share is a store of its own, which a worker keeps open for the statements that follow; if the
worker dies, another one opens it.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import duckdb

from analyzer.ingest.tasks import count_threads, map_on_cluster
from analyzer.lake.joining import UNHURRIED
from analyzer.statistics.compose import used_parameters
from analyzer.statistics.parts import find_partial_statements, put_together
from analyzer.store.instance import quote_sql
from analyzer.store.lake_place import LakePlace, no_lake
from analyzer.store.lake_state import LakePart, LakeState, require_own_versions
from analyzer.store.lake_store import LakeStore
from analyzer.store.store import QueryResult

if TYPE_CHECKING:
    from distributed import Client, Future

SHARES_PER_THREAD = 2
"""So that no thread waits long for the last one."""
MOST_RETRIES = 2
"""So often a statement is tried again, by another worker if there is one."""


class LakeShare(LakeStore):
    """Some parts of a lake; raises StoreError. Sent to another worker, it is opened there."""

    described = False

    def __init__(self, place: LakePlace, parts: tuple[LakePart, ...]) -> None:
        require_own_versions(parts)
        self._own = TemporaryDirectory(prefix="bezique-share-")
        folder = Path(self._own.name)
        settings = {**UNHURRIED, "threads": 1}
        super().__init__(folder, settings=settings, state=(place, LakeState(0, parts)))

    def __reduce__(self) -> tuple[type["LakeShare"], tuple[LakePlace, tuple[LakePart, ...]]]:
        return LakeShare, (self.place, self.state.parts)

    def _places_of_files(self) -> list[str]:
        return [*super()._places_of_files(), str(self.folder)]

    def _know_rulebooks(self, writer: duckdb.DuckDBPyConnection) -> None:
        """Statements name none."""

    def find(self, asked: Sequence[tuple[str, Mapping[str, object]]]) -> list[bytes]:
        """What statements with these parameters find, each as a Parquet file; raises StoreError."""
        return [self._find(sql, parameters) for sql, parameters in asked]

    def _find(self, sql: str, parameters: Mapping[str, object]) -> bytes:
        with TemporaryDirectory(dir=self.folder) as folder:
            file = Path(folder) / "found.parquet"
            copy = f"COPY ({sql}) TO {quote_sql(file)} (FORMAT parquet, COMPRESSION zstd)"
            self.rows(copy, parameters)
            return file.read_bytes()


class ClusterStore(LakeStore):
    """A lake whose questions the cluster of a `client` answers; raises StoreError.

    Statements without marks for parts are answered by this process alone. `telling` is called with what is waited for.
    """

    def __init__(
        self, folder: Path, client: "Client", telling: Callable[[str], None] = lambda _: None
    ) -> None:
        self._client, self._telling = client, telling
        self._found = TemporaryDirectory(prefix="bezique-found-")
        self._shares: dict[str, Future] = {}
        super().__init__(folder, settings=UNHURRIED)
        if not self.state.number:
            self.close()
            raise no_lake(self.whence)
        self._follows = False  # the shares are those of this state
        threads = max(1, count_threads(client))  # the last worker may have gone: another may come
        shares = share_out(self.state.parts, SHARES_PER_THREAD * threads)
        self._shares = {
            f"part {parts[0].key}": self._submit(LakeShare, self.place, tuple(parts))
            for parts in shares
        }

    def _places_of_files(self) -> list[str]:
        return [*super()._places_of_files(), self._found.name]

    def rows(self, sql: str, parameters: object = None) -> QueryResult:
        """The answer of a reading statement, to which every share adds what is marked in it; raises StoreError."""
        asked = find_partial_statements(sql)
        if not asked or not self._shares or not isinstance(parameters, Mapping):
            return super().rows(sql, parameters)
        statements = [(each, used_parameters(each, parameters)) for each in asked.values()]
        with TemporaryDirectory(dir=self._found.name) as folder:
            files = self._ask(statements, Path(folder))
            sources = {
                name: f"read_parquet([{', '.join(map(quote_sql, of_one))}])"
                for name, of_one in zip(asked, files, strict=True)
            }
            whole = put_together(sql, sources)
            return super().rows(whole, used_parameters(whole, parameters))

    def _ask(
        self, statements: Sequence[tuple[str, Mapping[str, object]]], folder: Path
    ) -> list[list[Path]]:
        """Ask all shares; returns for each statement the files with what was found, in the order of the shares."""
        files: list[list[Path]] = [[] for _ in statements]
        answers = map_on_cluster(
            self._client,
            self._shares,
            lambda share: self._submit(LakeShare.find, self._shares[share], statements),
            self._telling,
        )
        for number, (_, found) in enumerate(answers):
            for statement, data in enumerate(found):
                file = folder / f"{statement}-{number}.parquet"
                file.write_bytes(data)
                files[statement].append(file)
        return files

    def _submit(self, function: Callable[..., object], *arguments: object) -> "Future":
        return self._client.submit(function, *arguments, pure=False, retries=MOST_RETRIES)

    def close(self) -> None:
        """Let go of the shares and of what they have found."""
        self._shares.clear()
        super().close()
        self._found.cleanup()


def share_out(parts: Sequence[LakePart], number: int) -> list[list[LakePart]]:
    """The parts in so many shares of about the same size, or in as many as there are parts; none is empty."""
    shares: list[list[LakePart]] = [[] for _ in range(min(number, len(parts)))]
    for part in sorted(parts, key=lambda part: -part.size):
        min(shares, key=lambda share: sum(each.size for each in share)).append(part)
    return shares
