"""The file of the database: opened, watched, copied, and what DuckDB's errors say about it."""
