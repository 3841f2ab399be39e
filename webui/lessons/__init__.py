"""What a newcomer learns the games from: example games that come with the package, and moments in them."""
