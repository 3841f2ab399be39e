"""Every finding code: its severity, its title, what it means."""
