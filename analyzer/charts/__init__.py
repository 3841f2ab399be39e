"""Answers as Plotly figures."""
