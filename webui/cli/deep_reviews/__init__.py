"""`bezique annotate --deep`: reviews of every choice, in files or in the database."""
