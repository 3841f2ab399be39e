"""Marks in the order of rating, from which rating can go on when an earlier match arrives or one is deleted.

A mark keeps the standings after a match, and a fingerprint of the matches since the mark before it. Marks are
dense near the end and sparse far from it, so that there are few, and going back costs little more than it must.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from analyzer.players.rating_method import Standing

MATCHES_BETWEEN_MARKS = 256
"""While many matches are rated, a mark is set after every so many."""


class MatchPlace(NamedTuple):
    """A match's place in the order of rating: when it was played, then the first 60 bits of its digest."""

    played: datetime
    game: int


class MatchesPrint(NamedTuple):
    """A fingerprint of some matches in any order: how many they are, and their hashes combined by XOR."""

    matches: int = 0
    combined: int = 0

    def with_hash(self, hashed: int) -> "MatchesPrint":
        """The fingerprint with another match."""
        return MatchesPrint(self.matches + 1, self.combined ^ hashed)

    def joined(self, other: "MatchesPrint") -> "MatchesPrint":
        """The fingerprint of both groups of matches."""
        return MatchesPrint(self.matches + other.matches, self.combined ^ other.combined)


@dataclass(frozen=True, slots=True)
class RatingMark:
    """A mark: its place, how many matches and rating changes lie up to it, the standings, and `since`.

    `since` is the fingerprint of the matches since the mark before.
    """

    place: MatchPlace
    matches: int
    changes: int
    standings: Mapping[str, Standing]
    since: MatchesPrint


def unchanged_marks(
    marks: Sequence[RatingMark], prints: Mapping[int, MatchesPrint]
) -> Sequence[RatingMark]:
    """The first marks, up to which the stored matches are still those that were rated.

    `prints` are the fingerprints of the stored matches up to each mark, by its index.
    """
    for index, mark in enumerate(marks):
        if prints.get(index, MatchesPrint()) != mark.since:
            return marks[:index]
    return marks


def thinned_marks(marks: Iterable[RatingMark]) -> tuple[RatingMark, ...]:
    """About two marks for every doubling of the distance to the last one; prints of those left out are joined."""
    every = tuple(marks)
    kept: list[RatingMark] = []
    pending = MatchesPrint()
    for mark in every:
        distance = every[-1].matches - mark.matches
        pending = pending.joined(mark.since)
        if mark.matches % _spacing(distance) == 0:
            kept.append(mark if pending == mark.since else replace(mark, since=pending))
            pending = MatchesPrint()
    return tuple(kept)


def _spacing(distance: int) -> int:
    """Marks at such a distance from the last stay if their number of matches is a multiple of this power of two."""
    return int(2 ** max(0, distance.bit_length() - 2))
