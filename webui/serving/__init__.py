"""The web server: waitress with deadlines for slow clients, and turns that one client cannot take from the others."""
