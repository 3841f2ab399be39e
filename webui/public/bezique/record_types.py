"""The structs of records and reports, and the names in them as types.

At run time these are the structs of the project themselves. Type checkers read `record_types.pyi` instead, which
`python -m tests.package.make_types` writes: it spells out every card, meld, rule sheet and finding code.
"""

from typing import Literal

from records.events import (
    AnyEvent,
    Card,
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Event,
    Irregular,
    Meld,
    MeldName,
    Play,
    Score,
    ScoreName,
    Trick,
)
from records.record import (
    Claims,
    Deal,
    Laid,
    Line,
    Note,
    Player,
    Provenance,
    Record,
    Result,
    Rules,
    Setup,
)
from records.rules.registry import ALL_SHEETS
from records.validate.codes import FINDING_CODES
from records.validate.finding import Cause, Finding, Place, Verdict
from records.validate.report import Assignments, Claim, FindingGroup, Report, ResolvedRules

SheetId = Literal[*(sheet.id for sheet in ALL_SHEETS)]
"""The name of a rule sheet, as `rules.id` has it."""
CodeName = Literal[*FINDING_CODES]
"""The code of a finding."""

STRUCTS = (
    Play, Trick, Draw, Meld, Declare, Dix, CarteBlanche, Discard, Cut, Score, Irregular,
    Rules, Player, Laid, Setup, Claims, Deal, Result, Note, Line, Provenance, Record,
    Place, Cause, Finding, FindingGroup, ResolvedRules, Assignments, Claim, Report,
)  # fmt: skip
"""Every struct of this module, each after those that it is made of."""
