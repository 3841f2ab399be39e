"""Which rules fit a record, and which single correction would make an illegal deal legal."""
