"""SQL statements typed by visitors: what is allowed, and how it is run."""
