"""Answers drawn as Plotly figures."""
