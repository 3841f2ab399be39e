"""Which records of one upload tell of one match: the fullest stands for it, and the others are told how they stand to that.

What is stored already does not matter here. The same records come to the same relations in any order; of several with the
same play the first stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from analyzer.ingest.batch import base_name
from analyzer.ingest.matches import MOST_CANDIDATE_BYTES, plays_of, uploaded_and_corrected
from analyzer.store.player_names import PeopleNames
from records.format.files import Entry
from records.match_play import MatchPlay, Relation, may_be_one_match, relate

MOST_RELATED = 1_000
"""So many records that begin alike are compared with each other, and `MOST_CANDIDATE_BYTES` of them, the largest first."""
MOST_PLAYS = 100
"""So many different plays among them are compared, the fullest first."""


class SentMatch(msgspec.Struct, frozen=True):
    """Where the fullest record of a match stands in the same upload, its `number` from 0, and how another stands to it."""

    number: int
    name: str
    line: int | None
    relation: str


@dataclass(frozen=True, slots=True)
class AlikeRecords:
    """Records of an upload that begin alike, each with its number, and who is who."""

    names: PeopleNames
    records: list[tuple[int, Entry]]


@dataclass(slots=True)
class AlikeBeginnings:
    """The new records of an upload by what they begin with; only those that begin as others do are asked for again."""

    _first: dict[int, int] = field(default_factory=dict)
    _above: dict[int, int] = field(default_factory=dict)
    _order: dict[int, tuple[int, str]] = field(default_factory=dict)

    def add(self, number: int, traces: Sequence[int], size: int, content: str) -> None:
        """A record by its number: its traces, its size in bytes, and the digest of its bytes."""
        self._order[number] = -size, content
        for trace in traces:
            other = self._root(self._first.setdefault(trace, number))
            own = self._root(number)
            if other != own:
                self._above[own] = other

    def _root(self, number: int) -> int:
        while (above := self._above.get(number, number)) != number:
            self._above[number] = self._above.get(above, above)
            number = above
        return number

    def groups(self) -> Iterator[list[int]]:
        """The numbers of records that begin alike, two at least, and as many as are compared."""
        groups: dict[int, list[int]] = {}
        for number in self._above:
            groups.setdefault(self._root(number), []).append(number)
        for root, others in groups.items():
            members = sorted({root, *others}, key=self._order.__getitem__)[:MOST_RELATED]
            yield list(self._as_many_as_may_be_read(members))

    def _as_many_as_may_be_read(self, members: Sequence[int]) -> Iterator[int]:
        read = 0
        for place, number in enumerate(members):
            read -= self._order[number][0]
            if place > 1 and read > MOST_CANDIDATE_BYTES:
                return
            yield number

    def passes(self) -> Iterator[list[list[int]]]:
        """These groups, as many at a time as may have their records in memory."""
        some: list[list[int]] = []
        size = 0
        for group in self.groups():
            some.append(group)
            size -= sum(self._order[number][0] for number in group)
            if size >= MOST_CANDIDATE_BYTES:
                yield some
                some, size = [], 0
        if some:
            yield some


def relate_records(alike: AlikeRecords) -> dict[int, SentMatch]:
    """Where the fullest record of its match stands, by the number of each other record of that match."""
    told_by: dict[str, list[tuple[int, Entry]]] = {}
    plays: dict[str, MatchPlay] = {}
    for number, entry in sorted(alike.records, key=lambda pair: pair[0]):
        for play in plays_of(uploaded_and_corrected(entry.data), alike.names):
            key = play.key
            plays[key] = play
            told_by.setdefault(key, []).append((number, entry))
    ranked = sorted(plays, key=lambda key: (-plays[key].fullness, key))[:MOST_PLAYS]
    found: dict[int, SentMatch] = {}
    for group in join_plays([plays[key] for key in ranked]):
        fullest = ranked[group[0]]
        for key in [ranked[place] for place in group]:
            relation = relate(plays[key], plays[fullest]) or Relation.VIEW
            found |= _tell(told_by[key], *told_by[fullest][0], relation)
    return found


def _tell(
    records: Sequence[tuple[int, Entry]], fullest: int, place: Entry, relation: Relation
) -> dict[int, SentMatch]:
    match = SentMatch(fullest, base_name(place.name), place.line, str(relation))
    return {number: match for number, _ in records if number != fullest}


def join_plays(ranked: Sequence[MatchPlay]) -> list[list[int]]:
    """Different plays, the fullest first, by match, each as its place here.

    No two plays of a match contradict each other, even if a third fits both.
    """
    groups: list[list[int]] = []
    for place, play in enumerate(ranked):
        joined = [place]
        for group in [each for each in groups if any(relate(play, ranked[one]) for one in each)]:
            if all(may_be_one_match(ranked[a], ranked[b]) for a in joined for b in group):
                groups.remove(group)
                joined = sorted([*group, *joined])
        groups = sorted([*groups, joined])
    return groups
