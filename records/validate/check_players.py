"""Whether a rulebook is for the players of a record, and for the sides that they form."""

from collections.abc import Sequence

from records.phrases import join_words
from records.record import Record
from records.rules.vocabulary import RuleSheet
from records.validate.codes import FINDING_CODES
from records.validate.finding import Finding, Place


def check_players(record: Record, sheet: RuleSheet, line: int | None = None) -> Finding | None:
    """What keeps a rulebook from being played by the players of a record; `line` is that of the record in its file."""
    found, numbers = len(record.players), sheet.rules.players
    if found in numbers:
        return check_sides(record, sheet, line)
    code = FINDING_CODES["wrong-number-of-players"]
    players = join_words(list(map(str, numbers)), "or")
    return Finding(
        code=code.code,
        severity=code.severity,
        at=Place(pointer="/players", line=line),
        message=code.sentence(sheet=sheet.name, players=players, found=found),
        rule=f"{sheet.id}/{code.article}",
        expected=_either(numbers),
        found=str(found),
    )


def check_sides(record: Record, sheet: RuleSheet, line: int | None = None) -> Finding | None:
    """What keeps the players of a record from forming its sides; a rulebook says who may be partners."""
    players = len(record.players)
    sizes = sheet.rules.partner_sizes.get(players, ())
    wrong = sorted({len(side) for side in record.sides or ()} - {1, *sizes})
    if not wrong:
        return None
    code, clause = FINDING_CODES["sides-not-in-rules"], "some" if sizes else "none"
    facts = {"sheet": sheet.name, "players": players, "found": _either(wrong)}
    return Finding(
        code=code.code,
        severity=code.severity,
        at=Place(pointer="/sides", line=line),
        message=code.sentence(clause, sizes=_either(sizes), **facts),
        clause=clause,
        rule=f"{sheet.id}/{code.article}",
        expected=_either((1, *sizes)),
        found=_either(wrong),
    )


def _either(numbers: Sequence[int]) -> str:
    return " or ".join(map(str, numbers))
