"""The checks, by what they look at: deals, plays, draws, melds, dixes, scores, games."""
