import click
@click.command()
def stats() -> None:
    """x"""
