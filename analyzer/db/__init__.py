"""The statistics database: its tables, who reads and writes it, and what goes in and out as files."""
