"""The command line, `bezique`. No other package imports it."""
