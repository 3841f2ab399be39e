"""What every page is: a template and the values it shows."""

from dataclasses import dataclass
from typing import ClassVar

from flask import render_template


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A template and the values it shows."""

    template: ClassVar[str]

    def render(self) -> str:
        """The page as HTML."""
        return render_template(self.template, page=self)
