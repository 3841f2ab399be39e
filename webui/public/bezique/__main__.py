"""`python -m bezique`: the command line, where its script is not on the path."""

from webui.cli.main import main

if __name__ == "__main__":
    main(prog_name="bezique")
