"""`bezique demo`: fill a data folder with example games, once."""

from pathlib import Path

import click

from webui.cli.main import data_option

DEMO_MARKER_FILE = "demo-games"
"""The file in a data folder that names its edition of the demo games."""

DEMO_EDITION = "5"


@click.command()
@data_option
def demo(folder: Path) -> None:
    """Fill a data folder with example games.

    Adds the year of a club: a season by every rulebook, a tournament and an evening, played by simple
    players of different strength. Broken records to upload are put in a folder of their own. A folder that already
    has the demo games is left as it is. Your own games are never changed.

    \b
      bezique demo
      bezique demo --data var && bezique serve --data var
    """
    from analyzer.store.store_folders import refuse_tables

    refuse_tables(folder)
    done = folder / DEMO_MARKER_FILE
    if done.exists() and done.read_text(encoding="ascii").strip() == DEMO_EDITION:
        click.echo(f"{folder} already has the demo games.")
        return
    from analyzer.store.durable_files import write_file
    from webui.cli import demo_games

    click.echo(f"Creating demo games in {folder}. This happens only once.")
    click.echo(demo_games.make_demo_games(folder))
    write_file(done, f"{DEMO_EDITION}\n".encode())
