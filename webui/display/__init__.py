"""How verdicts, laws and cards are shown on pages, and tables written as CSV."""
