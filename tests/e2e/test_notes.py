"""A reader's notes, in the browser: kept at their step, and saved."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from records import codec


@pytest.mark.parametrize("width", [390, 1440])
def test_a_note_stays_at_its_step_and_is_saved_with_the_record(quiet_page, digests, width):
    quiet_page.set_viewport_size({"width": width, "height": 900})
    quiet_page.goto(f"/games/{digests['legal']}/deals/1?step=4")
    quiet_page.locator("#tab-view").click()
    field = quiet_page.get_by_label("At step")
    field.fill("Too early")
    quiet_page.get_by_role("link", name="Step on", exact=True).click()
    expect(field).to_have_value("")
    quiet_page.reload()
    quiet_page.locator("#tab-view").click()
    quiet_page.get_by_role("link", name="Step 4: Too early").click()
    expect(field).to_have_value("Too early")
    assert Axe().run(quiet_page).response["violations"] == []
    with quiet_page.expect_download() as download:
        quiet_page.get_by_role("button", name="Save the record with your notes").click()
    notes = codec.decode(Path(download.value.path()).read_bytes()).record.notes
    assert [(note.at, note.text) for note in notes] == [([0, 3], "Too early")]
