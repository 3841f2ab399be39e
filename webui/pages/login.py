"""The data of the page on which the admin logs in."""

from dataclasses import dataclass

from webui.pages.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginPage(Page):
    """The form for the admin's password; `next_page` is the path to go on to, `problem` what was wrong."""

    template = "login/login.html"
    public: bool
    logged_in: bool
    next_page: str
    problem: str
