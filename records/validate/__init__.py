"""Findings, their codes, the checks that make them, and the report."""
