"""Players: the directory, ratings, and the chance of winning a match."""
