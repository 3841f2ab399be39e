"""Decisions whose every choice was weighed, as the pages show them: words, turning points, grades, the expected lead."""
