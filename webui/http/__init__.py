"""What belongs to HTTP and not to cards: headers, limits, errors, the JSON address of every page."""
