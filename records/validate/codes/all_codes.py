"""Every finding code of the project: stable, documented, never reused."""

from records.validate.codes.code import Code
from records.validate.codes.decoding_codes import CODES as DECODING_CODES
from records.validate.codes.play_codes import CODES as PLAY_CODES
from records.validate.codes.rules_codes import CODES as RULES_CODES

__all__ = ["CODES", "Code"]

CODES: dict[str, Code] = {**DECODING_CODES, **RULES_CODES, **PLAY_CODES}
