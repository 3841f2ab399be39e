"""Which code is told first where one thing has several faults: the order of the checks, as the page of findings has it."""

from collections.abc import Mapping

WINDOW = ("meld-out-of-window", "meld-by-loser")
NO_MELD = ("meld-not-in-rules", "wrong-cards-for-meld")
DEAL_OF_CARDS = ("card-not-in-pack", "too-many-copies", "card-twice")

FAULT_ORDER: Mapping[str, tuple[str, ...]] = {
    "`play`": (
        "event-not-in-rules", "event-after-end", "draw-missing", "out-of-turn", "card-not-in-pack", "card-not-held",
        "not-on-table", "not-in-hand", "must-trump", "must-beat", "must-follow-suit",
    ),
    "`draw`": (
        "draw-not-due", "draw-out-of-turn", "card-not-in-pack", "wrong-card-drawn", "no-such-card-left",
    ),
    "`meld`": (
        *WINDOW, "meld-after-close", "too-many-melds", "card-not-in-pack", "meld-card-not-held", *NO_MELD,
        "meld-reuses-cards", "wrong-meld-points",
    ),
    "`declare`": (
        "event-not-in-rules", *WINDOW, "card-not-in-pack", "meld-card-not-held", "meld-after-close", "no-pending-melds",
        *NO_MELD,
    ),
    "`dix`, exchanged or shown": (
        "event-not-in-rules", "dix-not-in-rules", "dix-out-of-window", "card-not-in-pack", "dix-not-held",
        "too-many-melds", "nothing-to-exchange", "dix-spent", "wrong-dix-points",
    ),
    "`dix`, played": (
        "event-not-in-rules", "dix-not-played", "dix-not-in-rules", "dix-spent", "wrong-dix-points",
    ),
    "`carte_blanche`": (
        "event-not-in-rules", "not-blank", "carte-blanche-too-late", "wrong-score-points",
    ),
    "`cut`": ("event-not-in-rules", "cut-out-of-place", "impossible-cut"),
    "`trick`": ("event-not-in-rules", "trick-out-of-place", "wrong-trick-winner"),
    "`score`": (
        "score-not-earned", "wrong-brisques", "scored-twice", "score-out-of-place", "wrong-score-points",
    ),
    "`meld` in Zetema": (
        "event-after-end", "out-of-turn", "draw-missing", "meld-after-close", "too-many-melds", *NO_MELD,
        "not-on-tableau", "card-not-in-pack", "meld-card-not-held", "marriage-without-hand-card", "wrong-meld-points",
    ),
    "`discard`": (
        "event-not-in-rules", "event-after-end", "out-of-turn", "draw-missing", "card-not-in-pack", "card-not-held",
        "discard-not-of-combination", "must-go-on",
    ),
    "what was dealt": (
        "wrong-dealer", "wrong-number-of-hands", "wrong-hand-size", "turn-up-missing", "turn-up-not-in-rules",
        *DEAL_OF_CARDS, "wrong-stock-size", "deal-after-game-won",
    ),
    "a `setup`": (
        "wrong-dealer", "setup-not-in-rules", "turn-up-not-in-rules", "trumps-not-turned-up", "no-meld-on-table",
        "impossible-pile", "impossible-trick", "hand-too-large", "uneven-hands", "impossible-stock", "wrong-stock-size",
        "impossible-captures", "impossible-brisques", "impossible-spent-dix", *DEAL_OF_CARDS, "deal-after-game-won",
    ),
    "the end of a deal": ("deal-cut-short", "wrong-brisques", "wrong-deal-scores"),
    "`result`": (
        "wrong-result-scores", "wrong-winner", "settlement-not-in-rules", "wrong-settlement", "wrong-status",
    ),
}  # fmt: skip
"""The codes of everything that may have several faults, the first to be told first. The checks decide; a test compares."""

_HEAD = """## If an event has several faults

All faults of an event are findings of a report. The first of them is the `code` that the
[conformance kit](conformance.md) compares. It is the first in this table that fits, whether a rule is broken or a claim
wrong. A fault that only matters without an earlier one need not be told at all: who leads out of turn owes no suit.
"""


def fault_order_table() -> list[str]:
    """The chapter of the page of findings that says which code comes first."""
    rows = [
        f"| {what} | {', '.join(f'`{code}`' for code in FAULT_ORDER[what])} |"
        for what in FAULT_ORDER
    ]
    notes = [
        "",
        "- A card that is no dix is `dix-not-held`. For a seven played after the close where it scores no more,"
        " `dix-not-in-rules` comes after `dix-not-played`; where the game has no dix at all, it comes first.",
        "- `not-blank` looks at the hand as it is when it is shown: with a court card in it, it is never"
        " `carte-blanche-too-late`.",
        "- Points that another player earned are `score-not-earned`, also if that player has scored them already;"
        " `scored-twice` is the same player's second claim.",
        "- Brisques: `wrong-brisques` if more are claimed than were taken so far; else `wrong-score-points` if `count` and"
        " `points` of one event disagree; too few are `wrong-brisques` of the deal, when it is over.",
        "",
    ]  # fmt: skip
    return [_HEAD, "| fault of | first the first that fits |", "| --- | --- |", *rows, *notes]
