"""The published pages and schemas, generated from the code so that they always agree with it."""
