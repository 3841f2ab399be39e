"""The rule sheets: one file per rulebook, and one value in each."""
