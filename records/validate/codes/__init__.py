"""Every finding code, with its severity, its title and its meaning."""
