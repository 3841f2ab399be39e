"""Benchmarks: ratios to two well-known record readers, to the decoder alone, memory and page times."""
