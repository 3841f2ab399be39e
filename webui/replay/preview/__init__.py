"""Preview pictures of a position, for programs that show what a link leads to."""
