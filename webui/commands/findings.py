import click
@click.command()
def findings() -> None:
    """x"""
