"""What should have been played: exact where the game is exact."""
