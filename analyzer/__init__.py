"""Statistics: games and deals in DuckDB, questions as SQL files, answers as figures."""
