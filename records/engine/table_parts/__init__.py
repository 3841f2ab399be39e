"""What a table consists of: the stock, the trick and the melds, what the record hides and claims."""
