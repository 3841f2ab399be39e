"""Private links: whoever uploads gets one, and nobody else can make it from what the site shows."""

import hashlib
import secrets
from base64 import urlsafe_b64encode

UPLOAD_ID_BYTES = 16


def new_link_key() -> str:
    """A random key for the link of an upload; it is told to the sender and stored nowhere."""
    return secrets.token_urlsafe(24)


def upload_id(key: str) -> str:
    """The public id of the upload with this key: a part of the key's SHA-256, from which the key cannot be made."""
    digest = hashlib.sha256(key.encode()).digest()[:UPLOAD_ID_BYTES]
    return urlsafe_b64encode(digest).decode().rstrip("=")
