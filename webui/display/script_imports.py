"""What the scripts of a page import, so that its head can ask for all of them at once."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

SCRIPT_FOLDER = Path(__file__).parents[1] / "static" / "js"
_IMPORTED = re.compile(r'^(?:import|export|\}) [^"\n]*"(\.[^"]*)"', re.MULTILINE)


@cache
def scripts_with(name: str) -> tuple[str, ...]:
    """A script and all that it imports, themselves or through others, by their paths below the folder of scripts.

    Otherwise a browser learns of an import only once it has read the script, and that waits until the page is read.
    """
    found = {name: None}
    waiting = [name]
    while waiting:
        importer = waiting.pop()
        text = (SCRIPT_FOLDER / importer).read_text(encoding="utf-8")
        imported = {
            normpath(join(dirname(importer), path)): None for path in _IMPORTED.findall(text)
        }
        waiting += [path for path in imported if path not in found]
        found |= imported
    return tuple(found)
