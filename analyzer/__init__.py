"""Imports, statistics and reviews: records in DuckDB, questions as SQL files, answers as charts."""
