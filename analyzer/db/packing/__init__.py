"""How records are stored: packed, each on its own."""
