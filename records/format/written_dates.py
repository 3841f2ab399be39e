"""A day or a moment as people write it: in words, in figures, in several orders."""

import re
from collections.abc import Iterator
from datetime import date, time
from typing import NamedTuple

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier janv",
            "february feb februar février fevrier févr fevr",
            "march mar märz maerz mars",
            "april apr avril avr",
            "may mai",
            "june jun juni juin",
            "july jul juli juillet juil",
            "august aug août aout",
            "september sep sept septembre",
            "october oct oktober okt octobre",
            "november nov novembre",
            "december dec dezember dez décembre decembre déc",
        ),
        1,
    )
    for name in names.split()
}
"""Months in English, German and French, in full and in short."""
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_FIGURES = re.compile(r"(\d{1,2})[-/. ]{1,2}(\d{1,2})[-/. ]{1,2}(\d{4}|\d{2}(?!\d))")
_WORDS = re.compile(
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.)?\s*(?:of\s+|-)?\s*(?P<month>[^\W\d_]{3,9})\.?,?\s*-?(?P<year>\d{4})"
    r"|(?P<month2>[^\W\d_]{3,9})\.?\s+(?P<day2>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year2>\d{4})",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})(?::00)?)?\s*(?P<half>[ap]\.?m\.?)?(?P<zone>Z|\s*(?:UTC|GMT)|[+-]\d{2}:\d{2})?",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"(?:mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?\.?,?\s+|(?:wed|thu|sat)\.?,?\s+"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag,?\s+|mittwoch,?\s+|sonnabend,?\s+"
    r"|(?:lun|mar|mercre|jeu|vendre|same)di,?\s+|dimanche,?\s+",
    re.IGNORECASE,
)
"""Days of the week, in the same languages; whether they are right is not looked at."""
_BETWEEN = re.compile(r"(?:\s*,)?\s*(?:\bat\b|\bum\b|\bà\b|T)?\s*", re.IGNORECASE)


_FIRST_YEAR_OF_1900 = 70
"""From this on, a year of two digits is of the twentieth century."""


class WrittenDate(NamedTuple):
    """A day, with what is written of the clock: its time, None if there is none, and its offset from UTC, "" if that is not said."""

    day: date
    clock: time | None = None
    offset: str = ""

    def iso(self) -> str:
        """The day, or the day and the time, as ISO 8601 writes them."""
        if self.clock is None:
            return self.day.isoformat()
        return f"{self.day.isoformat()}T{self.clock.isoformat()}{self.offset}"


def read_date(text: str) -> list[WrittenDate]:
    """What a text may mean as a date: nothing, one date, or two if day and month may stand in either order."""
    text = text.strip()
    if (weekday := _WEEKDAY.match(text)) is not None:
        text = text[weekday.end() :]
    for pattern, days in (
        (_ISO, _iso_days),
        (_FIGURES, _days_in_figures),
        (_WORDS, _days_in_words),
    ):
        if (found := pattern.match(text)) is None:
            continue
        rest = text[found.end() :]
        clock = _read_clock(rest[between.end() :] if (between := _BETWEEN.match(rest)) else rest)
        if clock is not None:
            return [WrittenDate(day, *clock) for day in dict.fromkeys(days(found))]
    return []


def _iso_days(found: re.Match[str]) -> Iterator[date]:
    yield from _day(int(found[1]), int(found[2]), int(found[3]))


def _days_in_figures(found: re.Match[str]) -> Iterator[date]:
    first, second, year = int(found[1]), int(found[2]), int(found[3])
    if len(found[3]) == 2:
        year += 1900 if year >= _FIRST_YEAR_OF_1900 else 2000
    yield from _day(year, second, first)
    yield from _day(year, first, second)


def _days_in_words(found: re.Match[str]) -> Iterator[date]:
    part = found.groupdict()
    month = _MONTHS.get((part["month"] or part["month2"]).lower())
    if month is not None:
        yield from _day(int(part["year"] or part["year2"]), month, int(part["day"] or part["day2"]))


def _day(year: int, month: int, day: int) -> Iterator[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        return


def _read_clock(text: str) -> tuple[time | None, str] | None:
    """The time and the offset that a text says; no time if it is empty, and None if it is something else."""
    if not text.strip():
        return None, ""
    found = _CLOCK.fullmatch(text.strip())
    if found is None or not (found["minute"] or found["half"]):
        return None
    hour, half = int(found["hour"]), (found["half"] or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    zone = (found["zone"] or "").strip()
    try:
        return time(hour, int(found["minute"] or 0)), "Z" if zone.upper() in (
            "Z",
            "UTC",
            "GMT",
        ) else zone
    except ValueError:
        return None
