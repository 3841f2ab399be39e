"""What a visitor's SQL statement may cost: its length, time, memory and rows, and how many run at once."""

LONGEST_STATEMENT = 10_000
"""The most characters a statement may have."""

STATEMENT_SECONDS = 3.0
"""The longest a statement may run."""

KILL_SECONDS = 0.5
"""How much longer a statement may take to stop when it is told to; after that its process is killed."""

STATEMENT_THREADS = 2
"""The threads that work on a statement."""

STATEMENT_MEMORY = "192MB"
"""The memory that DuckDB may use for a statement, its cache of the database included; nothing goes to the disk."""

PROCESS_BYTES = 768 * 1024 * 1024
"""The address space of a process that runs statements: planning is not counted in DuckDB's own limit."""

RETIREMENT_BYTES = 320 * 1024 * 1024
"""A process that has ever used more memory than this is replaced after the statement, and so is one that keeps
three quarters of the address space that it may have."""

IDLE_SECONDS = 60.0
"""After so long without a statement, a process forgets what it has cached of the database."""

STATEMENTS_AT_ONCE = 2
"""Visitors' statements that may run at the same time; of one visitor, only one."""

SPARE_PROCESSES = 1
"""Processes beyond those, which stand ready while a killed one is replaced."""

START_SECONDS = 15.0
"""The longest a process may take to start."""

MOST_SQL_ROWS = 1_000
"""The most rows of an answer."""

MOST_COLUMNS = 500
"""The most columns of an answer."""

MOST_NESTING = 50
"""The most levels of lists and structs inside one another in a cell."""

MOST_ANSWER_CHARACTERS = 2 * 1024 * 1024
"""The most characters an answer may have; a number counts as 16."""

MOST_REPLY_BYTES = 16 * 1024 * 1024
"""The longest message that is accepted from a process; an answer within the other limits is shorter."""
