"""Reviews: what the best play was, exact after the close, and what was missed before it."""
