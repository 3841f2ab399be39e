"""What a finding code is: its severity, the article of the rules it speaks of, and its words."""

from dataclasses import dataclass

from records.validate.finding import Severity

__all__ = ["Code", "Severity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One documented code; `article` is a rule sheet's article, empty where none applies."""

    code: str
    severity: Severity
    title: str
    meaning: str
    article: str = ""
