"""`bezique --server ADDRESS export`: the records that a site has."""

from collections.abc import Iterator
from typing import Any

import msgspec

from analyzer.db.stored_records import StoredRecord
from records import codec
from webui.cli.refusal import Refusal
from webui.cli.remote.site_client import requested_site
from webui.interface.calls.games import MOST_LISTED, GameList


class SiteRecords:
    """The records of the chosen site; what it refuses raises Refusal."""

    def __init__(self) -> None:
        self._site = requested_site()

    def lines(self, choice: dict[str, Any]) -> Iterator[StoredRecord]:
        """The records of the games that pass a choice, each on one line, as they come."""
        with self._site.open("GET", "games", "records", parameters=_filters(choice)) as answer:
            for line in answer:
                record = codec.decode(line).record
                if record is None:
                    raise Refusal(f"{self._site.address} sent what is no record.")
                yield StoredRecord(codec.digest(record), line.rstrip(b"\n"))

    def whole(self, digests: list[str]) -> Iterator[StoredRecord]:
        """The records of these games, byte for byte."""
        for digest in digests:
            with self._site.open("GET", "games", digest, "record") as answer:
                yield StoredRecord(digest, answer.read())

    def digests(self, choice: dict[str, Any]) -> list[str]:
        """The digests of the games that pass a choice."""
        parameters = {**_filters(choice), "limit": MOST_LISTED}
        found: list[str] = []
        while True:
            page = msgspec.convert(self._site.get("games", parameters=parameters), GameList)
            found += [game.digest for game in page.games]
            if page.next is None:
                return found
            parameters["cursor"] = page.next


def _filters(choice: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in choice.items() if value}
