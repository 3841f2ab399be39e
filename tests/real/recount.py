"""A recount of a real match from its plain JSON: hands, tricks, aces and tens, sevens, points.

These programs play two packs by the standard books, more or less; this knows only as much of the
rules as their matches need, and nothing of this project's code.
"""

from collections import Counter
from typing import Any

ORDER = "789JQKTA"
WORTH = {
    "four_aces": 100, "four_kings": 80, "four_queens": 60, "four_jacks": 40, "bezique": 40,
    "double_bezique": 500, "sequence": 250,
}  # fmt: skip
Event = dict[str, Any]


class Recount:
    """One deal: what is so before each event, and what it came to."""

    def __init__(self, deal: Event) -> None:
        self.deal = deal
        self.events: list[Event] = deal["events"]
        self.trump = deal["turn_up"][1]
        self.hands = [Counter(hand) for hand in deal["hands"]]
        self.lies = deal["turn_up"]
        self.lead: str | None = None
        self.winner: int | None = None
        self.melded = 0
        self.drawn = 0
        self.brisques = [0, 0]
        self.points = [0, 0]
        self.sevens = 0
        self.before: list[tuple[Counter[str], str | None, int | None, int, int]] = []
        self.tricks = 0
        spent = self.lies if self.lies[0] == "7" else None
        if spent:
            self.points[deal["dealer"]] += 10
        self.spent = [Counter[str](), Counter[str]()]
        self.spent_lies = bool(spent)
        for event in self.events:
            seat = event.get("seat", 0)
            self.before.append(
                (Counter(self.hands[seat]), self.lead, self.winner, self.melded, self.drawn)
            )
            getattr(self, event["type"])(event)
        self.last_draw = max(i for i, event in enumerate(self.events) if event["type"] == "draw")
        self.over = not any(hand.total() for hand in self.hands)
        if self.over and self.winner is not None:
            self.points[self.winner] += 10
            self.points = [p + 10 * b for p, b in zip(self.points, self.brisques, strict=True)]

    def play(self, event: Event) -> None:
        seat, card = event["seat"], event["card"]
        self.hands[seat] -= Counter([card])
        if card[:2] == "7" + self.trump:
            # Like sevens are played one after the other: in the end each fresh one has scored once.
            if self.spent[seat].total() > self.hands[seat]["7" + self.trump]:
                self.spent[seat].clear()
            elif card not in self.spent[seat] or len(card) == 2:
                self.points[seat] += 10
        if self.lead is None:
            self.lead, self.leader = card, seat
            return
        led, self.lead = self.lead, None
        same = card[1] == led[1]
        wins = ORDER.index(card[0]) > ORDER.index(led[0]) if same else card[1] == self.trump
        self.winner = seat if wins else self.leader
        self.brisques[self.winner] += (led[0] in "AT") + (card[0] in "AT")
        self.melded = self.drawn = 0
        self.tricks += 1

    def trick(self, event: Event) -> None:
        assert event["winner"] == self.winner

    def draw(self, event: Event) -> None:
        seat, card = event["seat"], event["card"]
        self.hands[seat][card] += 1
        self.drawn += 1
        rest = sum(event["type"] == "draw" for event in self.events[len(self.before) :])
        if not rest and self.spent_lies and card == self.lies:
            self.spent[seat][card] += 1

    def meld(self, event: Event) -> None:
        self.melded += self.worth(event) > 0  # what is no such meld is not laid
        self.points[event["seat"]] += self.worth(event)

    def worth(self, event: Event) -> int:
        """The points of a meld; none if its cards are not what it is called."""
        name, faces = event["meld"], sorted(card[:2] for card in event["cards"])
        if name == "marriage":
            return 40 if faces[0][1] == self.trump else 20
        if name == "sequence" and faces != sorted(rank + self.trump for rank in "ATKQJ"):
            return 0
        if name == "bezique" and faces != ["JD", "QS"]:
            return 0
        return WORTH[name]

    def dix(self, event: Event) -> None:
        if event["action"] == "play":
            return
        seat = event["seat"]
        self.points[seat] += 10
        seven = event.get("card") or next(c for c in self.hands[seat] if c[:2] == "7" + self.trump)
        if event["action"] == "show":
            self.spent[seat][seven] += 1
            return
        self.hands[seat] -= Counter([seven])
        self.hands[seat][self.lies] += 1
        self.lies, self.spent_lies = seven, True

    def score(self, event: Event) -> None:
        pass
