"""The recorder in the browser: cards by tap and by key, undo, drafts, no connection, and how many taps a deal takes."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from records.events import Dix, Draw, Meld, Play, Score, Trick
from records.format import codec
from records.format.notation_writer import write_notation
from records.record import Record
from records.rules.registry import resolve_sheet
from records.selfplay import play_game
from tests.e2e.barriers import barriers
from tests.machine.serving import served

SIZES = ((390, 844), (844, 390), (820, 1180), (1440, 900))
MOST_TAPS, MOST_TAPS_OF_A_SEAT, MOST_TAPS_OF_SCORES = 70, 150, 20
MOST_GROUPS = 14
"""So many melds and other things stand below the pack at most, in a game of two packs."""
WIDER = "document.documentElement.scrollWidth - innerWidth"
OUT_OF_REACH = """() => {
    const of = (each) => (each.getAttribute("aria-label") ?? each.textContent.trim()) || each.name;
    const seen = [...document.querySelectorAll(":is(main, header) :is(button, input, select, summary, a)")].filter(
        (each) => each.checkVisibility({ checkVisibilityCSS: true }) && each.getBoundingClientRect().width);
    return seen.filter((each) => {
        each.scrollIntoView({ block: "center", behavior: "instant" });
        const { left, right, top, bottom } = each.getBoundingClientRect();
        const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const cut = each.scrollWidth > each.clientWidth + 1 && each.matches("button, summary");
        return cut || left < 0 || right > innerWidth + 0.5 || !(hit && (each.contains(hit) || hit.contains(each)));
    }).map(of);
}"""
"""The controls that stick out of the window, are cut or covered."""
TURN_AND_PACK_IN_SIGHT = """() => {
    document.querySelector("[data-recorder]").scrollIntoView({ behavior: "instant" });
    return [...document.querySelectorAll("[data-turn], [data-undo], [data-card]")].every((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
    });
}"""
OPEN_ALL = """(size) => {
    document.documentElement.style.fontSize = size;
    for (const each of document.querySelectorAll("main details")) each.open = true;
}"""


def start(page: Page, sheet: str = "marjolet", depth: str = "public", dealer: int = 0) -> None:
    page.goto("/record")
    page.select_option("#sheet", sheet)
    page.fill("#name-0", "Ann")
    page.fill("#name-1", "Bob")
    page.check(f"[name=depth][value={depth}]")
    page.select_option("#dealer", str(dealer))
    page.get_by_role("button", name="Start").click()


def tap(page: Page, card: str) -> None:
    page.locator(f"[data-card='{card}']").click()


def settled(page: Page) -> None:
    """Wait until every step that was taken has been answered and drawn."""
    expect(page.locator("[data-recorder]")).to_have_attribute("aria-busy", "false")


def said(page: Page) -> list[str]:
    settled(page)
    return page.locator("[data-events] li").all_text_contents()


def type_card(page: Page, card: str) -> None:
    for letter in card.lower():
        page.keyboard.press(letter)


def test_cards_are_tapped_typed_undone_and_kept(quiet_page: Page):
    start(quiet_page)
    expect(quiet_page.locator("[data-turn]")).to_contain_text("turned up")
    tap(quiet_page, "9H")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("Bob to lead")
    type_card(quiet_page, "KS")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("Ann to play")
    tap(quiet_page, "AS")
    expect(quiet_page.locator("[data-events] li")).to_have_count(2)
    quiet_page.keyboard.press("Backspace")
    expect(quiet_page.locator("[data-events] li")).to_have_count(1)
    quiet_page.get_by_role("button", name="Redo").click()
    expect(quiet_page.locator("[data-events] li")).to_have_count(2)
    quiet_page.reload()
    quiet_page.get_by_role("button", name="Ann – Bob").first.click()
    expect(quiet_page.locator("[data-events] li")).to_have_count(2)


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 390])
def test_no_card_moves_away_from_a_quick_finger(quiet_page: Page, width):
    quiet_page.set_viewport_size({"width": width, "height": 844})
    start(quiet_page, "bezique")
    places = set()
    for card in ("9H", "KH", "7H", "QS", "JD", "KD"):
        settled(quiet_page)
        places.add(quiet_page.locator(".record-cards").bounding_box()["y"])
        tap(quiet_page, card)
    settled(quiet_page)
    table = quiet_page.get_by_role("region", name="On the table")
    expect(table.get_by_role("img")).to_have_count(2)
    expect(table.get_by_role("img", name="king of diamonds")).to_be_visible()
    assert places == {quiet_page.locator(".record-cards").bounding_box()["y"]}


@pytest.mark.long
def test_what_is_not_legal_is_recorded_if_it_happened(quiet_page: Page):
    start(quiet_page)
    tap(quiet_page, "9H")
    tap(quiet_page, "KS")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("Ann to play")
    tap(quiet_page, "KS")
    quiet_page.get_by_role("button", name="It really happened so").click()
    expect(quiet_page.locator("[data-due] li").first).to_be_visible()
    expect(quiet_page.locator("[data-events] li")).to_have_count(2)


def happened(page: Page, what: str, cards: str = "") -> None:
    """Enter what the page does not offer."""
    if not page.locator("[data-other]").is_visible():
        page.get_by_text("Something else happened").click()
    page.select_option("#other-what", what)
    if cards:
        page.fill("#other-cards", cards)
    page.get_by_role("button", name="It happened so").click()


@pytest.mark.long
def test_a_meld_that_is_not_legal_is_recorded_as_it_happened(quiet_page: Page):
    start(quiet_page)
    tap(quiet_page, "9H")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("to lead")
    happened(quiet_page, "meld marriage", "kh and Q\u2660")
    expect(quiet_page.locator("[data-events] li")).to_have_count(1)
    expect(quiet_page.locator("[data-due] li").first).to_be_visible()
    quiet_page.get_by_role("button", name="Undo").first.click()
    expect(quiet_page.locator("[data-events] li")).to_have_count(0)


@pytest.mark.long
def test_melds_and_draws_are_entered_without_a_connection(page: Page):
    start(page, sheet="bezique", depth="full")
    page.route("**/record/next", lambda route: route.abort())
    for card in ["KS", "QS", "AS", "TS", "9S", "8S", "7S", "JS"]:
        tap(page, card)
    for card in ["KH", "QH", "AH", "TH", "9H", "8H", "7H", "JH"]:
        tap(page, card)
    tap(page, "9D")
    expect(page.locator("[data-turn]")).to_contain_text("No connection")
    tap(page, "7H")
    tap(page, "AS")
    happened(page, "meld marriage", "KS QS")
    happened(page, "draw", "10d")
    page.unroute("**/record/next")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-events] li")).to_have_count(4)


@pytest.mark.long
def test_a_card_that_nobody_saw_leads_the_next_trick(quiet_page: Page):
    """Who took a trick whose cards do not tell is asked."""
    start(quiet_page)
    for card in ("9H", "KS", "AS"):
        tap(quiet_page, card)
    quiet_page.keyboard.press("?")
    quiet_page.keyboard.press("?")
    lead, reply = said(quiet_page)[2:]
    assert lead == "Ann plays an unseen card."
    assert reply == "Bob plays an unseen card.Trick 2: Ann ??, Bob ??. Nobody saw who takes it."
    expect(quiet_page.locator("[data-turn]")).to_contain_text("Who took the trick?")
    quiet_page.get_by_role("button", name="Bob takes the trick").click()
    expect(quiet_page.locator("[data-turn]")).to_contain_text("Bob may meld")
    assert said(quiet_page)[3].endswith("Bob takes the trick, as what follows tells.")


@pytest.mark.long
def test_what_is_entered_faster_than_the_server_answers_is_taken_in_its_turn(quiet_page: Page):
    """Cards, melds, undo and redo come out as they do when every answer is awaited."""
    start(quiet_page)

    def enter_all(wait):
        for act in (
            lambda: type_card(quiet_page, "9H"),
            lambda: type_card(quiet_page, "KS"),
            lambda: type_card(quiet_page, "AS"),
            lambda: quiet_page.keyboard.press("?"),
            lambda: quiet_page.keyboard.press("Backspace"),
            lambda: type_card(quiet_page, "TD"),
            lambda: type_card(quiet_page, "7D"),
            lambda: quiet_page.keyboard.press("Backspace"),
            lambda: quiet_page.keyboard.press("Control+y"),
            lambda: type_card(quiet_page, "JD"),
        ):
            act()
            wait()
        return said(quiet_page)

    slowly = enter_all(lambda: settled(quiet_page))
    start(quiet_page)
    settled(quiet_page)
    quiet_page.route(
        "**/record/next", lambda route: (quiet_page.wait_for_timeout(100), route.continue_())
    )
    assert enter_all(lambda: None) == slowly
    quiet_page.unroute("**/record/next")
    assert len(slowly) == 5
    quiet_page.get_by_role("button", name="Undo").click()
    settled(quiet_page)
    quiet_page.locator("[data-shown] button[data-cards]").last.dblclick()
    assert len(said(quiet_page)) == len(slowly)  # the second click meant the same meld


@pytest.mark.long
def test_a_card_after_which_the_deal_cannot_go_on_is_taken_only_once_that_is_said(quiet_page: Page):
    """Tapped or written, it is not taken before; the way back leads to the place where it stands."""
    start(quiet_page)
    for card in ("9H", "KS", "AS"):
        tap(quiet_page, card)
    before = said(quiet_page)
    ask = quiet_page.locator("[data-ask]")
    for enter_card in (lambda: tap(quiet_page, "KS"), lambda: happened(quiet_page, "play", "KS")):
        enter_card()
        expect(ask).to_contain_text("the deal cannot go on")
        expect(quiet_page.get_by_role("button", name="Enter another card")).to_be_focused()
        assert said(quiet_page) == before
        quiet_page.get_by_role("button", name="Enter another card").click()
        expect(ask).to_be_hidden()
    tap(quiet_page, "KS")
    quiet_page.get_by_role("button", name="Take back the step before").click()
    assert said(quiet_page) == before[:-1]
    quiet_page.get_by_role("button", name="Redo").click()
    settled(quiet_page)
    tap(quiet_page, "KS")
    quiet_page.get_by_role("button", name="It really happened so").click()
    expect(quiet_page.get_by_role("heading", name="The deal stops here")).to_be_visible()
    quiet_page.get_by_role("button", name="Go back to that card").click()
    assert said(quiet_page) == before
    expect(quiet_page.locator("[data-due]")).to_contain_text("the deal cannot go on after it")
    expect(quiet_page.get_by_role("group", name="Cards")).to_be_visible()


@pytest.mark.long
def test_what_is_played_by_itself_is_said_where_a_screen_reader_hears_it(quiet_page: Page):
    """And stands so in the list, with who took each trick."""
    game = play_game("marjolet", seed=4, deals=1)
    written = replace(game, result=None, deals=[replace(game.deals[0], claims=None)])
    deal = written.deals[0]
    last = max(number for number, event in enumerate(deal.events) if isinstance(event, Play))
    deal.events = [each for each in deal.events[: last - 2] if not isinstance(each, Score)]
    quiet_page.goto("/record")
    file = {"name": "end.json", "mimeType": "application/json", "buffer": codec.encode(written)}
    quiet_page.set_input_files("[data-open-file]", file)
    settled(quiet_page)
    quiet_page.get_by_role("button", name="Undo").click()
    quiet_page.get_by_role("button", name="Redo").click()
    settled(quiet_page)
    quiet_page.locator("[data-auto]").uncheck()
    quiet_page.locator("[data-auto]").check()
    settled(quiet_page)
    alone = [line for line in said(quiet_page) if "(by itself)" in line]
    assert alone
    turn = quiet_page.locator("[data-turn]")
    expect(turn).to_contain_text("Played by itself")
    for line in alone:
        expect(turn).to_contain_text(line.split(" (by itself)")[0])
    expect(turn).to_have_attribute("aria-live", "polite")


@pytest.mark.long
def test_a_card_that_was_dealt_before_is_asked_about_where_the_pack_has_no_other(quiet_page: Page):
    """At once, and as long as it lies there; a game of two packs has another copy, and asks nothing."""
    start(quiet_page, depth="full")
    asked, due = quiet_page.locator("[data-ask]"), quiet_page.locator("[data-due]")
    for card in ("JS", "JS"):
        tap(quiet_page, card)
    expect(asked).to_contain_text("2 copies of the jack of spades; this game's pack has 1.")
    quiet_page.get_by_role("button", name="Enter another card").click()
    expect(quiet_page.locator("[data-turn]")).to_contain_text("5 more to enter")
    for card in ("7H", "TC", "KH", "TD", "8D", "8S", "QD", "AC", "TS", "QC", "7C", "JS"):
        tap(quiet_page, card)
    quiet_page.get_by_role("button", name="It really happened so").click()
    expect(due).to_contain_text("2 copies of the jack of spades")
    tap(quiet_page, "7C")
    expect(due).to_contain_text("2 copies of the jack of spades")
    start(quiet_page, sheet="bezique", depth="seat")
    for card in ("JS", "JS"):
        tap(quiet_page, card)
    expect(quiet_page.locator("[data-turn]")).to_contain_text("6 more to enter")
    tap(quiet_page, "JS")
    expect(asked).to_contain_text("3 copies of the jack of spades; this game's pack has 2.")


@pytest.mark.long
def test_an_option_deals_larger_hands_from_the_first_deal_on(quiet_page: Page):
    """Of both seats, also of the one whose cards nobody writes down."""
    quiet_page.goto("/record")
    quiet_page.select_option("#sheet", "bezique")
    quiet_page.check("[name=depth][value=seat]")
    quiet_page.get_by_text("Options of the rules").click()
    quiet_page.get_by_label("Cards dealt to each player").select_option("9")
    quiet_page.get_by_role("button", name="Start").click()
    turn = quiet_page.locator("[data-turn]")
    for card in ("AS", "TS", "KS", "QS", "JS", "9S", "8S", "7S"):
        tap(quiet_page, card)
    expect(turn).to_contain_text("1 more to enter")
    tap(quiet_page, "AH")
    expect(turn).to_have_text("Which card is turned up?")
    tap(quiet_page, "KH")
    expect(turn).to_have_text("Player 2 to lead.")
    expect(quiet_page.locator("[data-due] li")).to_have_count(0)


@pytest.mark.long
def test_the_points_on_paper_are_kept_as_a_claim_beside_those_of_the_rules(quiet_page: Page):
    game = play_game("marjolet", seed=4, deals=1, names=["Ann", "Bob"])
    right = game.deals[0].claims.scores
    written = replace(game, result=None, deals=[replace(game.deals[0], claims=None)])
    quiet_page.goto("/record")
    file = {"name": "whole.json", "mimeType": "application/json", "buffer": codec.encode(written)}
    quiet_page.set_input_files("[data-open-file]", file)
    settled(quiet_page)
    paper = quiet_page.locator("[data-paper]")
    for claimed, words in (
        ((right[0] + 10, right[1]), "The rules count"),
        (right, "as the rules count"),
    ):
        for name, points in zip(("Ann", "Bob"), claimed, strict=True):
            paper.get_by_label(name).fill(str(points))
        paper.get_by_role("button", name="Compare and keep them").click()
        settled(quiet_page)
        expect(quiet_page.locator("[data-paper-said]")).to_contain_text(words)
        with quiet_page.expect_download() as download:
            quiet_page.get_by_role("button", name="Download JSON").click()
        kept = codec.decode(download.value.path().read_bytes()).record
        assert kept.deals[0].claims.scores == list(claimed)
    quiet_page.get_by_role("button", name="Undo").click()
    settled(quiet_page)
    expect(paper.get_by_label("Ann")).to_have_value(str(right[0] + 10))


@pytest.mark.long
def test_a_file_goes_on_where_it_stops_and_comes_out_in_the_notation(quiet_page: Page):
    record = play_game("marjolet", seed=4, deals=1)
    written = replace(record, result=None, deals=[replace(record.deals[0], claims=None)])
    events = written.deals[0].events = written.deals[0].events[:20]
    quiet_page.goto("/record")
    file = {"name": "evening.json", "mimeType": "application/json", "buffer": codec.encode(written)}
    quiet_page.set_input_files("[data-open-file]", file)
    expect(quiet_page.locator("[data-events] li")).to_have_count(len(events))
    with quiet_page.expect_download() as download:
        quiet_page.get_by_role("button", name="Download the notation").click()
    assert download.value.path().read_text() == write_notation(written)
    quiet_page.get_by_role("button", name="Undo").first.click()
    expect(quiet_page.locator("[data-events] li")).to_have_count(len(events) - 1)
    with quiet_page.expect_download() as download:
        quiet_page.get_by_role("button", name="Download JSON").click()
    kept = codec.decode(download.value.path().read_bytes()).record
    assert kept.meta["replaces"] == codec.digest(written)
    quiet_page.get_by_role("button", name="Replay it").click()
    expect(quiet_page).to_have_url(re.compile(r"/replay\?.*record="))


@pytest.mark.long
def test_of_several_records_in_a_file_one_is_chosen(quiet_page: Page):
    games = [
        play_game("marjolet", seed=seed, deals=1, names=["Ann", f"Bob {seed}"]) for seed in (4, 5)
    ]
    text = "\n".join(map(write_notation, games)).encode()
    quiet_page.goto("/record")
    file = {"name": "evening.bezique", "mimeType": "text/plain", "buffer": text}
    quiet_page.set_input_files("[data-open-file]", file)
    expect(quiet_page.locator("[data-file-records] button")).to_have_count(2)
    quiet_page.get_by_role("button", name="Ann and Bob 5").click()
    expect(quiet_page.get_by_role("heading", name="Ann – Bob 5")).to_be_visible()
    expect(quiet_page.locator("[data-events] li")).to_have_count(len(games[1].deals[0].events))


@pytest.mark.long
def test_a_game_is_stored_once_and_leads_to_its_replay(quiet_page: Page):
    start(quiet_page)
    for card in ("8H", "KC", "AC"):
        tap(quiet_page, card)
    settled(quiet_page)
    sent = []
    quiet_page.on("request", lambda asked: sent.append(asked) if asked.method == "POST" else None)
    quiet_page.get_by_role("button", name="Store the game").dblclick()
    expect(quiet_page.locator("[data-stored] article.verdict")).to_have_count(1)
    assert [urlsplit(asked.url).path for asked in sent].count("/") == 1
    quiet_page.locator("[data-stored-game]").get_by_role("link", name="Replay it").click()
    expect(quiet_page).to_have_url(re.compile(r"/games/[0-9a-f]+/deals/1"))
    quiet_page.goto("/record")
    expect(quiet_page.locator("[data-draft-list]")).to_contain_text("stored")


@pytest.mark.long
def test_an_illegal_record_opens_at_its_breach(quiet_page: Page, digests):
    """What stood behind the breach is there again, once it is done again."""
    quiet_page.goto(f"/games/{digests['illegal']}")
    quiet_page.get_by_role("link", name="Correct it in the recorder").click()
    expect(quiet_page.locator("[data-due]")).to_contain_text("In the record:")
    settled(quiet_page)
    expect(quiet_page.locator("[data-rest]")).to_contain_text(
        "steps after this place are set aside"
    )
    quiet_page.get_by_role("button", name="Redo").click()
    expect(quiet_page.locator("[data-due]")).not_to_contain_text("In the record:")
    settled(quiet_page)


@pytest.mark.long
def test_a_record_is_corrected_before_it_is_stored(quiet_page: Page):
    """The list keeps it as it was sent, without its tick: only the corrected one is stored."""
    game = play_game("marjolet", seed=21, deals=1, names=["Ida", "Jo"])
    deal = replace(game.deals[0], claims=None)
    deal.events = [deal.events[0], *deal.events]  # who led plays twice
    other = play_game("marjolet", seed=22, deals=1, names=["Kit", "Lou"])
    sent = [replace(game, deals=[deal], result=None), other]
    quiet_page.goto("/")
    file = {
        "name": "evening.jsonl",
        "mimeType": "application/jsonl",
        "buffer": b"\n".join(map(codec.encode, sent)),
    }
    quiet_page.set_input_files("input[name=files]", file)
    quiet_page.get_by_role("link", name="Correct it in the recorder").first.click()
    expect(quiet_page.locator("[data-due]")).to_contain_text("In the record:")
    expect(quiet_page.locator("[data-origin]")).to_be_visible()
    settled(quiet_page)
    quiet_page.get_by_role("button", name="Store the game").click()
    settled(quiet_page)
    quiet_page.get_by_role("button", name="Store the game").click()
    expect(quiet_page.locator("[data-told]")).to_contain_text("has lost its tick")
    quiet_page.get_by_role("link", name="the list of what you sent").click()
    ticks = quiet_page.locator("[name=take]")
    expect(ticks).to_have_count(2)
    expect(ticks.first).not_to_be_checked()
    expect(ticks.last).to_be_checked()


@pytest.mark.long
def test_a_question_about_a_card_is_gone_with_the_step_it_was_about(quiet_page: Page):
    start(quiet_page)
    for card in ("8H", "KC"):
        tap(quiet_page, card)
    settled(quiet_page)
    before = said(quiet_page)
    tap(quiet_page, "KC")
    question = quiet_page.get_by_role("button", name="It really happened so")
    expect(question).to_be_visible()
    quiet_page.get_by_role("button", name="Undo").click()
    expect(question).to_be_hidden()
    quiet_page.get_by_role("button", name="Redo").click()
    settled(quiet_page)
    tap(quiet_page, "KC")
    expect(question).to_be_visible()
    quiet_page.get_by_role("button", name="Other games").click()
    start(quiet_page, depth="scores")
    expect(question).to_be_hidden()
    assert len(before) == 1


@pytest.mark.long
def test_a_slip_is_mended_where_it_was_made(quiet_page: Page):
    """What was entered after it stays, and comes back with one tap."""
    start(quiet_page)
    for card in ("8H", "KC", "AC", "7C", "9C"):
        tap(quiet_page, card)
    before = said(quiet_page)
    for _ in range(4):
        quiet_page.get_by_role("button", name="Undo").click()
    settled(quiet_page)
    tap(quiet_page, "QC")
    settled(quiet_page)
    expect(quiet_page.locator("[data-rest]")).to_contain_text(
        "The 3 steps after this place are set aside"
    )
    quiet_page.get_by_role("button", name="Bring it all back").click()
    after = said(quiet_page)
    assert (len(after), after[0]) == (len(before), before[0].replace("king", "queen"))
    assert after[2:] == before[2:]


@pytest.mark.long
def test_the_marker_of_a_game_that_is_over_stays_so_when_it_is_opened_again(quiet_page: Page):
    start(quiet_page, depth="scores")
    quiet_page.get_by_role("button", name="Ann: won a trick").click()
    quiet_page.get_by_role("button", name="Ann: common marriage 20").click()
    expect(quiet_page.locator("[data-events]")).to_contain_text("Ann: common marriage, 20")
    settled(quiet_page)
    quiet_page.get_by_role("button", name="Store the game").click()
    quiet_page.locator("[data-stored-game]").get_by_role("link", name="Replay it").click()
    digest = quiet_page.url.partition("/games/")[2].partition("/")[0]
    quiet_page.goto(f"/games/{digest}")
    expect(quiet_page.get_by_role("heading", level=1)).to_contain_text("20")
    quiet_page.goto(f"/record?game={digest}")
    settled(quiet_page)
    expect(quiet_page.locator("[data-marker]")).to_be_empty()
    expect(quiet_page.locator("[data-end]")).to_be_visible()
    expect(quiet_page.get_by_role("button", name="Undo")).to_be_disabled()


@pytest.mark.long
def test_what_stands_behind_a_corrected_place_is_not_left_out_unseen(quiet_page: Page, digests):
    quiet_page.goto(f"/record?game={digests['illegal']}")
    expect(quiet_page.locator("[data-due]")).to_contain_text("In the record:")
    settled(quiet_page)
    events = quiet_page.locator("[data-events] li")
    begun = events.count()
    sent = []
    quiet_page.on("request", lambda asked: sent.append(asked) if asked.method == "POST" else None)
    quiet_page.get_by_role("button", name="Store the game").click()
    expect(quiet_page.locator("[data-problem]")).to_contain_text("would not be stored")
    settled(quiet_page)
    assert [asked.url for asked in sent if asked.url.endswith("/")] == []
    quiet_page.get_by_role("button", name="Bring it all back").click()
    settled(quiet_page)
    assert events.count() > begun + 1
    expect(quiet_page.locator("[data-rest]")).to_be_hidden()


@pytest.mark.long
def test_a_meld_that_was_not_checked_says_so_and_is_checked_when_it_is_tapped(quiet_page: Page):
    """One whose cards have scored already is asked about; any other is taken."""
    again = {
        "kind": "shown",
        "seat": 0,
        "size": 0,
        "points": 20,
        "group": "marriage",
        "unchecked": True,
    }

    def unchecked(suit: str):
        cards = [f"K{suit}", f"Q{suit}"]
        event = {"type": "meld", "seat": 0, "meld": "marriage", "cards": cards}
        return again | {"cards": cards, "events": [event], "words": f"Ann melds {cards}."}

    def answer(route):
        found = route.fetch().json()
        found["state"]["choices"] = [
            *(each for each in found["state"]["choices"] if each["kind"] != "shown"),
            *map(unchecked, "HS"),
        ]
        route.fulfill(json=found)

    start(quiet_page)
    for card in ("9H", "7S", "AS"):
        tap(quiet_page, card)
    settled(quiet_page)
    happened(quiet_page, "meld marriage", "KH QH")
    settled(quiet_page)
    tap(quiet_page, "8D")
    quiet_page.route("**/record/next", answer)
    tap(quiet_page, "7D")
    settled(quiet_page)
    before = said(quiet_page)
    quiet_page.unroute("**/record/next")
    shown = quiet_page.locator("[data-shown] button")
    expect(shown.first).to_contain_text("checked when you tap it")
    shown.first.click()
    expect(quiet_page.locator("[data-ask]")).to_contain_text("No way to fill in")
    quiet_page.get_by_role("button", name="Cancel").click()
    assert said(quiet_page) == before
    shown.last.click()
    settled(quiet_page)
    assert said(quiet_page)[:-1] == before


@pytest.mark.long
def test_irregularities_and_carte_blanche_are_entered(quiet_page: Page):
    start(quiet_page, sheet="rubicon-bezique")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("to lead")
    happened(quiet_page, "carte_blanche")
    expect(quiet_page.locator("[data-events] li")).to_have_count(1)
    happened(quiet_page, "irregular exposed_card", "KH")
    expect(quiet_page.locator("[data-events] li")).to_have_count(2)


@pytest.mark.long
def test_the_cards_of_a_meld_are_chosen_where_a_hand_is_not_known(quiet_page: Page):
    start(quiet_page, sheet="bezique")
    for card in ("9H", "KS", "AS"):
        tap(quiet_page, card)
    expect(quiet_page.locator("[data-turn]")).to_contain_text("Ann takes the trick and may meld")
    shown = quiet_page.locator("[data-shown]")
    settled(quiet_page)
    assert shown.get_by_role("button").count() <= MOST_GROUPS
    assert choose_shown(quiet_page, Meld(seat=0, meld="four_kings", cards=["KS", "KH", "KH", "KC"]))
    expect(quiet_page.locator("[data-events] li").last).to_contain_text("four kings")
    expect(quiet_page.locator("[data-events] li").last).to_contain_text("K\u2665 K\u2665")
    quiet_page.get_by_role("button", name="Undo").click()
    shown.locator("[data-group='four kings']").click()
    type_card(quiet_page, "KD")
    expect(shown).to_contain_text("K\u2666 which cards?")
    shown.get_by_role("button", name="Back").click()
    expect(shown.locator("[data-group='four kings']")).to_be_focused()


@pytest.mark.long
def test_the_cards_of_a_sequence_are_tapped_in_the_pack(quiet_page: Page):
    start(quiet_page, sheet="zetema")
    quiet_page.locator("[data-group='sequence']").click()
    for card in ("4S", "5S", "6H", "7H", "8H"):
        tap(quiet_page, card)
    expect(quiet_page.locator("[data-shown]")).to_contain_text("tap 1 more")
    type_card(quiet_page, "9H")
    expect(quiet_page.locator("[data-events] li")).to_have_count(1)
    expect(quiet_page.locator("[data-events]")).to_contain_text("sequence")
    expect(quiet_page.locator("[data-due] li")).to_have_count(0)


@pytest.mark.long
def test_a_card_is_discarded_that_is_not_on_offer(quiet_page: Page):
    start(quiet_page, sheet="zetema")
    settled(quiet_page)
    happened(quiet_page, "discard", "KH")
    expect(quiet_page.locator("[data-events] li")).to_have_count(1)
    expect(quiet_page.locator("[data-events]")).to_contain_text("discards the king of hearts")


@pytest.mark.long
def test_a_file_that_holds_no_record_is_told(quiet_page: Page):
    quiet_page.goto("/record")
    for text in (b"nonsense", b"null", b"{}", b'{"players": 3}'):
        file = {"name": "evening.json", "mimeType": "application/json", "buffer": text}
        quiet_page.set_input_files("[data-open-file]", file)
        expect(quiet_page.locator("[data-problem]")).not_to_be_empty()
        expect(quiet_page.locator("[data-start]")).to_be_visible()


@pytest.mark.long
def test_partners_are_counted_together(quiet_page: Page):
    quiet_page.goto("/record")
    quiet_page.select_option("#sheet", "zetema")
    quiet_page.select_option("#players", "4")
    for seat, name in enumerate(("Ann", "Bob", "Cleo", "Dan")):
        quiet_page.fill(f"#name-{seat}", name)
    quiet_page.select_option("#sides", label="Ann and Cleo, Bob and Dan")
    quiet_page.check("[name=depth][value=scores]")
    quiet_page.get_by_role("button", name="Start").click()
    for name in ("Ann", "Cleo", "Bob"):
        quiet_page.get_by_role("button", name=re.compile(f"^{name}: .*[1-9]")).first.click()
    expect(quiet_page.locator("[data-scores] th")).to_have_text(
        ["Deal", "Ann and Cleo", "Bob and Dan"]
    )
    settled(quiet_page)
    first, second = quiet_page.locator("[data-scores] td").all_text_contents()[1:]
    assert int(first) == 2 * int(second) > 0


@pytest.mark.long
def test_no_step_is_lost_without_a_connection(page: Page):
    start(page)
    tap(page, "9H")
    tap(page, "KS")
    expect(page.locator("[data-turn]")).to_contain_text("Ann to play")
    page.route("**/record/next", lambda route: route.abort())
    tap(page, "AS")
    expect(page.locator("[data-turn]")).to_contain_text("No connection")
    tap(page, "TD")
    page.unroute("**/record/next")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-events] li")).to_have_count(3)


@pytest.mark.long
def test_the_page_opens_without_a_connection_once_it_was_loaded(page: Page):
    start(page)
    tap(page, "9H")
    tap(page, "KS")
    settled(page)
    expect(page.locator("[data-kept]")).to_have_count(1)
    page.context.set_offline(True)
    try:
        page.goto("/record?game=1234")
        expect(page.locator("[data-problem]")).to_contain_text("There is no connection")
        page.get_by_role("button", name="Ann – Bob").first.click()
        expect(page.locator("[data-turn]")).to_contain_text("No connection")
        tap(page, "AS")
        settled(page)
    finally:
        page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-events] li")).to_have_count(2)


@pytest.mark.long
def test_a_server_that_never_answers_holds_nothing_up(first_page: Page):
    """What was tapped stays, unchecked, and the file of the record has it."""
    first_page.add_init_script("AbortSignal.timeout = (own => () => own.call(AbortSignal, 300))(AbortSignal.timeout)")  # fmt: skip
    start(first_page)
    tap(first_page, "9H")
    settled(first_page)
    first_page.route("**/record/next*", lambda route: None)
    tap(first_page, "KS")
    assert [event.card for event in downloaded(first_page).deals[0].events] == ["KS"]
    expect(first_page.locator("[data-turn]")).to_contain_text("No connection")


@contextmanager
def late_page(browser: Browser, folder: Path, late: float, **settings: object) -> Iterator[Page]:
    """A page of a server of its own that answers late by so many seconds."""
    with (
        served(folder, {}, late=late, **settings) as (address, _),
        browser.new_context(base_url=address, service_workers="block") as window,
        window.new_page() as page,
    ):
        yield page


@pytest.mark.slow
def test_what_was_tapped_is_recorded_before_what_follows(browser: Browser, tmp_path: Path):
    """On a slow line: links, files, other events and the list of drafts wait for the taps before them."""
    with late_page(browser, tmp_path, 0.5) as page:
        start(page)
        for card in ("9H", "KS", "AS"):
            tap(page, card)
        happened(page, "meld marriage", "KH QH")
        tap(page, "8D")
        (deal,) = downloaded(page).deals
        assert [event.seat for event in deal.events] == [1, 0, 0, 0]
        tap(page, "7D")
        page.get_by_role("button", name="Link for another device").click()
        link = page.get_by_label("Link with this game").input_value()
        tap(page, "TD")
        page.get_by_role("button", name="Other games").click()
        page.get_by_role("button", name="Ann – Bob").first.click()
        assert len(said(page)) == 6
        page.goto("/rules")
        page.goto(link)
        expect(page.locator("[data-events] li")).to_have_count(5)


@pytest.mark.slow
def test_what_is_written_while_a_tap_waits_is_no_card(browser: Browser, tmp_path: Path):
    """On a slow line the field for cards takes what is typed, and the seat is that of whose turn it is by then."""
    with late_page(browser, tmp_path, 1.5) as page:
        start(page)
        for card in ("9H", "KS", "AS"):
            tap(page, card)
        page.get_by_text("Something else happened").click()
        page.select_option("#other-what", "meld marriage")
        settled(page)
        tap(page, "8D")
        box = page.locator("#other-cards").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 9, box["y"] + 9)
        page.keyboard.type("kh qh\n")  # too early to be entered
        settled(page)
        assert page.input_value("#other-cards") == "kh qh"
        page.keyboard.press("Enter")
        (deal,) = downloaded(page).deals
        assert [type(event) for event in deal.events] == [Play, Play, Play, Meld]
        assert [event.seat for event in deal.events] == [1, 0, 0, 1]


@pytest.mark.slow
def test_a_record_that_is_closed_on_a_slow_line_is_not_stored_then(
    browser: Browser, tmp_path: Path
):
    with late_page(browser, tmp_path, 1.5, uploads="public") as page:
        start(page)
        for card in ("9H", "KS", "AS"):
            tap(page, card)
        page.get_by_role("button", name="Other games").click()
        page.get_by_role("button", name="Store the game").click()
        expect(page.get_by_role("button", name="Ann – Bob").first).to_be_visible()
        settled(page)
        assert not page.locator("[data-problem]").text_content()


@pytest.mark.long
def test_a_draft_moves_by_a_link(quiet_page: Page):
    start(quiet_page)
    tap(quiet_page, "9H")
    tap(quiet_page, "KS")
    quiet_page.get_by_role("button", name="Link for another device").click()
    link = quiet_page.get_by_label("Link with this game").input_value()
    quiet_page.evaluate("localStorage.clear()")
    quiet_page.goto("/rules")
    quiet_page.goto(link)
    expect(quiet_page.locator("[data-events] li")).to_have_count(1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet", "depth", "most"),
    [("marjolet", "public", MOST_TAPS), ("bezique", "seat", MOST_TAPS_OF_A_SEAT)],
)
def test_a_deal_takes_no_more_taps_than_it_may(quiet_page: Page, sheet, depth, most):
    """Every tap of a deal is counted, those for a hand too: a tap a second makes it so many seconds."""
    deal = play_game(sheet, seed=4, deals=1).deals[0]
    start(quiet_page, sheet=sheet, depth=depth, dealer=deal.dealer)
    dealt = [*(deal.hands[0] if depth == "seat" else []), deal.turn_up]
    for card in dealt:
        tap(quiet_page, card)
    events = [event for event in deal.events if is_chosen(event, depth)]
    taps = len(dealt) + enter(quiet_page, events)
    expect(quiet_page.get_by_role("heading", name="The end of the deal")).to_be_visible()
    assert len(said(quiet_page)) == len(events)
    expect(quiet_page.locator("[data-report]")).to_contain_text("Verdict: ")
    assert taps <= most


def enter(page: Page, events: list) -> int:
    """Tap what is not entered yet of some events; returns how many taps it took."""
    taps = 0
    for done, event in enumerate(events, 1):
        settled(page)
        if page.locator("[data-events] li").count() >= done:
            continue  # it was forced
        if isinstance(event, Draw) and event.seat != 0:
            if done < len(events) and isinstance(events[done], Draw):
                continue  # it comes with the draw that is seen
            tap(page, event.card)
        elif isinstance(event, Play | Draw):
            tap(page, event.card)
        else:
            taps += choose_shown(page, event) - 1
        taps += 1
    return taps


def is_chosen(event, depth: str) -> bool:
    exchanged = isinstance(event, Dix) and event.action in ("exchange", "show")
    return (
        isinstance(event, Play | Meld) or exchanged or (depth == "seat" and isinstance(event, Draw))
    )


SECOND_TAP_MS = 450
"""Two taps at one place within less are taken for one."""


def choose_shown(page: Page, event) -> int:
    """Tap what is shown, by its group and its cards where many may be; returns how many taps it took."""
    shown = page.locator("[data-shown]")
    if isinstance(event, Dix):
        shown.get_by_role("button").filter(has_text=event.action).first.click()
        return 1
    exact = shown.locator(f"[data-cards='{' '.join(sorted(event.cards))}']").first
    if exact.count():
        exact.click()
        return 1
    shown.locator(f"[data-group='{event.meld.replace('_', ' ')}']").click()
    taps = 1
    for card in sorted(event.cards):
        if not exact.count() and shown.get_by_role("button", name="Back").count():
            page.wait_for_timeout(SECOND_TAP_MS)
            shown.locator(f"[data-pick='{card}']").click()
            taps += 1
    if exact.count():
        page.wait_for_timeout(SECOND_TAP_MS)
        exact.click()
        taps += 1
    return taps


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["marjolet", "bezique", "zique"])
def test_a_deal_on_the_marker_takes_at_most_20_taps_and_has_its_points(quiet_page: Page, sheet):
    """Whatever scored in a deal is tapped; the brisques of one player are chosen with two taps."""
    deal = play_game(sheet, seed=4, deals=1).deals[0]
    start(quiet_page, sheet=sheet, depth="scores", dealer=deal.dealer)
    taps = 1
    for event in deal.events:
        if not isinstance(event, Meld | Dix | Score):
            continue
        if isinstance(event, Score) and event.what == "brisques":
            if event.seat == 0:
                quiet_page.select_option("[data-marker] select", str(event.count))
                taps += 2
            continue
        name = f"{('Ann', 'Bob')[event.seat]}: {marker_words(sheet, event)}"
        quiet_page.get_by_role("button", name=name, exact=True).click()
        taps += 1
    settled(quiet_page)
    quiet_page.get_by_role("button", name="The deal is over").click()
    points = quiet_page.locator("[data-players] b")
    expect(points).to_have_text(list(map(str, deal.claims.scores)))
    assert taps <= MOST_TAPS_OF_SCORES


def marker_words(sheet: str, event) -> str:
    """What the marker's button for an event says."""
    if isinstance(event, Dix):
        return f"seven of trumps {event.points}"
    if isinstance(event, Score):
        return f"{event.what.replace('_', ' ')} {event.points}"
    rows = resolve_sheet(sheet, None, {}).sheet.rules.melds
    [words] = {row.words for row in rows if (row.name, row.points) == (event.meld, event.points)}
    return f"{words} {event.points}"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_recorder_has_no_barrier(quiet_page: Page, scheme):
    quiet_page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    start(quiet_page)
    tap(quiet_page, "9H")
    expect(quiet_page.locator("[data-turn]")).to_contain_text("to lead")
    for width, height in SIZES:
        quiet_page.set_viewport_size({"width": width, "height": height})
        assert barriers(quiet_page) == [], (width, height)
        assert quiet_page.evaluate(WIDER) <= 0, (width, height)
    quiet_page.goto("/record")
    assert barriers(quiet_page) == []


@pytest.mark.slow
@pytest.mark.parametrize("larger", [False, True])
@pytest.mark.parametrize(("sheet", "depth"), [("marjolet", "public"), ("bezique", "seat")])
def test_every_control_is_whole_and_in_reach_in_every_window(
    quiet_page: Page, sheet, depth, larger
):
    """In the form, in a deal, while something is asked, at the end of the deal, and with all that opens open."""

    def look_everywhere(place):
        settled(quiet_page)
        quiet_page.evaluate(OPEN_ALL, "200%" if larger else "")
        for width, height in SIZES:
            quiet_page.set_viewport_size({"width": width, "height": height})
            assert quiet_page.evaluate(OUT_OF_REACH) == [], (place, width, height)
            assert quiet_page.evaluate(WIDER) <= 0, (place, width, height)
            if quiet_page.get_by_role("group", name="Cards").is_visible() and place != "question":
                in_sight = quiet_page.evaluate(TURN_AND_PACK_IN_SIGHT)
                assert larger or in_sight, (place, width, height)

    start(quiet_page, sheet=sheet, depth=depth)
    look_everywhere("dealing")
    quiet_page.get_by_role("button", name="Other games").click()
    look_everywhere("form")
    record = written_down(play_game(sheet, seed=4, deals=1), depth)
    for share in (0.3, 1):
        deal = record.deals[0]
        events = deal.events[: round(share * len(deal.events))]
        open_record(quiet_page, replace(record, deals=[replace(deal, events=events)]))
        look_everywhere(f"{share} of the deal")
        if share < 1:
            quiet_page.locator("[data-card]:not(.lit)").first.click()
            expect(quiet_page.locator("[data-ask]")).to_be_visible()
            look_everywhere("question")
    quiet_page.get_by_role("button", name="Other games").click()
    start(quiet_page, sheet=sheet, depth="scores")
    look_everywhere("marker")


def open_record(page: Page, record: Record) -> None:
    page.goto("/record")
    file = {"name": "game.json", "mimeType": "application/json", "buffer": codec.encode(record)}
    page.set_input_files("[data-open-file]", file)
    expect(page.locator("[data-recorder]")).to_be_visible()
    settled(page)


def written_down(game: Record, depth: str) -> Record:
    """A game as it is entered at a depth."""
    deal = game.deals[0]
    hands = [hand if seat == 0 else ["??"] * len(hand) for seat, hand in enumerate(deal.hands)]
    events = [
        replace(event, card="??") if isinstance(event, Draw) and event.seat else event
        for event in deal.events
        if is_chosen(event, depth)
    ]
    own = {"hands": hands, "seat": 0} if depth == "seat" else {"hands": None, "seat": None}
    return replace(
        game,
        result=None,
        deals=[replace(deal, knowledge=depth, events=events, claims=None, **own)],
    )


def mark_deal(page: Page, marriages: dict[str, int]) -> None:
    """Count a deal of Marjolet on the marker: so many marriages, half of the brisques each, and the last trick for Ann."""
    for name, count in marriages.items():
        for _ in range(count):
            page.get_by_role("button", name=f"{name}: common marriage 20").click()
    page.get_by_role("button", name="Ann: last trick 10").click()
    expect(page.get_by_role("button", name="Bob: last trick 10")).to_be_disabled()
    page.locator("[data-marker] select").select_option("4")
    page.get_by_role("button", name="The deal is over").click()
    settled(page)


@pytest.mark.long
def test_a_match_on_the_marker_ends_with_its_winner_and_is_stored_so(quiet_page: Page):
    """The next deal is as deep as the one before, the head keeps the match, and what does not apply is off."""
    quiet_page.goto("/record")
    quiet_page.select_option("#sheet", "marjolet")
    quiet_page.locator(".record-options summary").last.click()
    quiet_page.locator("[data-option=target]").fill("200")
    quiet_page.fill("#name-0", "Ann")
    quiet_page.fill("#name-1", "Bob")
    quiet_page.check("[name=depth][value=scores]")
    quiet_page.get_by_role("button", name="Start").click()
    mark_deal(quiet_page, {"Ann": 3, "Bob": 1})
    outcome = quiet_page.locator("[data-outcome]")
    expect(outcome).to_contain_text("Ann wins the deal, 110 to 60 points.")
    expect(outcome).to_contain_text("In the match: Ann 110, Bob 60. It is played to 200.")
    expect(quiet_page.get_by_role("button", name="The deal is over")).to_be_disabled()
    expect(quiet_page.get_by_role("button", name="Ann: won a trick")).to_be_disabled()
    expect(quiet_page.locator("#next-depth")).to_have_value("scores")
    expect(quiet_page.get_by_role("heading", name="The end of the deal")).to_be_focused()
    quiet_page.get_by_role("button", name="Next deal").click()
    settled(quiet_page)
    expect(quiet_page.locator("[data-players]")).to_contain_text("match 110")
    mark_deal(quiet_page, {"Ann": 3})
    expect(outcome).to_contain_text("Ann wins the match, 220 to 100 points.")
    expect(quiet_page.get_by_role("heading", name="The end of the match")).to_be_visible()
    expect(quiet_page.get_by_role("button", name="Next deal")).to_be_hidden()
    quiet_page.get_by_role("button", name="Undo").click()
    expect(quiet_page.locator("[data-end]")).to_be_hidden()
    settled(quiet_page)
    quiet_page.get_by_role("button", name="Store the game").click()
    expect(quiet_page.locator("[data-problem]")).to_contain_text("once the deal is over")
    quiet_page.get_by_role("button", name="Redo").click()
    settled(quiet_page)
    quiet_page.get_by_role("button", name="Store the game").click()
    quiet_page.locator("[data-stored]").get_by_role("link", name="Open the game").click()
    expect(quiet_page.locator("main")).to_contain_text(
        "Ann won by 120 points, as the record states."
    )


@pytest.mark.long
def test_who_has_only_the_points_on_paper_types_them(quiet_page: Page):
    """They take the place of what was tapped, and undo brings that back."""
    start(quiet_page, depth="scores")
    points = quiet_page.locator("[data-players] b")
    quiet_page.get_by_role("button", name="Ann: four aces 100").click()
    for name, value in (("Ann", "90"), ("Bob", "80")):
        quiet_page.get_by_label(f"Points of {name}").fill(value)
    quiet_page.get_by_role("button", name="Enter the points").click()
    expect(points).to_have_text(["90", "80"])
    expect(quiet_page.locator("[data-events]")).to_contain_text("Points on paper: 90 : 80")
    expect(quiet_page.locator(".record-remind")).to_have_count(0)
    quiet_page.get_by_role("button", name="Undo").click()
    expect(points).to_have_text(["100", "0"])
    quiet_page.get_by_role("button", name="Redo").click()
    quiet_page.get_by_role("button", name="The deal is over").click()
    expect(quiet_page.locator("[data-outcome]")).to_contain_text("Ann wins the deal, 90 to 80")


@pytest.mark.long
def test_brisques_are_counted_again_and_those_of_the_other_are_filled_in(quiet_page: Page):
    start(quiet_page, sheet="bezique", depth="scores")
    marker = quiet_page.locator("[data-marker]")
    points = quiet_page.locator("[data-players] b")
    for own, rest in ((10, 6), (9, 7)):
        marker.locator("select").select_option(str(own))
        expect(marker).to_contain_text(f"Bob {rest}, {rest}0 points: all others, filled in.")
        expect(points).to_have_text([str(10 * own), str(10 * rest)])
    settled(quiet_page)
    assert said(quiet_page) == ["Brisques: Ann 9, 90 points; Bob 7, 70 points"]
    quiet_page.get_by_role("button", name="Undo").click()
    expect(points).to_have_text(["100", "60"])


def offer(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()
    settled(page)


@pytest.mark.long
def test_a_corrected_entry_replaces_the_one_stored_before(quiet_page: Page):
    """Only after it was asked; the page says what becomes of the old one."""
    start(quiet_page)
    for card in ("7H", "KD", "AD", "8C"):
        tap(quiet_page, card)
    settled(quiet_page)
    offer(quiet_page, "Store the game")
    expect(quiet_page.locator("[data-stored] article.verdict")).to_have_count(1)
    offer(quiet_page, "Undo")
    tap(quiet_page, "9C")
    settled(quiet_page)
    offer(quiet_page, "Store the game")
    ask = quiet_page.locator("[data-ask]")
    expect(ask).to_contain_text("Replace the one stored before?")
    offer(quiet_page, "Cancel")
    expect(quiet_page.locator("[data-stored] article.verdict")).to_have_count(0)
    offer(quiet_page, "Store the game")
    trash = quiet_page.locator("[data-store][data-trash]").count()
    offer(quiet_page, "Replace it" if trash else "Store the new one")
    expect(quiet_page.locator("[data-stored] article.verdict")).to_have_count(1)
    if trash:
        expect(quiet_page.locator("[data-told]")).to_contain_text("is in the trash")
    quiet_page.locator("[data-stored]").get_by_role("link", name="Open the game").click()
    new_version = quiet_page.get_by_text("A new version of this record")
    expect(new_version).to_have_count(0 if trash else 1)


@pytest.mark.long
def test_a_line_of_the_list_leads_back_to_its_step(quiet_page: Page):
    """In a deal of plays, and on the marker; what came after it is set aside and comes back."""
    start(quiet_page)
    for card in ("8H", "KC", "AC", "7C", "9C"):
        tap(quiet_page, card)
    before = said(quiet_page)
    quiet_page.get_by_text("What is recorded").click()
    quiet_page.locator("[data-events] button").nth(1).click()
    offer(quiet_page, "Go back to here")
    assert len(said(quiet_page)) == 1
    rest = quiet_page.locator("[data-rest]")
    expect(rest).to_contain_text("The 3 steps after this place are set aside.")
    offer(quiet_page, "Bring it all back")
    assert said(quiet_page) == before
    offer(quiet_page, "Other games")
    start(quiet_page, depth="scores")
    for name in ("Ann: common marriage 20", "Bob: common marriage 20"):
        offer(quiet_page, name)
    quiet_page.get_by_text("What is recorded").click()
    quiet_page.locator("[data-events] button").last.click()
    offer(quiet_page, "Go back to here")
    expect(quiet_page.locator("[data-players] b")).to_have_text(["20", "0"])


def downloaded(page: Page) -> Record:
    with page.expect_download() as download:
        page.get_by_role("button", name="Download JSON").click()
    record = codec.decode(download.value.path().read_bytes()).record
    assert record is not None
    return record


@pytest.mark.long
def test_what_stands_on_paper_is_kept_beside_an_event_and_compared(quiet_page: Page):
    """The points of a meld, and who took a trick: the line tells what differs, and undo takes the claim away."""
    start(quiet_page)
    for card in ("9H", "7S", "AS"):
        tap(quiet_page, card)
    happened(quiet_page, "meld marriage", "KS QS")
    tap(quiet_page, "8D")
    before = said(quiet_page)
    quiet_page.get_by_text("What is recorded").click()
    lines = quiet_page.locator("[data-events] li")
    lines.nth(2).locator(".record-line").click()
    lines.nth(2).get_by_label("Points on paper").fill("40")
    offer(quiet_page, "Keep them")
    expect(lines.nth(2)).to_contain_text("40")
    assert downloaded(quiet_page).deals[0].events[2].points == 40
    told = quiet_page.locator("[data-report]")
    offer(quiet_page, "Check it")
    expect(told).to_contain_text("legal with mismatches")
    lines.nth(1).locator(".record-line").click()
    offer(quiet_page, "On paper, Bob takes the trick")
    expect(lines).to_have_count(len(before) + 1)
    events = downloaded(quiet_page).deals[0].events
    assert (events[2], events[3].points) == (Trick(winner=1), 40)
    offer(quiet_page, "Undo")
    offer(quiet_page, "Undo")
    assert said(quiet_page) == before


@pytest.mark.long
def test_the_running_score_on_paper_becomes_the_points_of_the_deal(quiet_page: Page):
    game = play_game("marjolet", seed=4, deals=2, names=["Ann", "Bob"])
    first, second = ([*deal.claims.scores] for deal in game.deals)
    deals = [replace(deal, claims=None) for deal in game.deals]
    open_record(quiet_page, replace(game, deals=deals, result=None))
    paper = quiet_page.locator("[data-paper]")
    for at, name in enumerate(("Ann", "Bob")):
        paper.get_by_label(name).fill(str(first[at] + second[at]))
    paper.get_by_label("The paper shows the running score").check()
    offer(quiet_page, "Compare and keep them")
    assert downloaded(quiet_page).deals[1].claims.scores == second
    happened(quiet_page, "score brisques")
    assert quiet_page.locator("#other-number").evaluate("each => each === document.activeElement")
    quiet_page.fill("#other-number", "3")
    happened(quiet_page, "score brisques")
    settled(quiet_page)
    assert downloaded(quiet_page).deals[1].events[-1].count == 3


@pytest.mark.long
def test_two_quick_taps_on_an_answer_take_one(quiet_page: Page):
    """Each of them a tap of its own, as on a phone: the second means no card that stands there by now."""
    start(quiet_page, sheet="bezique")
    for card in ("9H", "KS", "AS"):
        tap(quiet_page, card)
    settled(quiet_page)
    before = said(quiet_page)
    quiet_page.locator("[data-group='four kings']").click()
    quiet_page.wait_for_timeout(500)
    pick = quiet_page.locator("[data-pick]").first
    box = pick.bounding_box()
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for _ in range(2):
        quiet_page.mouse.click(*at)
    shown = quiet_page.locator("[data-shown]")
    expect(shown.get_by_role("status").or_(shown.locator("li").first).first).to_contain_text(
        re.compile(r"K\S+ which cards")
    )
    assert said(quiet_page) == before
