"""The table of one deal, and how events change it. No module here judges whether an event is legal."""
