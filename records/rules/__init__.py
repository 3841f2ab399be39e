"""The rulebooks: the vocabulary, the published sheets read by it, and their English."""
