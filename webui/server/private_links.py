"""Private links: whoever uploads gets one, and the uploads that a browser has opened by them."""

import hashlib
import logging
import re
import secrets
from base64 import urlsafe_b64encode

from flask import session, url_for

# The link: nobody can make it from what the site shows.

UPLOAD_ID_BYTES = 16
LONGEST_LINK = 2000
KEYS_IN_LINKS = (r"#([\w-]+)$", r"/sent/([\w-]+)", r"^([\w-]+)$")
"""Where the key stands in what somebody gives as a private link: behind the #; in the path, as it once did; alone."""
KEY_IN_ADDRESS = re.compile(r"((?:/|%2[Ff])(?:sent|look)(?:/|%2[Ff])+)[\w-]+")
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


# The links that a browser has: those that it opened or got as answers, and of the uploads it sent privately.
#
# They are in its session, a signed cookie that scripts cannot read. No address that a page leads to has a key in its path:
# paths are logged and passed on, and what stands behind the # of a link is not.

MOST_LINKS_KNOWN = 20
"""A cookie has room for so many links to uploads, and to studies; of more, the last are known."""
SESSION_NAME, SENT_SESSION_NAME = "links", "sent"
STUDIES_SESSION_NAME = "studies"
MOST_SENT_KNOWN = 5
"""How many of the private uploads that a browser sent, the last ones, are known."""


def private_link(key: str, *, whole: bool = False) -> str:
    """The private link with this key, `whole` with the host: where its upload is shown, and the key behind a #."""
    return url_for("sent.show", sent=upload_id(key), _anchor=key, _external=whole)


def remember_link(key: str) -> None:
    """Let the session know that its browser has the private link with this key."""
    _remember(SESSION_NAME, key, MOST_LINKS_KNOWN)


def link_key(upload: str) -> str:
    """The key of the private link of the upload with this public id; empty if the browser does not have it."""
    return _key_of(SESSION_NAME, upload)


def remember_study(key: str) -> None:
    """Let the session know that its browser has the link of the study with this key, by which it may be changed."""
    _remember(STUDIES_SESSION_NAME, key, MOST_LINKS_KNOWN)


def study_key(study: str) -> str:
    """The key of the link of the study with this public id; empty if the browser does not have it."""
    return _key_of(STUDIES_SESSION_NAME, study)


def own_studies() -> list[str]:
    """The public ids of the studies whose links the browser has, the last one last."""
    return list(map(upload_id, _known(STUDIES_SESSION_NAME)))


def own_uploads() -> list[str]:
    """The public ids of the uploads whose links the browser has, the last one last."""
    return list(map(upload_id, _known(SESSION_NAME)))


def remember_sent_privately(upload: str) -> None:
    """Let the session know that its browser sent the private upload with this public id."""
    _remember(SENT_SESSION_NAME, upload, MOST_SENT_KNOWN)


def sent_privately() -> list[str]:
    """The public ids of the private uploads that this browser sent, the last one last."""
    return _known(SENT_SESSION_NAME)


def _known(name: str) -> list[str]:
    """What the session remembers under a name, the last one last."""
    return list(session.get(name, ()))


def _remember(name: str, value: str, most: int) -> None:
    session[name] = [*(each for each in _known(name) if each != value), value][-most:]


def _key_of(name: str, public_id: str) -> str:
    return next((key for key in _known(name) if upload_id(key) == public_id), "")
