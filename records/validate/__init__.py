"""What is wrong with a record: findings, their codes, and the checks that make them."""
