"""Which uploads a browser has the private links of: it has opened them, or got them as answers."""

from flask import session

MOST_UPLOADS_KNOWN = 20
"""A cookie has room for so many; of more, the last are known."""
SESSION_NAME = "uploads"


def remember_upload(upload: str) -> None:
    """Let the session know that its browser has the private link of the upload with this public id."""
    known = [each for each in own_uploads() if each != upload]
    session[SESSION_NAME] = [*known, upload][-MOST_UPLOADS_KNOWN:]


def own_uploads() -> list[str]:
    """The public ids of the uploads whose links the browser has, the last one last."""
    return list(session.get(SESSION_NAME, ()))
