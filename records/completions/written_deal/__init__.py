"""A partial deal written out: its slots, its unwritten draws, and what each seat gets and gives."""
