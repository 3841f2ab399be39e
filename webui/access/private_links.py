"""Private links: whoever uploads gets one, and nobody else can make it from what the site shows."""

import hashlib
import logging
import re
import secrets
from base64 import urlsafe_b64encode

UPLOAD_ID_BYTES = 16
LONGEST_LINK = 2000
KEYS_IN_LINKS = (r"#([\w-]+)$", r"/sent/([\w-]+)", r"^([\w-]+)$")
"""Where the key stands in what somebody gives as a private link: behind the #; in the path, as it once did; alone."""
KEY_IN_ADDRESS = re.compile(r"((?:/|%2[Ff])sent(?:/|%2[Ff])+)[\w-]+")
LOGGERS = ("webui.application", "waitress")
"""The loggers that write the address of a request that failed."""


class KeyMask(logging.Filter):
    """Takes the keys of private links out of what is logged: whoever reads a log must not be able to use them.

    Links of earlier versions, and an address of the interface, have them in their paths.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask the keys in the message and in the traceback; every record is logged."""
        record.msg, record.args = mask_keys(record.getMessage()), ()
        if record.exc_info:
            record.exc_text = mask_keys(logging.Formatter().formatException(record.exc_info))
        return True


def mask_keys_in_logs() -> None:
    """Mask the keys of private links in everything that the server logs."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(each, KeyMask) for each in logger.filters):
            logger.addFilter(KeyMask())


def mask_keys(text: str, mark: str = "…") -> str:
    """The text with a mark for the key of every private link."""
    return KEY_IN_ADDRESS.sub(rf"\1{mark}", text)


def key_in_link(link: str) -> str:
    """The key in a private link, or in what somebody copied of it; empty if there is none."""
    text = link.strip()[:LONGEST_LINK]
    found = (re.search(each, text, re.ASCII) for each in KEYS_IN_LINKS)
    return next((match[1] for match in found if match), "")


def new_link_key() -> str:
    """A random key for the link of an upload; it is told to the sender and stored nowhere."""
    return secrets.token_urlsafe(24)


def upload_id(key: str) -> str:
    """The public id of the upload with this key: a part of the key's SHA-256, from which the key cannot be made."""
    digest = hashlib.sha256(key.encode()).digest()[:UPLOAD_ID_BYTES]
    return urlsafe_b64encode(digest).decode().rstrip("=")
