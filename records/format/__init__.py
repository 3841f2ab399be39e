"""The format: bytes and texts to records and back, what is wrong with them, the notation, logs of other programs."""
