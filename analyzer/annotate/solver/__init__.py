"""The close solved exactly: both hands are known, and nothing is left to draw."""
