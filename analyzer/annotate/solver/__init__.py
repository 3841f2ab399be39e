"""The solver: exact values after the close, when both hands are known and no card is left to draw."""
