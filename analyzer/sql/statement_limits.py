"""What a visitor's SQL statement may cost: its length, its time, its rows, and how many run at once."""

LONGEST_STATEMENT = 10_000
"""The most characters a statement may have."""

STATEMENT_SECONDS = 3.0
"""The longest a statement may run."""

STATEMENTS_AT_ONCE = 2
"""Visitors' statements that may run at the same time."""

SLOT_WAIT_SECONDS = 5.0
"""The longest a statement waits until another one has ended."""

MOST_SQL_ROWS = 1_000
"""The most rows of an answer."""

MOST_ANSWER_CHARACTERS = 2 * 1024 * 1024
"""The most characters an answer may have."""
