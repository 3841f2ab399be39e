"""The rows of the statistics tables, computed a second time from the plain JSON of played records.

Self-play writes every event with its points and every deal with its scores, so the record itself says what the
rules must compute; nothing of the project's own code takes part. `compare` holds a database against it.
"""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from itertools import accumulate
from typing import Any

from analyzer.store.store import Store

Raw = dict[str, Any]
Rows = list[tuple[Any, ...]]
HONOURS = {"A": 4, "T": 3, "K": 2, "Q": 1}
ORDER = "ATKQJ98765432"
SOURCES = (
    "meld", "dix", "turned_seven", "tenth_trick", "last_trick", "all_last_tricks", "brisques",
    "carte_blanche", "cut", "guess", "zetema", "ruling",
)  # fmt: skip
BY_PLAY = ("last_trick", "all_last_tricks", "tenth_trick", "brisques", "zetema")
PUT_DOWN = ("play", "discard")
BY_THE_CUT = ("cut", "guess")
BY_THE_DEAL = ("turned_seven",)
EARNED = ", ".join(f"{source}_points" for source in SOURCES)
TABLES = {
    "records": "size, NULL",
    "games": "sheet, players, names, event, program, verdict, status, complete, winner, scores, "
    "settlement, games.deals, games.events, games.findings, clean",
    "deals": "deal, sheet, clean, legal, tainted, complete, dealer, leader, trump, turn_up, tricks, "
    "events, findings, scores, winner, margin, match_scores",
    "seats": f"deal, sheet, clean, seat, side, player, player_id, kind, month, role, strength, points, outcome, {EARNED}, melds, "
    "tricks, brisques, won_last_trick, opponent, points_against, deal_tricks, brisques_missed, match_score, "
    "match_score_against, match_outcome, program, seats.players, tricks_led, led_tricks_won, led_brisques, let_go, "
    "let_go_known, points_ahead_led, tricks_ahead_led, leads, leads_held, own_leads, "
    "scorings, royal_melds, timed_melds, meld_tricks, points_of_partners",
    "tricks": "deal, sheet, clean, deal_winner, trick, event, closed, leader, winner, brisques, tricks_ahead, "
    "points_ahead, missed",
    "scores": "deal, sheet, clean, event, trick, seat, source, meld, royal, points, side, role",
    "melds": "deal, sheet, clean, event, trick, seat, meld, royal, points, side, role",
    "findings": "code, deal",
}  # fmt: skip
"""What is compared of every table; before it stands the line of the record."""


def compare(store: Store, data: bytes) -> dict[str, int]:
    """The rows of each table, all as recounted from these lines; raises AssertionError where they differ."""
    expected: dict[str, Rows] = {table: [] for table in TABLES}
    for number, line in enumerate(data.splitlines(), start=1):
        for table, rows in recount(json.loads(line)).items():
            expected[table] += [(number, *row) for row in rows]
        expected["records"].append((number, len(line), None))
    for table, columns in TABLES.items():
        sql = f"SELECT line, {columns} FROM {table}"
        if table != "records":
            sql += " JOIN (SELECT game, line FROM records) USING (game)"
        found = Counter(map(repr, store.rows(sql).rows))
        wanted = Counter(map(repr, expected[table]))
        assert found == wanted, (table, list(found - wanted)[:3], list(wanted - found)[:3])
    return {table: len(rows) for table, rows in expected.items()}


def recount(game: Raw) -> dict[str, Rows]:
    """The rows of one game, by table."""
    rows: dict[str, Rows] = {table: [] for table in TABLES}
    result, names = game["result"], [player["name"] for player in game["players"]]
    sides = game.get("sides") or [[seat] for seat in range(len(names))]
    complete = result["status"] == "complete"
    before = [0] * len(sides)
    for number, deal in enumerate(game["deals"]):
        _Recount(game, sides, number, deal, before).add_to(rows)
        if "settlement" not in result:
            before = [a + b for a, b in zip(before, deal["claims"]["scores"], strict=True)]
    events = sum(len(deal["events"]) for deal in game["deals"])
    rows["games"].append(
        (
            game["rules"]["id"], len(names), names, game["meta"]["event"], game["provenance"]["program"],
            "legal" if complete else "incomplete", result["status"], complete, result.get("winner"),
            result["scores"], result.get("settlement"), len(game["deals"]), events,
            0 if complete else 1, complete,
        )
    )  # fmt: skip
    return rows


class _Recount:
    """One deal of a game, counted from its events."""

    def __init__(
        self, game: Raw, sides: list[list[int]], number: int, deal: Raw, before: list[int]
    ) -> None:
        self.game, self.deal, self.events, self.before = game, deal, deal["events"], before
        self.seats = range(len(game["players"]))
        self.side = [next(i for i, side in enumerate(sides) if seat in side) for seat in self.seats]
        self.points: list[int] = deal["claims"]["scores"]
        self.start = (number, game["rules"]["id"], True)
        self.tricks = list(tricks(deal))
        self.missed = lets_go(deal) if self.tricks else []
        self.trump = trump_of(deal)
        dealer = deal["dealer"]
        self.roles = [
            ("dealer", "leader", "other")[min((seat - dealer) % len(self.seats), 2)]
            for seat in self.seats
        ]
        self.scored = list(self._scored())
        assert self._by_side() == self.points, (game["meta"], number)
        best = max(self.points)
        self.winner = self.points.index(best) if self.points.count(best) == 1 else None

    def _by_side(self) -> list[int]:
        return [
            sum(one[6] for one in self.scored if self.side[one[2]] == side)
            for side in range(len(self.points))
        ]

    def _scored(self) -> Iterator[tuple[int, int, int, str, str | None, bool | None, int]]:
        """Every event with points: index, tricks done, seat, source, meld, whether all trumps, points."""
        ends = [trick[0] for trick in self.tricks]
        for index, event in enumerate(self.events):
            if not event.get("points"):
                continue
            source = event["for"] if event["type"] == "score" else event["type"]
            index = self._earned(index, source)
            done = sum(end <= index for end in ends)
            meld = event["meld"] if source == "meld" else None
            royal = {card[1] for card in event["cards"]} == {self.trump} if meld else None
            yield index, done, event["seat"], source, meld, royal, event["points"]

    def _earned(self, index: int, source: str) -> int:
        """Where points were earned that an event tells of afterwards: by a card, the cut, the deal."""
        if source in BY_THE_DEAL:
            return -1
        told_of = ("cut",) if source in BY_THE_CUT else PUT_DOWN
        if source in (*BY_PLAY, *BY_THE_CUT) or self.events[index].get("action") == "play":
            return max(i for i in range(index) if self.events[i]["type"] in told_of)
        return index

    def add_to(self, rows: dict[str, Rows]) -> None:
        """Put the rows of the deal into the tables."""
        rows["deals"].append(self._deal())
        rows["seats"] += map(self._seat, self.seats)
        rows["tricks"] += self._tricks()
        for index, done, seat, source, meld, royal, points in self.scored:
            end = (points, self.side[seat], self.roles[seat])
            rows["scores"].append((*self.start, index, done, seat, source, meld, royal, *end))
            if meld:
                rows["melds"].append((*self.start, index, done, seat, meld, royal, *end))

    def _deal(self) -> tuple[Any, ...]:
        best, second = sorted(self.points, reverse=True)[:2]
        leader = self.tricks[0][1] if self.tricks else None
        return (
            *self.start, True, False, True, self.deal["dealer"], leader, self.trump,
            self.deal.get("turn_up"), len(self.tricks), len(self.events), 0, self.points, self.winner,
            best - second, self.before,
        )  # fmt: skip

    def _seat(self, seat: int) -> tuple[Any, ...]:
        player, side, result = self.game["players"][seat], self.side[seat], self.game["result"]
        own = [one for one in self.scored if one[2] == seat]
        by_source = [sum(one[6] for one in own if one[3] == source) for source in SOURCES]
        won = [trick for trick in self.tricks if trick[2] == seat]
        beaten = [points for other, points in enumerate(self.points) if other != side]
        level = self.points.count(self.points[side]) > 1
        outcome = 0.0 if self.points[side] < max(self.points) else 0.5 if level else 1.0
        two = len(self.seats) == 2
        started = self.game["meta"].get("started")
        match = 0.5 if result.get("winner") is None else float(result["winner"] == side)
        missed = sum(
            m for m, trick in zip(self.missed, self.tricks, strict=True) if trick[1] != seat
        )
        return (
            *self.start, seat, side, player["name"], player.get("id"), player.get("kind"),
            date.fromisoformat(f"{started[:7]}-01") if started else None, self.roles[seat],
            sum(HONOURS.get(card[0], 0) for card in self.deal["hands"][seat]), sum(by_source), outcome,
            *by_source, sum(one[4] is not None for one in own), len(won), sum(trick[3] for trick in won),
            bool(self.tricks) and self.tricks[-1][2] == seat,
            self.game["players"][1 - seat]["name"] if two else None, max(beaten), len(self.tricks), missed,
            self.before[side], max(b for other, b in enumerate(self.before) if other != side),
            match if result["status"] == "complete" else None, self.game["provenance"]["program"],
            len(self.seats), *self._sums(seat, side), self.points[side] - sum(by_source),
        )  # fmt: skip

    def _sums(self, seat: int, side: int) -> tuple[int, ...]:
        """What the tricks that a seat led come to, all tricks, and its scores."""
        rows = list(self._tricks())
        led = [row for row in rows if row[7] == seat]
        own = [one for one in self.scored if one[2] == seat]
        melds = [one for one in own if one[4]]
        decided = [row for row in led if row[-2] and self.winner is not None]
        return (
            len(led), sum(row[8] == seat for row in led), sum(row[9] for row in led),
            sum(row[-1] for row in led), len(led), sum(abs(row[-2]) for row in led),
            sum(abs(row[-3]) for row in led), len(decided),
            sum((row[-2] < 0) == self.winner for row in decided),
            sum(row[-2] if side == 0 else -row[-2] for row in rows),
            len(own), sum(bool(one[5]) for one in melds), sum(one[1] > 0 for one in melds), sum(one[1] for one in melds),
        )  # fmt: skip

    def _tricks(self) -> Iterator[tuple[Any, ...]]:
        ahead = [0] * (len(self.tricks) + 1)
        for _, done, seat, *_, points in self.scored:
            if self.tricks:
                ahead[done] += points * (1 - 2 * self.side[seat])
        leads = list(accumulate(ahead))
        types = [event["type"] for event in self.events]
        drawn = max([i for i, kind in enumerate(types) if kind == "draw"], default=-1)
        won = 0
        for number, (index, leader, winner, brisques) in enumerate(self.tricks):
            won += 1 - 2 * winner
            yield (
                *self.start, self.winner, number, index, index > drawn, leader, winner, brisques, won,
                leads[number + 1], self.missed[number],
            )  # fmt: skip


def trump_of(deal: Raw) -> str | None:
    """The suit turned up, or that of the first marriage or sequence where nothing is."""
    if "turn_up" in deal:
        return str(deal["turn_up"][1])
    makers = ("marriage", "sequence")
    firsts = [event["cards"] for event in deal["events"] if event.get("meld") in makers]
    tricked = any(event["type"] == "trick" for event in deal["events"])
    return str(firsts[0][0][1]) if firsts and tricked else None


def tricks(deal: Raw) -> Iterator[tuple[int, int, int, int]]:
    """Each trick: the index of its second card, who led, who won, the brisques in it."""
    plays = [(i, event) for i, event in enumerate(deal["events"]) if event["type"] == "play"]
    winners = [event["winner"] for event in deal["events"] if event["type"] == "trick"]
    for number, winner in enumerate(winners):
        (_, led), (index, reply) = plays[2 * number : 2 * number + 2]
        yield (
            index,
            led["seat"],
            winner,
            sum(card[0] in "AT" for card in (led["card"], reply["card"])),
        )


def takes(card: str, led: str, trump: str | None) -> bool:
    """Whether a card takes the one led."""
    if card[1] == led[1]:
        return ORDER.index(card[0]) < ORDER.index(led[0])
    return card[1] == trump


def could_take(hand: Counter[str], led: str, trump: str | None, *, closed: bool) -> bool:
    """Whether a hand may take the card led: after the close it has to follow suit."""
    cards = [card for card, count in hand.items() if count > 0]
    same = [card for card in cards if card[1] == led[1]]
    return any(takes(card, led, trump) for card in (same if closed and same else cards))


def lets_go(deal: Raw) -> list[bool]:
    """For each trick, whether an ace or ten led was let go, though it could have been taken."""
    hands = [Counter(hand) for hand in deal["hands"]]
    turned = deal.get("turn_up")
    trump = turned[1] if turned else None
    types = [event["type"] for event in deal["events"]]
    last_draw = len(types) - 1 - types[::-1].index("draw")
    led: str | None = None
    found: list[bool] = []
    for index, event in enumerate(deal["events"]):
        match event["type"]:
            case "draw":
                hands[event["seat"]][event["card"]] += 1
            case "dix" if event["action"] == "exchange":
                seven = event.get("card") or f"7{trump}"
                hands[event["seat"]][turned] += 1
                hands[event["seat"]][seven] -= 1
                turned = seven
            case "meld" if trump is None and event["meld"] in ("marriage", "sequence"):
                trump = event["cards"][0][1]
            case "play" if led is None:
                led = event["card"]
                hands[event["seat"]][led] -= 1
            case "play":
                hand, reply = hands[event["seat"]], event["card"]
                may = could_take(hand, led, trump, closed=index > last_draw)
                found.append(led[0] in "AT" and may and not takes(reply, led, trump))
                hand[reply] -= 1
                led = None
    return found
