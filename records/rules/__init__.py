"""The rulebooks: their vocabulary, the sheets written in it, and what a sheet says in English."""
