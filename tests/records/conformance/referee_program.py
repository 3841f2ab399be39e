"""The tests' referee as a program that the kit asks.

    bezique conform run -- python -m tests.records.conformance.referee_program

It tells right from wrong, and settles. Records that may be read in too many ways it skips.
"""

import sys
from typing import Any

import msgspec

from records.conformance.answers import given_bytes
from records.format import codec
from records.record import Rules
from records.rules.registry import ALL_SHEETS, resolve_rules
from tests.playouts.settling import settle
from tests.records.conformance.refereed import may_be_refereed, referee_says


def validate(given: dict[str, Any]) -> dict[str, Any]:
    record = codec.decode(given_bytes(given)).record
    is_judged = record is not None and may_be_refereed(record)
    said = referee_says(record) if record is not None and is_judged else None
    if said is None:
        return {"skip": "not for this referee"}
    return {"right": said.right} | ({} if said.right else {"at": list(said.at or (None, None))})


def settled(given: dict[str, Any]) -> dict[str, Any]:
    game: Any = resolve_rules(Rules(id=given["sheet"], options=given["options"])).sheet.rules.match
    found = settle(game, given["points"], given["brisques"])
    return {"totals": found.totals, "receives": found.receives, "winner": found.winner}


ANSWERS = {"validate": validate, "settle": settled}
HELLO = {
    "protocol": "1.0", "program": "referee", "asks": [*ANSWERS], "sheets": [sheet.id for sheet in ALL_SHEETS],
    "levels": ["full"], "features": ["setup", "labels", "options"], "detail": "right",
}  # fmt: skip


def main() -> None:
    for line in sys.stdin.buffer:
        request = msgspec.json.decode(line)
        answer = HELLO if request["ask"] == "hello" else ANSWERS[request["ask"]](request["given"])
        sys.stdout.buffer.write(msgspec.json.encode({"seq": request["seq"], **answer}) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
