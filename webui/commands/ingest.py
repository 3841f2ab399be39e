import click
@click.command()
def ingest() -> None:
    """x"""
