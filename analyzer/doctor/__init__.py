"""Check a data folder, and rescue the records of a damaged one."""
