"""What keeps a data folder healthy: it is checked, rescued, and rebuilt for a newer version."""
