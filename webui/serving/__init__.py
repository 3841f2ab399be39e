"""The web server: waitress, its access log, and examples of services and proxies."""
