"""The SQL of confidence intervals, as common table expressions that a question continues.

What chance draws is a match, with all its deals, seats, tricks and scorings: they come together and resemble one
another. A value is therefore a ratio, what all matches count divided by all their units, and its variance is that of
whole matches (Cochran, *Sampling Techniques*, chapter 6), corrected for few matches of unequal size by the method of
Bell and McCaffrey (*Survey Methodology* 28, 2002). For a ratio both their factor and their degrees of freedom have a
closed form, which `intervals.sql` computes.

A match is a row of `games`: however many records tell of it, the one that shows most of it stands there.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

DEVIATIONS_FOR_95_PERCENT = 1.959964
"""Standard deviations to both sides that make a 95 % interval where a model gives the deviation itself."""


IntervalKind = Literal["mean", "share"]
FEWEST_MATCHES: dict[IntervalKind, int] = {"mean": 10, "share": 2}
"""Of fewer matches no interval is told: too many would miss the true value.

Wilson's interval is on the safe side however few there are.
"""
KEY_BITS = 60
"""The keys of matches are random numbers of so many bits, the first of their digests."""
ROWS_FOR_WIDTH = 250_000
"""Rows that are enough to estimate the width of intervals."""
SIZES_OF_TOTALS = """
    SELECT{unit_keys}
        units,
        matches
    FROM totals"""
SIZES_OF_MATCHES = """
    SELECT{unit_keys}
        units,
        count(*) AS matches
    FROM matches
    GROUP BY ALL"""
"""How many matches of each size there are: told by the totals, if units and what is counted have the same keys."""
SHEETS_OF_MATCHES = """sheets AS (
    SELECT{unit_keys}
        min(sheet) <> max(sheet) AS mixed
    FROM matches
    GROUP BY ALL
),
"""
"""Whether matches by several rulebooks are in a group: how often each was played is no chance that an interval knows."""


def sampling_step(rows: int) -> int:
    """Look at one match in so many, a power of two, for the width of intervals, where so many rows are asked about.

    Then those of its rows that are looked at are between three quarters of `ROWS_FOR_WIDTH` and one and a half of it.
    """
    return 1 << max(0, (4 * rows // (3 * ROWS_FOR_WIDTH)).bit_length() - 1)


def sampled(game: str, one_in: int | str) -> str:
    """The SQL condition on a match to be among one in so many: those with the smallest keys.

    Comparing a key takes less time than computing with it, and a match that is among fewer is also among more.
    """
    return f"{game} < {1 << KEY_BITS} // {one_in}"


def sampling_note(one_in: int) -> str:
    """What that does, in words."""
    return (
        f"The width of the intervals is estimated from one match in {one_in}, and `matches` counts these; "
        "the values come from all matches."
    )


def interval_ctes(
    kind: IntervalKind,
    keys: Sequence[str],
    unit_keys: Sequence[str] | None = None,
    *,
    alike: bool = False,
) -> str:
    """The expressions that end with `intervals`: `low`, `high`, `matches` and `freedom` of every group, by `keys`.

    They follow `groups` (`keys`, `value`, `units`) and `matches` (`keys`, `game`, `total`, `units`). With `unit_keys`
    the totals are in `counts` (`keys`, `game`, `total`) and `matches` has `unit_keys`, `game` and `units`. With `alike`
    it also has the `sheet`, and a group of several sheets has no ends.
    """
    counted, sizes = "matches", SIZES_OF_TOTALS
    if unit_keys is not None:
        counted, sizes = f"counts\n    JOIN matches{using([*unit_keys, 'game'])}", SIZES_OF_MATCHES
    units = list(keys if unit_keys is None else unit_keys)
    return _text("intervals").format(
        keys=columns(keys),
        unit_keys=columns(units),
        using=using(keys),
        using_units=using(units),
        using_sizes=using([*units, "units"]),
        counted=counted,
        sizes=sizes.format(unit_keys=columns(units)),
        joined=units_join(keys, units),
        sheets=SHEETS_OF_MATCHES.format(unit_keys=columns(units)) if alike else "",
        join_sheets=f"\n    JOIN sheets{using(units)}" if alike else "",
        told=f"errors.matches >= {FEWEST_MATCHES[kind]}{' AND NOT mixed' if alike else ''}",
        t=_text("t"),
        bounds=_text(kind),
    )


def difference_ctes(keys: Sequence[str], *, alike: bool = False) -> str:
    """The expressions that end with `differences` of two groups: `difference`, `reach`, `matches` and `n`.

    They follow `groups` and `matches`; the last of the `keys` is `second` and has two values. The difference is the
    larger one's value less the smaller one's. Its degrees of freedom are the smaller ones of the two groups. With
    `alike` the matches also have their `sheet`, and groups of several sheets have no reach.
    """
    *other, _ = keys
    return _text("differences").format(
        keys=columns(keys),
        other_keys=columns(other),
        using=using(keys),
        using_other=using(other),
        sheet="\n        any_value(sheet) AS sheet," if alike else "",
        alike="min(sheet) = max(sheet)" if alike else "true",
        fewest=FEWEST_MATCHES["mean"],
        t=_text("t"),
    )


def units_join(keys: Sequence[str], unit_keys: Sequence[str]) -> str:
    """How units are joined with what was counted in them.

    A group of units in which nothing was counted has a rate of 0, and is known only by its units. Where units cannot
    be told apart by every key, only groups in which something was counted are known.
    """
    return "LEFT JOIN" if len(unit_keys) == len(keys) else "JOIN"


def columns(names: Sequence[str]) -> str:
    """Columns at the start of a SELECT list, each in a line of its own."""
    return "".join(f"\n        {name}," for name in names)


def using(names: Sequence[str]) -> str:
    """How two tables with these columns are joined; tables without any have one row each."""
    return f" USING ({', '.join(names)})" if names else " ON true"


@cache
def _text(name: str) -> str:
    file = files("analyzer") / "statistics" / "intervals" / f"{name}.sql"
    return file.read_text(encoding="utf-8").strip()


SELECT_STUDENT_T = f"""
SELECT
    {_text("t")}
FROM (SELECT unnest($inverse_freedoms::DOUBLE[]) AS inverse_freedom)
"""
"""Student's t at 97.5 % for degrees of freedom, each given as one divided by them; none where that is not known."""
