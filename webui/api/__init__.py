"""The interface for programs, `/api/v1`."""
