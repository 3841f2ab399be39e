"""What every page is: a template and the values it shows."""

from dataclasses import dataclass
from typing import ClassVar

from flask import render_template

from webui.display.text_direction import isolate_markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A template and the values it shows."""

    template: ClassVar[str]

    def render(self) -> str:
        """The page as HTML."""
        return isolate_markup(render_template(self.template, page=self))
