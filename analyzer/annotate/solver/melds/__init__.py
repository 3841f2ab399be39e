"""The melds that a player can still score after the close, computed before the cards are played."""
