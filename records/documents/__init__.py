"""The published pages and schemas, written from the code so that the two always agree."""
