"""The page about the sheets as data is up to date and leaves no type out."""

from records.documents.schemas import SPEC_FOLDER, sheet_schema
from records.documents.sheets_page import HEADINGS, sheets_page


def test_the_page_is_fresh() -> None:
    page = (SPEC_FOLDER / "sheets.md").read_text()
    assert page == sheets_page(), "write it with: python -m records.documents.sheets_page"


def test_every_type_of_the_schema_has_its_table_with_every_member() -> None:
    page = sheets_page()
    defined = {name: kind for name, kind in sheet_schema()["$defs"].items() if "properties" in kind}
    assert {kind.__name__: heading for kind, heading in HEADINGS.items()}.keys() == defined.keys()
    for kind, heading in HEADINGS.items():
        table = page.split(f"\n### {heading}\n", 1)[1].split("\n### ", 1)[0]
        assert [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")] == [
            member for member in defined[kind.__name__]["properties"] if member != "$schema"
        ]
        assert "|  |" not in table
