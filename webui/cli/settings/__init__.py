"""Settings from files and the environment: of the server, and of the validator for the records of a folder."""
