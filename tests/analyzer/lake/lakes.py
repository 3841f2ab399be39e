"""What the tests of lakes share: imports of bytes, an object store, and all that a store holds."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch
from uuid import uuid4

from moto.server import ThreadedMotoServer
from s3fs import S3FileSystem

from analyzer.ingest.importer import Importer, ImportSource
from analyzer.ingest.loader import IngestCounts
from analyzer.lake.importing import LakeImport
from analyzer.lake.joining import AddedParts
from analyzer.store import lake_place
from analyzer.store.lake_parts import lake_tables
from analyzer.store.lake_place import LakePlace, folder_for
from analyzer.store.lake_store import LakeStore
from analyzer.store.store import Store
from analyzer.store.sums import ROWS_SUMMED, SUM_TABLES, total_sums_sql

NOT_COMPARED = ("imports", "import_batches")
"""The log of imports: a lake has none."""
TIMES = ("stored_at", "seen_at", "committed_at", "made_at", "started_at")
BUCKET = "club"


@contextmanager
def object_store() -> Iterator[None]:
    """A server that answers as S3 does, on this machine, with a bucket; whoever asks s3:// meanwhile asks it."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    secrets = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    try:
        with patch.dict(os.environ, secrets):
            # Connections to a server of another test, which is gone, are kept for the same addresses.
            S3FileSystem.clear_instance_cache()
            lake_place._cached_place.cache_clear()
            LakePlace(f"s3://{BUCKET}").files.makedirs(BUCKET, exist_ok=True)
            yield
    finally:
        server.stop()


def new_place(kind: str, folder: Path) -> LakePlace:
    """A place for a lake of its own, of this kind."""
    addresses = {
        "folder": str(folder / f"lake-{uuid4()}"),
        "s3": f"s3://{BUCKET}/{uuid4()}",
        "memory": f"memory://{uuid4()}",
    }
    return LakePlace(addresses[kind])


def sources(folder: Path, *files: bytes) -> list[ImportSource]:
    """These bytes as files of a folder."""
    found = []
    for data in files:
        path = folder / f"{uuid4()}.jsonl"
        path.write_bytes(data)
        found.append(ImportSource(path.name, path, len(data), lambda path=path: path.open("rb")))  # type: ignore[misc]
    return found


def add(place: LakePlace, folder: Path, *files: bytes, processes: int = 0) -> AddedParts:
    """Import files into a lake at once."""
    return LakeImport(place, processes).run(sources(folder, *files))


def load(store: Store, folder: Path, *files: bytes) -> IngestCounts:
    """Import files into a database, one after the other; the counts of the last."""
    for file in files:
        counts = Importer(store).run(sources(folder, file))
    return counts


def reader(place: LakePlace) -> LakeStore:
    """The lake as its readers have it."""
    return LakeStore(folder_for(place.address))


def everything(store: Store) -> dict[str, list[str]]:
    """All rows of all tables, without times, names of files, and the packed form of records."""
    found = {}
    for table in (*lake_tables(), *SUM_TABLES):
        if table in NOT_COMPARED:
            continue
        rows = table
        if table in SUM_TABLES:
            rows = f"({total_sums_sql(table, table)} HAVING sum({ROWS_SUMMED[table]}) <> 0)"
        described = store.rows(f"DESCRIBE SELECT * FROM {rows}").rows
        left_out = (*TIMES, "name", "line", "rowid", "data")
        columns = ", ".join(sorted(name for name, *_ in described if name not in left_out))
        found[table] = sorted(map(repr, store.rows(f"SELECT {columns} FROM {rows}").rows))
    return found


def record_texts(store: Store) -> dict[str, bytes | None]:
    """The bytes of every record, by digest."""
    digests = [digest for (digest,) in store.rows("SELECT digest FROM records").rows]
    return {digest: store.record_bytes(digest) for digest in digests}
