"""Background jobs, imports and roll-outs, and their progress."""
