"""The store: the database, its file, its tables, exports and copies; and what works beside it in processes of its own."""
