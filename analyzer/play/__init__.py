"""Players: the greedy player, the expert, the games they play, and deals played on in thought."""
