"""Reviews: what should have been played, exactly after the close and by sampled worlds before it."""
