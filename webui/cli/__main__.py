"""`python -m webui.cli` is `bezique`."""

from webui.cli.main import main

main()
