import re
import zipfile
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from records.format import codec
from records.format.notation_writer import write_notation
from records.selfplay import play_game
from tests.e2e.barriers import barriers
from tests.e2e.sending import look_at_text, store_found
from tests.make.habits import draws_in_the_wrong_order


@pytest.fixture(scope="module")
def habit(site: str) -> bytes:
    """A stored game whose first tricks let the loser draw first."""
    data = codec.encode(draws_in_the_wrong_order())
    urlopen(Request(f"{site}/api/v1/games", data, {"Content-Type": "application/json"})).close()
    return data


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


TYPES_WHILE_THE_DEVICE_IS_ASKED = """
    const get = IDBObjectStore.prototype.get;
    IDBObjectStore.prototype.get = function (name) {
        if (name === "text") document.querySelector("[name=record]").value = "typed meanwhile";
        return get.call(this, name);
    };
"""


def test_what_is_typed_while_the_page_looks_for_what_was_kept_stays(quiet_page: Page):
    quiet_page.add_init_script(TYPES_WHILE_THE_DEVICE_IS_ASKED)
    quiet_page.goto("/")
    text = quiet_page.get_by_label("or paste a record")
    expect(text).to_have_value("typed meanwhile")
    quiet_page.wait_for_timeout(300)
    expect(text).to_have_value("typed meanwhile")


@pytest.mark.long
def test_a_chosen_file_is_looked_at_and_stored(quiet_page: Page, records, tmp_path):
    quiet_page.goto("/")
    quiet_page.set_input_files("#files", written(tmp_path, "new.json", records["new"]))
    verdict = quiet_page.locator(".verdict")
    expect(verdict).to_contain_text("Legal")
    expect(verdict).to_contain_text("new.json")
    assert barriers(quiet_page) == []
    store_found(quiet_page)
    expect(quiet_page.get_by_role("status").first).to_contain_text("Stored 1 game.")
    quiet_page.locator(".game-link").click()
    expect(quiet_page.get_by_role("heading", level=1)).to_contain_text("Eve")


@pytest.mark.slow
def test_a_finding_is_followed_to_its_step(quiet_page: Page, records, tmp_path):
    quiet_page.goto("/")
    quiet_page.set_input_files("#files", written(tmp_path, "bad.json", records["illegal"]))
    finding = quiet_page.locator(".finding").first
    expect(finding).to_contain_text("it is Cleo's lead")
    expect(finding).to_contain_text("Deal 2, event 2")
    finding.get_by_role("link", name="Go to this step").click()
    expect(quiet_page).to_have_url(re.compile(r"/deals/2\?step=2$"))
    expect(quiet_page.locator("[data-say]")).to_contain_text("plays")
    expect(quiet_page.locator("[data-finding]:visible").first).to_contain_text("it is Cleo's lead")


@pytest.mark.long
def test_a_dropped_file_is_judged(quiet_page: Page, records):
    quiet_page.goto("/")
    quiet_page.evaluate(
        """(text) => {
            const carried = new DataTransfer();
            carried.items.add(new File([text], "dropped.json"));
            for (const kind of ["dragenter", "dragover", "drop"])
                document.querySelector("[data-drop]").dispatchEvent(
                    new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
        }""",
        records["legal"].decode(),
    )
    expect(quiet_page.locator(".verdict")).to_contain_text("dropped.json")
    expect(quiet_page.locator(".verdict")).to_contain_text("This game is already stored")


def drop_path(page: Page, path: Path) -> None:
    """Drop a file or a folder of this machine on the zone, as a person does."""
    session = page.context.new_cdp_session(page)
    box = page.locator(".drop-zone").bounding_box()
    assert box is not None
    place = {"x": box["x"] + 20, "y": box["y"] + 20}
    for kind in ("dragEnter", "dragOver", "drop"):
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        session.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})


@pytest.mark.long
def test_a_dropped_folder_gives_all_its_records(quiet_page: Page, records, tmp_path):
    folder = tmp_path / "evening"
    (folder / "late").mkdir(parents=True)
    written(folder, "one.json", records["legal"])
    written(folder, ".hidden.json", b"{}")
    written(folder, "photo.jpg", b"\xff\xd8\xff")
    with zipfile.ZipFile(folder / "late" / "more.zip", "w") as packed:
        packed.writestr("two.json", records["illegal"])
    quiet_page.goto("/")
    drop_path(quiet_page, folder)
    expect(quiet_page.locator(".verdict")).to_have_count(2)
    expect(quiet_page.locator("main")).to_contain_text("one.json")
    expect(quiet_page.locator("main")).to_contain_text("two.json")


@pytest.mark.long
def test_a_dropped_folder_without_records_is_told(quiet_page: Page, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    written(folder, "photo.jpg", b"\xff\xd8\xff")
    quiet_page.goto("/")
    drop_path(quiet_page, folder)
    expect(quiet_page.get_by_role("alert")).to_contain_text("The folder has no records")


@pytest.mark.slow
def test_a_folder_of_many_small_files_is_chosen(quiet_page: Page, tmp_path):
    """They are packed: a form with so many files is refused."""
    folder = tmp_path / "season"
    deep = folder / ("late evenings, " * 12)
    deep.mkdir(parents=True)
    for number in range(300):
        written(deep if number % 2 else folder, f"{number} é.json", b'{"format":%d}' % number)
    written(folder, ".hidden.json", b"{}")
    written(folder, "photo.jpg", b"\xff\xd8\xff")
    quiet_page.goto("/")
    quiet_page.set_input_files("#folder", folder)
    expect(quiet_page.locator("main")).to_contain_text("300")


@pytest.mark.slow
def test_what_was_chosen_and_never_arrived_is_offered_again(quiet_page: Page, records, tmp_path):
    quiet_page.goto("/")
    quiet_page.get_by_label("or paste a record").fill("[rules zique]")
    quiet_page.route("**/look", lambda route: route.abort("aborted"))
    quiet_page.set_input_files("#files", written(tmp_path, "kept.json", records["legal"]))
    expect(quiet_page.get_by_role("alert")).to_contain_text("not responding")
    quiet_page.unroute("**/look")
    quiet_page.reload()
    waiting = quiet_page.locator("[data-waiting]")
    expect(waiting).to_contain_text("You chose 1 file")
    expect(quiet_page.get_by_label("or paste a record")).to_have_value("[rules zique]")
    assert barriers(quiet_page) == []
    waiting.get_by_role("button", name="Look at them again").click()
    expect(quiet_page.locator(".verdict")).to_contain_text("kept.json")
    quiet_page.go_back()
    expect(waiting).to_be_visible()
    quiet_page.go_forward()
    quiet_page.get_by_role("button", name="store nothing").click()
    expect(quiet_page).to_have_url(re.compile("/$"))
    expect(waiting).to_be_hidden()
    expect(quiet_page.get_by_label("or paste a record")).to_have_value("")


@pytest.mark.long
def test_what_was_typed_is_there_again_after_going_back(quiet_page: Page):
    quiet_page.goto("/")
    quiet_page.get_by_label("or paste a record").fill("[rules zique]")
    quiet_page.get_by_role("link", name="Games").first.click()
    quiet_page.go_back()
    expect(quiet_page.get_by_label("or paste a record")).to_have_value("[rules zique]")


@pytest.mark.long
def test_a_pasted_record_is_judged(quiet_page: Page):
    quiet_page.goto("/")
    look_at_text(quiet_page, '{"format": "something else"}')
    expect(quiet_page.locator(".verdict")).to_contain_text("Unreadable")
    expect(quiet_page.locator(".verdict")).to_contain_text("It cannot be stored")


@pytest.mark.long
def test_without_script_the_form_works_too(browser, site, records, tmp_path):
    context = browser.new_context(java_script_enabled=False, base_url=site)
    page = context.new_page()
    page.goto("/")
    page.set_input_files("#files", written(tmp_path, "legal.json", records["legal"]))
    page.get_by_role("button", name="Look at it").click()
    expect(page.locator(".verdict")).to_contain_text("Legal")
    context.close()


@pytest.mark.slow
def test_what_is_unticked_stays_out_by_the_keyboard_alone(quiet_page: Page, tmp_path):
    games = [play_game("zique", seed=n, deals=1, names=["Kim", "Lou"]) for n in range(2)]
    lines = b"\n".join(map(codec.encode, games))
    quiet_page.goto("/")
    quiet_page.set_input_files("#files", written(tmp_path, "two.jsonl", lines))
    button = quiet_page.get_by_role("button", name=re.compile("^Store "))
    expect(button).to_have_text("Store 2 games")
    quiet_page.wait_for_load_state()  # until the script listens, a tick is kept by the page alone
    quiet_page.get_by_role("checkbox", name="Kim").first.focus()
    with quiet_page.expect_response("**/choose"):
        quiet_page.keyboard.press("Space")
    expect(button).to_have_text("Store 1 game")
    quiet_page.reload()
    expect(button).to_have_text("Store 1 game")
    button.focus()
    quiet_page.keyboard.press("Enter")
    expect(quiet_page.locator(".game-link")).to_have_count(1)


@pytest.mark.slow
def test_a_habit_is_told_once_and_opens_to_all_its_places(quiet_page: Page, habit: bytes, tmp_path):
    quiet_page.goto("/")
    quiet_page.set_input_files("#files", written(tmp_path, "habit.json", habit))
    quiet_page.wait_for_url("**/look/*")
    told = quiet_page.locator(".finding", has_text="The loser of the trick draws first: 6 times")
    expect(told).to_have_count(1)
    places = told.locator(".places a")
    expect(places.first).to_be_hidden()
    told.get_by_text("All 6 places").click()
    expect(places).to_have_count(6)
    expect(places.first).to_be_visible()
    assert barriers(quiet_page) == []
    places.nth(1).click()
    expect(quiet_page).to_have_url(re.compile(r"/deals/1\?step=\d+$"))
    expect(quiet_page.locator("[data-finding]:visible").first).to_contain_text("draws first, but")


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
def test_many_records_show_their_findings_folded(quiet_page: Page, habit: bytes, tmp_path, width):
    """What took thirty screens takes three: the sentences, each with the rest behind it."""
    quiet_page.set_viewport_size({"width": width, "height": 900})
    quiet_page.goto("/")
    quiet_page.set_input_files("#files", [written(tmp_path, f"{i}.json", habit) for i in range(4)])
    expect(quiet_page.locator(".verdict")).to_have_count(4)
    verdicts = quiet_page.locator(".verdict")
    assert verdicts.nth(3).bounding_box()["height"] < 900
    first = verdicts.first.locator(".finding").first
    expect(first.get_by_role("link", name="Go to the first")).to_be_hidden()
    first.locator("summary").first.click()
    expect(first.get_by_role("link", name="Go to the first")).to_be_visible()
    assert quiet_page.evaluate("document.documentElement.scrollWidth") <= width
    assert barriers(quiet_page) == []


@pytest.mark.slow
def test_a_verdict_is_there_again_after_going_back_and_after_a_reload(
    quiet_page: Page, habit: bytes, tmp_path
):
    quiet_page.goto("/")
    quiet_page.set_input_files("#files", written(tmp_path, "habit.json", habit))
    says = quiet_page.locator(".diagnosis-says")
    expect(says).to_contain_text("The loser of the trick draws first: all 6 findings follow")
    expect(quiet_page).to_have_url(re.compile(r"/look/"))
    quiet_page.get_by_role("link", name="Go to the first").first.click()
    expect(quiet_page).to_have_url(re.compile(r"/deals/1\?step="))
    quiet_page.go_back()
    expect(says).to_be_visible()
    quiet_page.reload()
    expect(says).to_be_visible()
    assert barriers(quiet_page) == []
    quiet_page.go_back()
    expect(quiet_page).to_have_url(re.compile("/$"))
    expect(quiet_page.locator("#files")).to_have_count(1)


@pytest.mark.slow
def test_a_broken_game_s_page_begins_with_what_is_wrong(quiet_page: Page, habit: bytes):
    quiet_page.goto(f"/games/{codec.decode(habit).digest()}")
    expect(quiet_page.get_by_role("heading", level=2).first).to_have_text("What is wrong")
    expect(quiet_page.get_by_role("heading", name="Which rules fit better")).to_be_visible()
    assert barriers(quiet_page) == []


@pytest.mark.slow
def test_a_click_chooses_what_an_open_line_means(quiet_page: Page):
    text = write_notation(play_game("zique", seed=5, deals=1, names=["Ida", "Jo"]))
    quiet_page.goto("/")
    look_at_text(quiet_page, text.replace("\n\n", "\n[date 5/3/2026]\n\n", 1))
    asked = quiet_page.get_by_role("group", name="What does line")
    expect(asked).to_contain_text("[date 5/3/2026]")
    assert barriers(quiet_page) == []
    asked.get_by_role("button", name="2026-05-03").click()
    expect(quiet_page.locator(".verdict")).to_contain_text("Legal so far")
    expect(asked).to_have_count(0)


ROWS_ASKEW = """(rows) => rows.flatMap((row) => {
    const words = document.createRange(), style = getComputedStyle(row), edge = row.getBoundingClientRect();
    const inner = { left: edge.left + parseFloat(style.paddingLeft), right: edge.right - parseFloat(style.paddingRight) };
    const parts = [...row.querySelectorAll(":is(.found-choice > span, span.found-choice, .game-verdict, .found-note)")]
        .concat(...row.querySelectorAll(".game-facts > span"));
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const found = [];
    parts.forEach((part, one) => {
        const text = part.textContent.trim(), box = boxes[one];
        words.selectNodeContents(part);
        const lines = new Set([...words.getClientRects()].map((line) => Math.round(line.bottom / 8))).size;
        if (lines > 3 + text.length / 10) found.push(`${lines} lines: ${text}`);
        if (box.left < inner.left - 1 || box.right > inner.right + 1) found.push(`outside: ${text}`);
        boxes.slice(0, one).forEach((other, two) => {
            const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
            if (across > 1 && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1)
                found.push(`${text} lies on ${parts[two].textContent.trim()}`);
        });
    });
    const badge = row.querySelector(".game-verdict").getBoundingClientRect();
    if (Math.min(badge.left - inner.left, inner.right - badge.right) > 2) found.push("a verdict floats");
    return found;
})"""
"""What is wrong with the rows of a list: text of a few letters a line, parts on one another or outside, a verdict between."""


@pytest.mark.slow
def test_every_record_that_was_found_has_a_tidy_row_at_every_width(quiet_page: Page, tmp_path):
    """Of every verdict, and with names of people and of files as long as they come."""
    broken = (
        Path(__file__).parents[2] / "samples" / "broken" / "must-follow-suit.json"
    ).read_bytes()
    whole = play_game("zique", seed=11, names=["Kim", "Lou"])
    begun = play_game("zique", seed=12, deals=1, names=["Wolfeschlegelsteinhausen" * 4, "Li"])
    begun = replace(begun, deals=[replace(begun.deals[0], events=begun.deals[0].events[:9])])
    files = {
        "whole.json": codec.encode(whole),
        f"{'the_long_name_of_a_file' * 6}.json": codec.encode(begun),
        "must-follow-suit.json": broken,
        f"{'nothing to be read ' * 6}.json": b'{"format": "something else"}',
    }
    quiet_page.goto("/")
    quiet_page.set_input_files("#files", [written(tmp_path, *each) for each in files.items()])
    rows = quiet_page.locator(".found-record")
    expect(rows).to_have_count(4)
    assert rows.locator(".game-verdict").all_inner_texts() == [
        "Legal", "Legal so far, unfinished", "Illegal", "Unreadable",
    ]  # fmt: skip
    for width in (320, 390, 640, 641, 820, 1280, 1440):
        quiet_page.set_viewport_size({"width": width, "height": 844})
        assert (width, rows.evaluate_all(ROWS_ASKEW)) == (width, [])
