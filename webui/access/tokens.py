"""Tokens for programs: made, listed and revoked by commands, stored as hashes in a file of the data folder."""

import hashlib
import secrets
from datetime import UTC, datetime
from hmac import compare_digest
from pathlib import Path
from typing import Literal

import msgspec

from analyzer.durable_files import make_private_folder, write_file
from records.errors import BeziqueError
from webui.access.actions import Role

TOKENS_FILE_NAME = "tokens.json"
TOKEN_PREFIX = "bezique_"
"""Begins every token, so that people and scanners recognise one that strayed."""
LONGEST_TOKEN_NAME = 80
MOST_TOKENS = 1000

TokenScope = Literal["read", "upload", "admin"]
SCOPE_ROLES: dict[str, Role] = {
    "read": Role.READER,
    "upload": Role.UPLOADER,
    "admin": Role.STEWARD,
}
"""The role of a program by the scope of its token; each scope includes the ones before it."""


class TokenError(BeziqueError):
    """A token cannot be added or revoked, or the file of tokens cannot be read."""


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token: its name, its scope, the SHA-256 of the secret in hexadecimal, and when it was made, in UTC."""

    name: str
    scope: TokenScope
    sha256: str
    created_at: datetime

    @property
    def role(self) -> Role:
        """The role of a program that shows the token."""
        return SCOPE_ROLES[self.scope]


def load_tokens(folder: Path) -> list[Token]:
    """The tokens of a data folder, oldest first; raises TokenError."""
    path = folder / TOKENS_FILE_NAME
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Token])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.DecodeError) as error:
        raise TokenError(f"the tokens in {path} cannot be read: {error}") from error


def add_token(folder: Path, name: str, scope: TokenScope) -> str:
    """Make a token and return its secret, which is stored nowhere; raises TokenError and OSError."""
    tokens = load_tokens(folder)
    if not 0 < len(name) <= LONGEST_TOKEN_NAME or not name.isprintable():
        raise TokenError(f"a name of a token has 1 to {LONGEST_TOKEN_NAME} printable characters")
    if any(token.name == name for token in tokens):
        raise TokenError(
            f"there is a token {name} already; revoke it first, or choose another name"
        )
    if len(tokens) >= MOST_TOKENS:
        raise TokenError(f"there are {MOST_TOKENS:,} tokens already; revoke some first")
    secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
    made = datetime.now(UTC).replace(microsecond=0)
    _save(folder, [*tokens, Token(name, scope, _hash(secret), made)])
    return secret


def revoke_token(folder: Path, name: str) -> None:
    """Remove a token; raises TokenError if there is none of this name, and OSError."""
    tokens = load_tokens(folder)
    kept = [token for token in tokens if token.name != name]
    if len(kept) == len(tokens):
        raise TokenError(f"there is no token {name}")
    _save(folder, kept)


def find_token(folder: Path, secret: str) -> Token | None:
    """The token with this secret, as the file is now; every hash is compared, in constant time. Raises TokenError."""
    hashed = _hash(secret)
    found = [token for token in load_tokens(folder) if compare_digest(token.sha256, hashed)]
    return found[0] if found else None


def _hash(secret: str) -> str:
    """A random secret of 256 bits needs no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _save(folder: Path, tokens: list[Token]) -> None:
    make_private_folder(folder)
    write_file(folder / TOKENS_FILE_NAME, msgspec.json.encode(tokens))
