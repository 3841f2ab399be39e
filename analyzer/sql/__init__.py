"""SQL typed by readers: which statements are allowed, and how they are run safely."""
