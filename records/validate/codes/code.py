"""What a finding code is: its severity, the article of the rules it belongs to, and its words."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from records.validate.codes.habits import HABITS
from records.validate.finding import Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingCode:
    """One documented code; `article` is a rule sheet's article, empty where none applies.

    `message` is the template of a finding's sentence, with named places such as `{player}`. Where one part of
    the sentence reads in several ways, it is the place `{clause}`, and `clauses` has the ways by name.
    """

    code: str
    severity: Severity
    title: str
    message: str
    meaning: str
    article: str = ""
    clauses: Mapping[str, str] = field(default_factory=dict)

    def sentence(self, clause: str = "", **facts: object) -> str:
        """The message with these facts in its places; raises KeyError if one is missing."""
        if clause:
            facts["clause"] = self.clauses[clause].format_map(facts)
        return self.message.format_map(facts)

    def habit(self, clause: str = "") -> str:
        """What several findings of this code and clause are, without a full stop: `The loser of the trick draws first`."""
        words = HABITS.get(self.code, self.title)
        return words if isinstance(words, str) else words.get(clause, self.title)

    def habit_sentence(self, clause: str = "", *, count: int, place: str) -> str:
        """The habit with the number of findings and the place of the first: `..., first in deal 2`."""
        times = "twice" if count == 2 else f"{count:,} times"
        first = f", first {place}" if place else ""
        return f"{self.habit(clause)}: {times}{first}."


Row = tuple[str, str, str, str, str] | tuple[str, str, str, str, str, Mapping[str, str]]
"""A code of the replay: code, article, title, message, meaning, and the message's clauses if it has any."""


def make_codes(severity: Severity, *rows: Row) -> dict[str, FindingCode]:
    """Codes of one severity by their names."""
    return {
        code: FindingCode(
            code=code,
            severity=severity,
            article=article,
            title=title,
            message=message,
            meaning=meaning,
            clauses=clauses[0] if clauses else {},
        )
        for code, article, title, message, meaning, *clauses in rows
    }
