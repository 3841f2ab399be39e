"""The chance of winning the match, beside the points of a choice."""
