"""The database: its tables, reading and writing, exports, backups and deletion."""
