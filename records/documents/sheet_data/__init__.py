"""What the published sheets hold: their members as types, and the rules of reuse in clauses."""
