"""A public site, and the people and programs who come to it."""

import re
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.security import generate_password_hash
from werkzeug.test import TestResponse

from tests.make.empty_store import with_empty_database
from webui import create_app
from webui.server.local_server import KEY_HEADER
from webui.server.logins import PASSWORD_FILE_NAME

HOST, SITE = "club.example.org", "https://club.example.org"
PASSWORD = "correct horse battery"
LOCAL_KEY = "the key in the folder"
CHEAP_HASH = generate_password_hash(PASSWORD, method="scrypt:1024:8:1")
"""A hash of the password that costs nothing to check."""


def public_site(folder: Path, **settings: Any) -> Flask:
    """A public site whose admin has a password."""
    with_empty_database(folder)
    (folder / PASSWORD_FILE_NAME).write_text(CHEAP_HASH)
    given = {"public": True, "site_hosts": [HOST], "local_key": LOCAL_KEY, "testing": True}
    return create_app(data=folder, **{**given, **settings})


class Browser:
    """A browser with its cookies; it fills in the token of every form, from the page that it names."""

    def __init__(self, app: Flask, site: str = SITE, **headers: str) -> None:
        self.client: FlaskClient = app.test_client()
        self.site, self.headers = site, headers

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.client.get(path, base_url=self.site, headers=self.headers, **more)

    def post(self, path: str, form: str = "/login", **data: Any) -> TestResponse:
        found = re.search(r'name="csrf_token" value="([^"]+)"', self.get(form).text)
        token = {"csrf_token": found[1]} if found else {}
        headers = {**self.headers, "Referer": f"{self.site}/"}
        return self.client.post(path, base_url=self.site, headers=headers, data={**token, **data})

    def ask(self, method: str, path: str) -> TestResponse:
        return self.client.open(path, method=method, base_url=self.site, headers=self.headers)

    def open_link(self, link: str) -> str:
        """Open a private link; the address where its upload is shown."""
        answer = self.post("/sent/open", form="/sent", link=link)
        assert answer.status_code == 303
        return str(answer.location)

    def log_in(self, password: str = PASSWORD) -> "Browser":
        assert self.post("/login", password=password).status_code == 303
        return self


def key_of(link: str) -> str:
    """The key of a private link."""
    return link.partition("#")[2]


def old_link(link: str) -> str:
    """A private link as earlier versions made it: with the key in its path."""
    return f"/sent/{key_of(link)}"


class Program:
    """A program with a token, or a command with the key of the data folder: no cookies and no forms."""

    def __init__(self, app: Flask, *, token: str = "", key: str = "", site: str = SITE) -> None:
        self.client: FlaskClient = app.test_client(use_cookies=False)
        self.site = site
        self.headers = {KEY_HEADER: key} if key else {"Authorization": f"Bearer {token}"}

    def get(self, path: str) -> TestResponse:
        return self.client.get(path, base_url=self.site, headers=self.headers)

    def post(self, path: str, form: str = "", **data: Any) -> TestResponse:
        return self.client.post(path, base_url=self.site, headers=self.headers, data=data)

    def ask(self, method: str, path: str) -> TestResponse:
        return self.client.open(path, method=method, base_url=self.site, headers=self.headers)
