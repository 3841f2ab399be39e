"""Every finding code of the project: stable, documented, never reused."""

from records.validate.code import Code
from records.validate.codes_play import CODES as PLAY_CODES

__all__ = ["CODES", "Code"]

CODES: dict[str, Code] = {**PLAY_CODES}
