"""Every finding code of the project: stable, documented, never reused."""

from records.validate.code import Code
from records.validate.codes_decoding import CODES as DECODING_CODES
from records.validate.codes_play import CODES as PLAY_CODES
from records.validate.codes_rules import CODES as RULES_CODES

__all__ = ["CODES", "Code"]

CODES: dict[str, Code] = {**DECODING_CODES, **RULES_CODES, **PLAY_CODES}
