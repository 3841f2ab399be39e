"""What may still be melded after the close, asked ahead of play."""
