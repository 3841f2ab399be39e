"""The rule sheets: one rulebook a file, one value a file."""
