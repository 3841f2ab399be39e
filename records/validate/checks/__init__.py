"""The checks, one module for each thing they examine: deals, plays, draws, melds, dixes, scores, games."""
