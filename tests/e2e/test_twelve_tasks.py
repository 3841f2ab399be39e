"""Twelve things that people come for, done with the keyboard alone, in no more steps than were counted when it was built."""

import pytest
from playwright.sync_api import Page, expect


class KeyboardOnly:
    """A reader without a mouse: every step is the Enter key, or a shortcut, on what the Tab key reaches."""

    def __init__(self, page: Page) -> None:
        self.page, self.steps = page, 0

    def follow(self, name: str, role: str = "link", *, inside: str = "body") -> None:
        """Press Enter on what has this name."""
        target = self.page.locator(inside).get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]
        target.focus()
        assert target.evaluate("e => e.tabIndex >= 0 && document.activeElement === e"), name
        self.page.keyboard.press("Enter")
        self.steps += 1

    def follow_to(self, address: str) -> None:
        """Press Enter on the first link to this address; other tests may have stored so much that a list must show it."""
        link, number = self.page.locator(f'a[href="{address}"]'), 0
        while not link.count() and number < 20:
            number += 1
            self.page.goto(f"/games?page={number}")
        link.first.focus()
        self.page.keyboard.press("Enter")
        self.steps += 1

    def see(self, selector: str, words: str) -> None:
        expect(self.page.locator(selector).first).to_contain_text(words)


@pytest.fixture
def reader(quiet_page: Page) -> KeyboardOnly:
    quiet_page.goto("/")
    return KeyboardOnly(quiet_page)


@pytest.mark.slow
def test_why_is_this_illegal(reader: KeyboardOnly, records):
    reader.page.get_by_label("or paste a record").fill(records["illegal"].decode())
    reader.follow("Look at it", "button")
    reader.see(".verdicts .finding-what", "but it is")
    assert reader.steps == 1


@pytest.mark.slow
def test_the_biggest_mistake_and_what_was_better(reader: KeyboardOnly, digests):
    reader.page.request.get(f"/games/{digests['random']}/review")
    reader.follow_to(f"/games/{digests['random']}")
    reader.follow("Review this game")
    reader.see("#mistakes", "costliest first")
    reader.see(".turns", "better")
    expect(reader.page.locator(".turn-better .card").first).to_be_visible()
    assert reader.steps == 2


@pytest.mark.slow
def test_share_a_position(reader: KeyboardOnly, digests):
    reader.follow_to(f"/games/{digests['random']}")
    reader.follow("Watch", inside="main")
    reader.page.wait_for_url("**/deals/*")
    reader.page.wait_for_load_state()  # a key that is pressed before is lost
    reader.page.keyboard.press("s")
    reader.steps += 1
    reader.follow("Copy link", "button")
    expect(reader.page.locator("[data-share-status]")).not_to_be_empty()
    assert reader.steps == 4, "from a position it takes 2"


@pytest.mark.slow
def test_the_best_meld_of_a_rulebook(reader: KeyboardOnly):
    reader.follow("Insights", inside="nav")
    reader.follow("All about this rulebook", inside="main")
    reader.see('[aria-label="Melds and their points"]', "marriage")
    assert reader.steps == 2


@pytest.mark.slow
def test_compare_two_players(reader: KeyboardOnly):
    for name in ("Club", "Players", "Compare two players"):
        reader.follow(name)
    reader.page.get_by_label("Player").fill("Cleo")
    reader.page.get_by_label("and", exact=True).fill("Dan")
    reader.follow("Compare", "button")
    reader.see("h1", "Cleo and Dan")
    assert reader.steps == 4


@pytest.mark.slow
def test_learn_zetema(reader: KeyboardOnly):
    reader.follow("Learn", inside="nav")
    reader.follow("Zetema", inside="main")
    reader.see("main", "The game in pictures")
    assert reader.steps == 2


@pytest.mark.slow
def test_take_a_csv(reader: KeyboardOnly):
    reader.follow("Games", inside="nav")
    with reader.page.expect_download() as download:
        reader.follow("CSV")
    assert download.value.suggested_filename == "games.csv"
    assert reader.steps == 2


@pytest.mark.slow
def test_learn_how_a_bezique_is_melded(reader: KeyboardOnly):
    reader.follow("Learn", inside="nav")
    reader.follow("Bezique", inside="main")
    reader.follow("melds and their points")
    reader.see('#melds .meld:has-text("bezique")', "queen of spades and jack of diamonds")
    assert reader.steps == 3


@pytest.mark.slow
def test_who_leads_the_club(reader: KeyboardOnly):
    reader.follow("Club", inside="nav")
    reader.follow("Standings", inside="main")
    reader.see("main table tbody", "1")
    assert reader.steps == 2


@pytest.mark.slow
def test_the_last_game_of_a_player(reader: KeyboardOnly):
    for name in ("Club", "Players", "Cleo"):
        reader.follow(name)
    expect(reader.page.locator("[aria-labelledby=last-matches] a").first).to_be_visible()
    assert reader.steps == 3


@pytest.mark.slow
def test_a_game_by_its_date(reader: KeyboardOnly):
    reader.follow("Games", inside="nav")
    reader.page.get_by_label("From").fill("1999-01-01")
    reader.page.get_by_label("to", exact=True).fill("1999-01-02")
    reader.follow("Filter", "button")
    reader.see("main", "No game")
    assert reader.steps == 2


@pytest.mark.long
def test_what_is_this_site(reader: KeyboardOnly):
    reader.see("h1", "checked and replayed")
    reader.see("main", "Bezique is a card game for two")
    assert reader.steps == 0
