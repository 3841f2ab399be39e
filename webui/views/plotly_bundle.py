"""plotly.js from the installed package: compressed once, named by its version, cached for a year."""

import gzip
import re
from importlib.metadata import version
from importlib.resources import files
from threading import Lock

import zstandard
from flask import Flask, Response, abort, current_app, request

from analyzer.statistics.figures import series_css
from webui.server.actions import Action
from webui.server.page import Views
from webui.server.request_kinds import FILES
from webui.server.responses import CACHE_FOR_A_YEAR

SECONDS_PER_HOUR = 3600
SCRIPT_ENCODINGS = ("zstd", "gzip")
"""The encodings of the script, the smallest first."""
ZSTD_LEVEL = 12
"""Higher levels save a few percent and cost seconds."""
STYLE_ID_PATTERN = re.compile(rb'getElementById\("([0-9a-f]{64})"\)')
blueprint = Views("bundle", __name__)


class PlotlyBundle:
    """The script in each encoding, read on first use."""

    def __init__(self) -> None:
        self.version = version("plotly")
        self._lock = Lock()
        self._forms: dict[str, bytes] = {}
        self._style_ids: tuple[str, ...] = ()

    def data(self, encoding: str) -> bytes:
        """The script in one of `SCRIPT_ENCODINGS`, or uncompressed for an empty string."""
        self._read()
        return self._forms[encoding]

    @property
    def style_ids(self) -> tuple[str, ...]:
        """The ids of the style elements that the script would add inline. It leaves out those that exist already."""
        self._read()
        return self._style_ids

    def _read(self) -> None:
        with self._lock:
            if self._forms:
                return
            plain = (files("plotly") / "package_data" / "plotly.min.js").read_bytes()
            self._style_ids = tuple(
                sorted({found.decode() for found in STYLE_ID_PATTERN.findall(plain)})
            )
            self._forms = {
                "": plain,
                "gzip": gzip.compress(plain, 9, mtime=0),
                "zstd": zstandard.compress(plain, ZSTD_LEVEL),
            }


_bundle = PlotlyBundle()


def init_app(app: Flask) -> None:
    """Serve the script, and let the templates name it."""
    app.register_blueprint(blueprint)
    app.jinja_env.globals["plotly"] = _bundle


@blueprint.address("/plotly-<number>.min.js", Action.LOOK, FILES)
def plotly(number: str) -> Response:
    """The script, in the installed version only."""
    if number != _bundle.version:
        abort(404)
    encoding = next((name for name in SCRIPT_ENCODINGS if request.accept_encodings[name]), "")
    response = current_app.response_class(_bundle.data(encoding), mimetype="text/javascript")
    response.headers["Cache-Control"] = CACHE_FOR_A_YEAR
    response.vary.add("Accept-Encoding")
    if encoding:
        response.headers["Content-Encoding"] = encoding
    return response


@blueprint.address("/series.css", Action.LOOK, FILES)
def series() -> Response:
    """The colours of series, as the figures have them."""
    response = current_app.response_class(series_css(), mimetype="text/css")
    response.cache_control.max_age = SECONDS_PER_HOUR
    return response
