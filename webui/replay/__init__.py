"""A deal as the replay page shows it, step by step, and the lines a reader tries."""
