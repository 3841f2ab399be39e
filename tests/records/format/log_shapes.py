"""Games as other programs would log them: a line an event with running totals, and a line a trick."""

import json
from collections.abc import Iterator
from typing import Any

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
NUMERALS = {"T": "10"}

TOTALS_MAPPING = """
[log]
format = "csv"
delimiter = ";"
[game]
begins = "$table"
rules = { id = "polish-bezique" }
players = ["One", "Two"]
[cards]
form = "{suit}{rank}"
separator = "|"
suits = { "♠" = "S", "♥" = "H", "♦" = "D", "♣" = "C" }
[seats]
"1" = 0
"2" = 1
[words]
mariage = "marriage"
[[line]]
when = { action = "DEAL" }
write = { type = "deal", dealer = "$who", turn_up = "$cards" }
[[line]]
when = { action = "HAND" }
write = { type = "hand", seat = "$who", cards = "$cards" }
[[line]]
when = { action = "(PLAY|DRAW)" }
write = { line = [
  { when = { action = "PLAY" }, write = { type = "play", seat = "$who", card = "$cards" } },
  { write = { type = "draw", seat = "$who", card = "$cards" } },
] }
[[line]]
when = { action = "TAKES" }
write = { type = "trick", winner = "$who" }
[[line]]
when = { action = "MELD (?P<name>.*)" }
write = { type = "meld", seat = "$who", meld = "$name", cards = "$cards", total = "$total" }
[[line]]
when = { action = "DIX (?P<name>.*)" }
write = { type = "dix", seat = "$who", action = "$name", total = "$total" }
[[line]]
when = { action = "BONUS (?P<name>.*)" }
write = { type = "score", seat = "$who", for = "$name", total = "$total" }
[[line]]
when = { action = "END", total = '(?P<n>\\d+):(?P<s>\\d+)' }
write = { type = "facts", claims = { scores = ["$n", "$s"] } }
"""
"""The mapping of `with_running_totals`."""


def with_running_totals(records: list[dict[str, Any]]) -> str:
    """A line an event, with signs for suits and, where points are scored, what the seat has by now in the deal."""
    lines = ["table;deal;who;action;cards;total"]
    for table, record in enumerate(records, start=1):
        for number, deal in enumerate(record["deals"], start=1):
            rows = [("DEAL", deal["dealer"], [deal["turn_up"]], "")]
            rows += [("HAND", seat, hand, "") for seat, hand in enumerate(deal["hands"])]
            rows += _rows_of_events(deal["events"])
            scores = ":".join(map(str, deal["claims"]["scores"]))
            for action, seat, cards, total in [*rows, ("END", None, [], scores)]:
                who = "" if seat is None else seat + 1
                signs = "|".join(SIGNS[card[1]] + NUMERALS.get(card[0], card[0]) for card in cards)
                lines.append(f"{table};{number};{who};{action};{signs};{total}")
    return "\n".join(lines) + "\n"


def _rows_of_events(events: list[dict[str, Any]]) -> Iterator[tuple[str, int, list[str], Any]]:
    totals = [0, 0]
    for event in events:
        seat = event.get("seat", event.get("winner"))
        totals[seat] += event.get("points", 0)
        cards = event.get("cards", [event["card"]] if "card" in event else [])
        meld = {"marriage": "mariage"}.get(event.get("meld"), event.get("meld"))
        action = {
            "play": "PLAY", "draw": "DRAW", "trick": "TAKES", "meld": f"MELD {meld}",
            "dix": f"DIX {event.get('action')}", "score": f"BONUS {event.get('for')}",
        }[event["type"]]  # fmt: skip
        yield action, seat, cards, totals[seat] if "points" in event else ""


TRICK_MAPPING = """
[log]
format = "jsonl"
[game]
begins = "$match"
rules = { id = "polish-bezique" }
players = ["North", "South"]
[cards]
form = "{suit}{rank}"
[seats]
N = 0
S = 1
[[line]]
when = { ev = "deal" }
write = { type = "deal", dealer = "$by", hands = "$hands", turn_up = "$up", stock = "$drawn.:-1" }
[[line]]
when = { ev = "trick" }
write = [
  { type = "plays", seat = "$lead.by", cards = ["$lead.card", "$reply"] },
  { each = "$shown", line = [
    { when = { n = "dix-play" }, write = { type = "dix", seat = "@seven", action = "play", points = "$p" } },
    { when = { n = "dix-(?P<how>.*)" }, write = { type = "dix", seat = "@winner", action = "$how", points = "$p" } },
    { write = { type = "meld", seat = "@winner", meld = "$n", cards = "$c", points = "$p" } },
  ] },
]
"""
"""The mapping of `trick_by_trick`."""


def trick_by_trick(records: list[dict[str, Any]]) -> str:
    """A line a trick as JSON, which says what was shown after it, but neither by whom nor who took it."""
    lines = []
    for match, record in enumerate(records):
        for deal in record["deals"]:
            hands = {"NS"[seat]: [_turned(card) for card in hand] for seat, hand in enumerate(deal["hands"])}  # fmt: skip
            drawn = [_turned(event["card"]) for event in deal["events"] if event["type"] == "draw"]
            lines.append({
                "ev": "deal", "match": f"m{match}", "by": "NS"[deal["dealer"]], "hands": hands,
                "up": _turned(deal["turn_up"]), "drawn": drawn,
            })  # fmt: skip
            for event in deal["events"]:
                if event["type"] == "play" and ("reply" in lines[-1] or lines[-1]["ev"] == "deal"):
                    lead = {"by": "NS"[event["seat"]], "card": _turned(event["card"])}
                    lines.append({"ev": "trick", "match": f"m{match}", "lead": lead, "shown": []})
                elif event["type"] == "play":
                    lines[-1]["reply"] = _turned(event["card"])
                elif event["type"] in ("meld", "dix"):
                    name = event.get("meld") or f"dix-{event['action']}"
                    cards = [_turned(card) for card in event.get("cards", [])]
                    lines[-1]["shown"].append({"n": name, "c": cards, "p": event["points"]})
    return "".join(json.dumps(line) + "\n" for line in lines)


def _turned(card: str) -> str:
    """The suit in front, in small letters."""
    return (card[1] + NUMERALS.get(card[0], card[0])).lower()
