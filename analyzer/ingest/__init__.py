"""Records on their way into the database: read, examined, turned into rows, stored."""
