"""What answers to programs are made of: problems with types that stay, and compressed bytes."""
