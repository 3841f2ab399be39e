"""What `bezique validate` prints: lines for people, or a format for another program."""
