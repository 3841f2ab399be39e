"""The Bezique family's game records: the format, the rules, the replay and the validator."""
