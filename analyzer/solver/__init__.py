"""The solver: exact values of every choice after the close."""
