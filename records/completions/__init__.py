"""The completions of a partial deal: every way to fill in what its record leaves open."""
