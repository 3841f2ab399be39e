"""Whether Python finds this project's packages, or others of the same names."""

from importlib.util import find_spec
from pathlib import Path
from warnings import warn

OWN_PACKAGES = ("records", "analyzer", "webui")
"""The packages that `bezique` is made of; other projects have packages of these names, too."""
OWN_CHECKOUT = Path("webui/public/bezique", Path(__file__).name)
"""Where this module lies in a checkout of the project."""


def refuse_other_packages() -> None:
    """Raise ImportError, in one sentence, if Python would find other packages of these names instead of ours.

    They may belong to another project, or to a checkout of this one, whose version may differ. A module of another
    project that lies beside ours, and cannot be imported because of it, is a warning.
    """
    here = Path(__file__).parent
    for name in OWN_PACKAGES:
        found = _folder_of(name)
        home = found and next((up for up in here.parents if up == found.parent), None)
        if home is None and found and (found.parent / OWN_CHECKOUT).is_file():
            raise ImportError(
                f"You are in a checkout of bezique, {found.parent}, and bezique is also installed: leave this "
                "folder, or install the checkout itself with `pip install --editable .`.",
                name=name,
            )
        if home is None:
            raise ImportError(
                f"bezique needs its own package {name!r}, but Python finds another one at {found or 'no place'}: "
                f"rename that one, or give each an environment of its own.",
                name=name,
            )
        hidden = home / f"{name}.py"
        if hidden.exists():
            warn(
                f"{hidden} cannot be imported, because bezique has a package of the same name: give each an "
                "environment of its own.",
                RuntimeWarning,
                stacklevel=3,
            )


def _folder_of(name: str) -> Path | None:
    """Where Python finds a package or module; for a module of one file, that file."""
    try:
        spec = find_spec(name)
    except ValueError:  # it was made by hand, and has no place
        return None
    if spec is None or spec.origin is None:
        return None
    origin = Path(spec.origin)
    return origin.parent if origin.name == "__init__.py" else origin
