"""Which rules fit a record, and which single change would make an illegal deal legal."""
