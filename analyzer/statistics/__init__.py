"""Statistics: questions, their SQL, their answers with intervals, and charts."""
