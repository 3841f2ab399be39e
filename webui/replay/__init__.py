"""The replay page: a deal step by step, and the lines of What if."""
