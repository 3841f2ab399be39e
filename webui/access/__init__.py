"""Who may what: the table of actions, who is asking, passwords, tokens and links."""
