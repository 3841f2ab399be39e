"""`python -m webui.cli` is `bezique`."""

from webui.cli.command_line import main

main()
