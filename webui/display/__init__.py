"""How verdicts, laws, cards and tables are written and drawn."""
