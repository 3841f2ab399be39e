"""How busy the server is: what it counts, and how it tells it."""
