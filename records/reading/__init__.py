"""How a text becomes a record, and what keeps it from becoming one."""
