"""The server: requests, who may what, limits, errors, jobs, and where games come from."""
