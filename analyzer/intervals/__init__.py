"""Confidence intervals of everything that is counted in matches: one method, in SQL, for all questions."""
