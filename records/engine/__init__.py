"""The table of one deal, and how events change it. Nothing here judges an event."""
