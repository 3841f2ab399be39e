"""The table and how events change it. Nothing here judges."""
