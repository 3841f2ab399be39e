"""The conformance kit: cases for programs that read or check records, the protocol to ask them, and the results."""

SECONDS_PER_ANSWER = 10.0
"""How long an answer may take unless the caller sets another limit."""
