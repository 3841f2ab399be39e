"""The store: the database, its file, its tables, exports, copies and repairs."""
