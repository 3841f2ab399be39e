"""Whether a command asks a site: commands that do not must not load what asks it."""

import click


def server_address() -> str:
    """The address that the option `--server` of `bezique` names; empty if a data folder is used."""
    context = click.get_current_context(silent=True)
    return str(context.find_root().params.get("server") or "") if context else ""
