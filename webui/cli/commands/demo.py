"""`bezique demo`: a data folder with games in it, made once."""

from pathlib import Path

import click

from webui.cli.data_folder import data_option

DEMO_MARKER_FILE = "demo-games"
"""The file that says which demo games a data folder has."""

DEMO_EDITION = "3"


@click.command()
@data_option
def demo(folder: Path) -> None:
    """Fill a data folder with games to look at.

    They are self-play by every rulebook, the samples, and broken records.
    It is done once: a folder that has its demo games is left as it is, and your own games are never
    touched.

    \b
      bezique demo
      bezique demo --data var && bezique serve --data var
    """
    done = folder / DEMO_MARKER_FILE
    if done.exists() and done.read_text(encoding="ascii").strip() == DEMO_EDITION:
        click.echo(f"The demo games are in {folder}.")
        return
    from webui.cli import demo_games

    click.echo(f"Making demo games in {folder}, once.")
    click.echo(demo_games.make_demo_games(folder))
    done.write_text(f"{DEMO_EDITION}\n", encoding="ascii")
