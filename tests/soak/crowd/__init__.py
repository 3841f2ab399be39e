"""Many visitors of one server, some of whom mean no good."""
