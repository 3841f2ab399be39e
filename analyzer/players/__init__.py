"""Players: the directory, ratings, and the chance of winning a match."""

from importlib.resources import files


def players_sql(name: str) -> str:
    """The text of a file of SQL in this folder."""
    return (files(__name__) / f"{name}.sql").read_text(encoding="utf-8")
