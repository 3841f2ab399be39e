"""Records that leave things out: whether any deal agrees with what they tell."""
