"""What pages and commands say: verdicts, outcomes, results, settlements, places."""
