"""What is kept beside the rows themselves: sums of whole tables, and the rows of some matches a second time."""
