"""A day or a moment as people write it: in words, in figures, in several orders."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, time, timedelta
from typing import NamedTuple

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier janv stycznia ledna",
            "february feb februar février fevrier févr fevr lutego února",
            "march mar märz maerz mars marca března",
            "april apr avril avr kwietnia dubna",
            "may mai maja května",
            "june jun juni juin czerwca června",
            "july jul juli juillet juil lipca července",
            "august aug août aout sierpnia srpna",
            "september sep sept septembre września září",
            "october oct oktober okt octobre października října",
            "november nov novembre listopada listopadu",
            "december dec dezember dez décembre decembre déc grudnia prosince",
        ),
        1,
    )
    for name in names.split()
}
"""Months in English, German, French, Polish and Czech, the first three also in short."""
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_FIGURES = re.compile(r"(\d{1,2})[-/. ]{1,2}(\d{1,2})[-/. ]{1,2}(\d{4}|\d{2}(?!\d))")
_WORDS = re.compile(
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.)?\s*(?:of\s+|-)?\s*(?P<month>[^\W\d_]{3,12})\.?,?\s*-?(?P<year>\d{4})"
    r"|(?P<month2>[^\W\d_]{3,9})\.?\s+(?P<day2>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year2>\d{4})",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d{2})(?::00)?)?\s*(?P<half>[ap]\.?m\.?)?(?P<zone>Z|\s*(?:UTC|GMT)|[+-]\d{2}:\d{2})?",
    re.IGNORECASE,
)
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon montag lundi poniedziałek pondělí",
            "tuesday tues tue dienstag mardi wtorek úterý",
            "wednesday wednes wed mittwoch mercredi środa středa",
            "thursday thurs thu thur donnerstag jeudi czwartek čtvrtek",
            "friday fri freitag vendredi piątek pátek",
            "saturday satur sat samstag sonnabend samedi sobota",
            "sunday sun sonntag dimanche niedziela neděle",
        )
    )
    for name in names.split()
}
"""Days of the week in the same languages; Monday is 0."""
_ANY_WEEKDAY = "|".join(sorted(_WEEKDAYS, key=len, reverse=True))
_WEEKDAY = re.compile(rf"(?:on\s+|am\s+|le\s+)?({_ANY_WEEKDAY})\.?,?\s+(?=\S)", re.IGNORECASE)
_WEEKDAY_BEHIND = re.compile(rf"[\s,(]({_ANY_WEEKDAY})\.?\)?\Z", re.IGNORECASE)
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
    """What a text may mean as a date: nothing, one date, or several.

    Day and month may stand in either order, and a day of the week may be another than that of the date: then it is the date that
    is written, or a date with that weekday beside it or a year from it.
    """
    text, weekday = _without_weekday(text.strip())
    readings = _read_without_weekday(text)
    if weekday is None or any(each.day.weekday() == weekday for each in readings):
        return [each for each in readings if weekday is None or each.day.weekday() == weekday]
    if len(readings) != 1:
        return readings
    [written] = readings
    days = [*_days_beside(written.day, weekday), *_days_in_other_years(written.day, weekday)]
    return [written, *(written._replace(day=day) for day in dict.fromkeys(days))]


def _without_weekday(text: str) -> tuple[str, int | None]:
    """The text without a day of the week before or behind it, and that day."""
    if (before := _WEEKDAY.match(text)) is not None:
        return text[before.end() :], _WEEKDAYS[before[1].lower()]
    if (behind := _WEEKDAY_BEHIND.search(text)) is not None:
        return text[: behind.start()].rstrip(" ,("), _WEEKDAYS[behind[1].lower()]
    return text, None


def _days_beside(day: date, weekday: int) -> Iterator[date]:
    """The nearest day of that weekday, if there is one."""
    away = (weekday - day.weekday() + 3) % 7 - 3
    with suppress(OverflowError):
        yield day + timedelta(days=away)


def _days_in_other_years(day: date, weekday: int) -> Iterator[date]:
    """The same day in the year before and in the year after, if it is of that weekday: a year is easily written wrong."""
    for year in (day.year - 1, day.year + 1):
        yield from (each for each in _day(year, day.month, day.day) if each.weekday() == weekday)


def _read_without_weekday(text: str) -> list[WrittenDate]:
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
