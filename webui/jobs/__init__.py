"""Work that goes on behind the pages, and what a page says of it meanwhile."""
