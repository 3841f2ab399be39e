"""Uploads that a browser has to do with: those whose private links it has opened or got as answers, and those it sent privately."""

from flask import session

MOST_UPLOADS_KNOWN = 20
"""A cookie has room for so many; of more, the last are known."""
SESSION_NAME, SENT_SESSION_NAME = "uploads", "sent"
MOST_SENT_KNOWN = 5
"""How many of the private uploads that a browser sent, the last ones, are known."""


def remember_upload(upload: str) -> None:
    """Let the session know that its browser has the private link of the upload with this public id."""
    known = [each for each in own_uploads() if each != upload]
    session[SESSION_NAME] = [*known, upload][-MOST_UPLOADS_KNOWN:]


def own_uploads() -> list[str]:
    """The public ids of the uploads whose links the browser has, the last one last."""
    return list(session.get(SESSION_NAME, ()))


def remember_sent_privately(upload: str) -> None:
    """Let the session know that its browser sent the private upload with this public id."""
    known = [each for each in sent_privately() if each != upload]
    session[SENT_SESSION_NAME] = [*known, upload][-MOST_SENT_KNOWN:]


def sent_privately() -> list[str]:
    """The public ids of the private uploads that this browser sent, the last one last."""
    return list(session.get(SENT_SESSION_NAME, ()))
