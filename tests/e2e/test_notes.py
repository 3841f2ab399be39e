"""Notes in the browser: the reader's own, and those of the record."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from records.format import codec
from tests.e2e.barriers import barriers
from webui.server.game_cache import encode_permalink


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
def test_a_note_stays_at_its_step_and_is_saved_with_the_record(quiet_page, digests, width):
    quiet_page.set_viewport_size({"width": width, "height": 900})
    quiet_page.goto(f"/games/{digests['legal']}/deals/1?step=4")
    quiet_page.locator("#tab-view").click()
    field = quiet_page.get_by_label("Note on step")
    field.fill("Too early")
    quiet_page.get_by_role("link", name="Next step", exact=True).click()
    expect(field).to_have_value("")
    expect(quiet_page.locator("[data-step-comments] .own")).to_be_hidden()
    quiet_page.reload()
    expect(quiet_page.locator("[data-events] li:nth-child(5) .own")).to_have_text(
        "Your note Too early"
    )
    quiet_page.locator("#tab-view").click()
    quiet_page.get_by_role("link", name="Step 4: Too early").click()
    expect(field).to_have_value("Too early")
    expect(quiet_page.locator("[data-step-comments] .own")).to_be_visible()
    assert barriers(quiet_page) == []
    with quiet_page.expect_download() as download:
        quiet_page.get_by_role("button", name="Save the record with your notes").click()
    notes = codec.decode(Path(download.value.path()).read_bytes()).record.notes
    assert [(note.at, note.text) for note in notes] == [([0, 3], "Too early")]


@pytest.mark.slow
def test_a_mark_is_chosen_or_typed_before_the_words(quiet_page, digests):
    quiet_page.goto(f"/games/{digests['legal']}/deals/1?step=4")
    quiet_page.locator("#tab-view").click()
    field, mark = quiet_page.get_by_label("Note on step"), quiet_page.get_by_label("Its mark")
    mark.select_option("?? (a blunder)")
    own = quiet_page.locator("[data-step-comments] .own")
    expect(own).to_have_text("Your note ??")
    field.fill("Too early")
    field.blur()
    expect(own).to_have_text("Your note ?? Too early")
    quiet_page.get_by_role("link", name="Next step", exact=True).click()
    expect(mark).to_have_value("")
    field.fill("!? Bold")
    expect(quiet_page).to_have_url(re.compile("step=5"))  # it is written when the stepping stops
    quiet_page.reload()
    quiet_page.locator("#tab-view").click()
    expect(field).to_have_value("Bold")
    expect(mark).to_have_value("!?")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "carried"), [(390, True), (1440, False)])
def test_notes_and_lines_of_the_record_are_told_at_their_step(
    quiet_page, records, digests, width, carried
):
    stored, inside = (
        f"/games/{digests['annotated']}/deals/1?",
        f"/replay?record={encode_permalink(records['annotated'])}&",
    )
    quiet_page.set_viewport_size({"width": width, "height": 900})
    quiet_page.goto(f"{inside if carried else stored}near=1")
    note = quiet_page.locator("[data-step-comments] .comment", has_text="Now look at this.")
    line = quiet_page.locator("[data-step-comments] .comment", has_text="bolder")
    expect(note).to_be_hidden()
    quiet_page.keyboard.press("n")
    expect(line).to_be_visible()
    expect(quiet_page.locator("[data-number]")).to_have_text("1")
    quiet_page.locator("#tab-view").click()
    quiet_page.get_by_role("button", name="Next note").click()
    expect(note).to_be_visible()
    expect(line).to_be_hidden()
    expect(quiet_page.locator("[data-step-comments]")).to_have_attribute("aria-live", "polite")
    assert barriers(quiet_page) == []
    quiet_page.keyboard.press("Shift+N")
    line.get_by_role("link").click()
    expect(quiet_page.locator(".line-events li")).to_have_count(1)
    expect(quiet_page.locator(".line-problem")).to_contain_text("A line proposed here")
    assert barriers(quiet_page) == []
    quiet_page.locator(".choice").first.click()
    expect(quiet_page.locator(".line-events li")).to_have_count(2)
    quiet_page.get_by_role("link", name="Back to the deal").click()
    expect(quiet_page.locator("[data-number]")).to_have_text("1")
    expect(quiet_page.locator(".near [data-hand]")).to_have_attribute("data-hand", "1")


@pytest.mark.slow
def test_notes_written_at_the_table_are_added_to_the_game(quiet_page, digests):
    """Once they are in the record, the browser forgets its own."""
    game = f"/games/{digests['long names']}"
    quiet_page.goto(f"{game}/deals/1?step=4")
    quiet_page.locator("#tab-view").click()
    quiet_page.get_by_label("Note on step").fill("Too early")
    quiet_page.get_by_role("link", name="All notes on this game").click()
    form = quiet_page.locator("[data-own-notes]")
    expect(form.locator("li")).to_have_text("Deal 1, step 4: Too early")
    assert barriers(quiet_page) == []
    quiet_page.get_by_label("Author").fill("Ann")
    quiet_page.get_by_role("button", name="Add them to the stored game").click()
    expect(quiet_page.get_by_role("status")).to_have_text("1 note was added to the game.")
    expect(form).to_be_hidden()
    quiet_page.get_by_role("link", name="Deal 1, step 4").click()
    expect(quiet_page.locator("[data-step-comments] .comment:visible")).to_have_text(
        "Ann, a note in the record Too early"
    )
