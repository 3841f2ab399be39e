"""plotly.js from the installed package: compressed once, named by its version, cached for long."""

import gzip
import re
from importlib.metadata import version
from importlib.resources import files
from threading import Lock

from flask import Blueprint, Flask, Response, abort, current_app, request

from analyzer.palette import tokens

YEAR = "public, max-age=31536000, immutable"
HOUR = 3600
STYLE_ID = re.compile(rb'getElementById\("([0-9a-f]{64})"\)')
blueprint = Blueprint("bundle", __name__)


class Bundle:
    """The script in the two forms in which it is sent; read when it is first asked for."""

    def __init__(self) -> None:
        self.version = version("plotly")
        self._lock = Lock()
        self._plain: bytes = b""
        self._zipped: bytes = b""
        self._style_ids: tuple[str, ...] = ()

    def data(self, *, zipped: bool) -> bytes:
        """The script's bytes."""
        self._read()
        return self._zipped if zipped else self._plain

    @property
    def style_ids(self) -> tuple[str, ...]:
        """The ids of the style elements it would add inline, and leaves out where the id is taken."""
        self._read()
        return self._style_ids

    def _read(self) -> None:
        with self._lock:
            if self._plain:
                return
            plain = (files("plotly") / "package_data" / "plotly.min.js").read_bytes()
            self._zipped = gzip.compress(plain, 6, mtime=0)
            self._style_ids = tuple(sorted({found.decode() for found in STYLE_ID.findall(plain)}))
            self._plain = plain


_bundle = Bundle()


def init_app(app: Flask) -> None:
    """Serve the script, and tell the templates of it."""
    app.register_blueprint(blueprint)
    app.jinja_env.globals["plotly"] = _bundle


@blueprint.get("/plotly-<number>.min.js")
def plotly(number: str) -> Response:
    """The script, in its installed version only."""
    if number != _bundle.version:
        abort(404)
    zipped = bool(request.accept_encodings["gzip"])
    response = current_app.response_class(_bundle.data(zipped=zipped), mimetype="text/javascript")
    response.headers["Cache-Control"] = YEAR
    response.vary.add("Accept-Encoding")
    if zipped:
        response.headers["Content-Encoding"] = "gzip"
    return response


@blueprint.get("/series.css")
def series() -> Response:
    """The colours of series, as the figures have them."""
    response = current_app.response_class(tokens(), mimetype="text/css")
    response.cache_control.max_age = HOUR
    return response
