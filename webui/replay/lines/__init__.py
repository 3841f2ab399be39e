"""Lines that a reader tries: what is legal next, and how they are played out."""
