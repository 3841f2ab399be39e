"""Records written another way: as one seat saw them, and from the files of other programs."""
