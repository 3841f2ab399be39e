"""HTTP: headers, limits, errors, compression, and the JSON address of every page."""
