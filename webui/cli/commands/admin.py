"""`bezique admin`: the admin's password, and tokens for programs."""

import sys
from pathlib import Path
from typing import cast

import click

from records.phrases import pluralize, sanitize_text
from webui.cli.main import site_option
from webui.server import logins


@click.group()
def admin() -> None:
    """Set the admin's password, and manage tokens for programs.

    Both are stored as hashes in the data folder, and a running server sees changes at once.

    \b
      bezique admin password
      bezique admin token add nightly-copy --scope admin
    """


@admin.command()
@site_option
def password(*, folder: Path) -> None:
    """Set the password with which the admin of a public server logs in.

    Asks for it twice; if the input is no terminal, the password is its first line. A new password ends every
    session of the admin.

    \b
      bezique admin password
      bezique admin password --data var < password.txt
    """
    if sys.stdin.isatty():
        given = click.prompt("Password", hide_input=True, confirmation_prompt="The same again")
    else:
        given = sys.stdin.readline().rstrip("\r\n")
    logins.set_password(folder, given)
    click.echo(f"Set the admin's password in {folder / logins.PASSWORD_FILE_NAME}.")


@admin.group()
def token() -> None:
    """Manage tokens with which programs ask a server.

    A program sends its token in a header: `Authorization: Bearer TOKEN`.
    """


@token.command()
@click.argument("name")
@click.option(
    "--scope", type=click.Choice(list(logins.SCOPE_ROLES)), required=True,
    help="read: read and validate. upload: store games, too. admin: everything that the admin may do.",
)  # fmt: skip
@site_option
def add(name: str, *, scope: str, folder: Path) -> None:
    """Make a token and print it. This is the only time that it can be seen.

    \b
      bezique admin token add league-site --scope upload
    """
    secret = logins.add_token(folder, name, cast(logins.TokenScope, scope))
    click.echo(secret)
    click.echo("Keep it: only its hash is stored.", err=True)


@token.command("list")
@site_option
def list_tokens(*, folder: Path) -> None:
    """List the tokens: name, scope, and when each was made.

    \b
      bezique admin token list
    """
    known = logins.load_tokens(folder)
    for each in known:
        click.echo(
            f"{sanitize_text(each.name)}  {each.scope}  made {each.created_at:%Y-%m-%d %H:%M} UTC"
        )
    click.echo(pluralize(len(known), "token"), err=True)


@token.command()
@click.argument("name")
@site_option
def revoke(name: str, *, folder: Path) -> None:
    """Revoke a token; a running server refuses it at once.

    \b
      bezique admin token revoke league-site
    """
    logins.revoke_token(folder, name)
    click.echo(f"Revoked the token {sanitize_text(name)}.")
