"""The interface for other programs, `/api/v1`: one table of operations, from which addresses and OpenAPI are made."""
