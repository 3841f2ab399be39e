"""The private links that a browser has: those that it opened or got as answers, and of the uploads it sent privately.

They are in its session, a signed cookie that scripts cannot read. No address that a page leads to has a key in its path:
paths are logged and passed on, and what stands behind the # of a link is not.
"""

from flask import session, url_for

from webui.access.private_links import upload_id

MOST_LINKS_KNOWN = 20
"""A cookie has room for so many; of more, the last are known."""
SESSION_NAME, SENT_SESSION_NAME = "links", "sent"
MOST_SENT_KNOWN = 5
"""How many of the private uploads that a browser sent, the last ones, are known."""


def private_link(key: str, *, whole: bool = False) -> str:
    """The private link with this key, `whole` with the host: where its upload is shown, and the key behind a #."""
    return url_for("sent.show", sent=upload_id(key), _anchor=key, _external=whole)


def remember_link(key: str) -> None:
    """Let the session know that its browser has the private link with this key."""
    known = [each for each in session.get(SESSION_NAME, ()) if each != key]
    session[SESSION_NAME] = [*known, key][-MOST_LINKS_KNOWN:]


def link_key(upload: str) -> str:
    """The key of the private link of the upload with this public id; empty if the browser does not have it."""
    return next((key for key in session.get(SESSION_NAME, ()) if upload_id(key) == upload), "")


def own_uploads() -> list[str]:
    """The public ids of the uploads whose links the browser has, the last one last."""
    return [upload_id(key) for key in session.get(SESSION_NAME, ())]


def remember_sent_privately(upload: str) -> None:
    """Let the session know that its browser sent the private upload with this public id."""
    known = [each for each in sent_privately() if each != upload]
    session[SENT_SESSION_NAME] = [*known, upload][-MOST_SENT_KNOWN:]


def sent_privately() -> list[str]:
    """The public ids of the private uploads that this browser sent, the last one last."""
    return list(session.get(SENT_SESSION_NAME, ()))
