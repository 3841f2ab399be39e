"""The command line, `bezique`. Nothing imports it."""
