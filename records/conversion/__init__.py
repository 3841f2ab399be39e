"""Records written another way: as one seat saw them."""
