"""How long the page of one step of a game takes to answer."""

from tests.bench.figures import Figure


def figures() -> list[Figure]:
    """Nothing yet."""
    return []
