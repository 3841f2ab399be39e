"""A rule sheet in English: what each word of the vocabulary means to a player."""
