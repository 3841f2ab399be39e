"""What only Zetema has: turns without tricks, and the marriages of its tableau."""
