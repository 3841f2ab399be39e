"""The rulebooks: the vocabulary, the rule sheets written in it, and their English."""
