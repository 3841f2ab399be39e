"""What a finding code is: its severity, the article of the rules it speaks of, and its words."""

from dataclasses import dataclass

from records.validate.finding import Severity

__all__ = ["FindingCode", "Severity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingCode:
    """One documented code; `article` is a rule sheet's article, empty where none applies."""

    code: str
    severity: Severity
    title: str
    meaning: str
    article: str = ""
