"""The chance of winning a match: a model of every sheet, fitted to stored matches and shrunk towards simulated ones."""
