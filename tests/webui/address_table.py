"""The table of every address, with who may ask for it and what it costs, as the views declare it.

`python -m tests.webui.address_table` writes it anew; the difference is then there to be read.
"""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask

from tests.make.empty_store import with_empty_database
from webui import create_app
from webui.application import close_app
from webui.server.page import declared_address

TABLE = Path(__file__).parent / "addresses.txt"


def address_table(app: Flask) -> str:
    """A line for every method of every address: action, cost, method, address."""
    lines = set()
    for rule in app.url_map.iter_rules():
        declared = declared_address(rule.endpoint, app)
        # Which words a part of an address may not be is no part of its name.
        address = re.sub(r"<other\(.*?\):", "<", str(rule))
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            lines.add(f"{declared.action:15} {declared.cost.name:11} {method:6} {address}")
    return "\n".join(sorted(lines)) + "\n"


def main() -> None:
    """Write the table."""
    with TemporaryDirectory() as folder:
        app = create_app(data=with_empty_database(Path(folder)))
        TABLE.write_text(address_table(app), encoding="utf-8")
        close_app(app)


if __name__ == "__main__":
    main()
