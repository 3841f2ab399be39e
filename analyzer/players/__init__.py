"""Players: who there are, how strong they are, and the chance of winning a match."""
