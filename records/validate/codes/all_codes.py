"""Every finding code of the project: stable, documented, never reused."""

from records.validate.codes.claim_codes import CLAIM_CODES
from records.validate.codes.code import FindingCode
from records.validate.codes.decoding_codes import DECODING_CODES
from records.validate.codes.illegal_codes import ILLEGAL_CODES
from records.validate.codes.rules_codes import RULES_CODES
from records.validate.codes.setup_codes import SETUP_CODES

__all__ = ["FINDING_CODES", "FindingCode"]

FINDING_CODES: dict[str, FindingCode] = {
    **DECODING_CODES, **RULES_CODES, **ILLEGAL_CODES, **SETUP_CODES, **CLAIM_CODES
}  # fmt: skip
