"""A sheet of one's own: what is accepted can be played to its end and is legal; every mistake is told where it stands."""

import json
import os
import re
from collections import Counter
from random import Random
from string import ascii_lowercase
from time import process_time
from typing import Any

import msgspec
import pytest

from records.errors import SheetIdTaken
from records.format.codec import encode
from records.rules import registry
from records.rules.english import explain_sheet
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import ALL_SHEETS, SHEETS_FOLDER, add_sheet
from records.rules.sheet_text import MOST_MISTAKES, SheetError, SheetMistake
from records.rules.vocabulary import MeldsFrom, RuleSheet
from records.selfplay import play_game
from records.validator import check
from tests.records.rules.damaged_sheets import damaged_file
from tests.soak.sheets import examine_file

by_sheet = pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)

OURS = """\
base = "bezique"
id = "ours"
name = "Our Bezique"
says = "Bezique with 50 for a bezique."

[[changes]]
path = "/rules/melds/bezique/points"
value = 50

[[changes]]
path = "/rules/phases/close/follow"
value = "suit"
"""


@pytest.fixture(autouse=True)
def own_sheets(monkeypatch):
    """Sheets that are added are forgotten afterwards."""
    monkeypatch.setattr(registry, "_OWN_SHEETS", {})
    yield
    registry._resolve.cache_clear()


def mistakes(text: str | bytes, *, toml: bool = False) -> list[tuple[int, int, str]]:
    with pytest.raises(SheetError) as caught:
        read_own_sheet(text.encode() if isinstance(text, str) else text, toml=toml)
    return [tuple(each) for each in caught.value.mistakes]


def changed(
    *changes: dict[str, Any], base: str = "bezique", own_id: str = "ours", **members: Any
) -> str:
    """A file of one change a line, from line 4."""
    lines = ",\n".join(json.dumps(change) for change in changes)
    more = "".join(f", {json.dumps(name)}: {json.dumps(value)}" for name, value in members.items())
    return (
        f'{{"base": "{base}",\n"id": "{own_id}", "name": "Ours"{more},\n"changes": [\n{lines}\n]}}'
    )


def replaced(path: str, value: Any) -> dict[str, Any]:
    return {"path": path, "value": value}


@by_sheet
def test_a_published_sheet_is_accepted_as_it_is(sheet: RuleSheet) -> None:
    data = (SHEETS_FOLDER / f"{sheet.id}.json").read_bytes()
    assert msgspec.json.encode(read_own_sheet(data)) == msgspec.json.encode(sheet)


@by_sheet
def test_what_follows_from_the_rest_may_be_left_out(sheet: RuleSheet) -> None:
    data = json.loads((SHEETS_FOLDER / f"{sheet.id}.json").read_bytes())
    del data["rules"]["pack"]["cards"], data["laws"]
    for part, member in (("melds", "sets"), ("phases", "must_play")):
        for item in data["rules"][part]:
            del item[member]
    assert msgspec.json.encode(read_own_sheet(json.dumps(data).encode())) == msgspec.json.encode(
        sheet
    )


def test_a_base_with_changes_is_played_judged_and_told() -> None:
    sheet = read_own_sheet(OURS.encode(), toml=True)
    assert {row.words: row.points for row in sheet.rules.melds}["bezique"] == 50
    assert sheet.rules.phases[1].must_play == ALL_SHEETS[-2].rules.phases[1].must_play
    assert "must follow suit" in " ".join(each for a in sheet.articles for each in a.says)
    add_sheet(sheet)
    for seed in range(5):
        assert check(encode(play_game("ours", seed=seed))).verdict == "legal"


def test_a_published_id_is_not_given_away() -> None:
    sheet = read_own_sheet((SHEETS_FOLDER / "zique.json").read_bytes())
    with pytest.raises(SheetIdTaken, match="zique"):
        add_sheet(sheet)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (replaced("/rules/hand/2", 3), "No hand can hold the 4 cards of “four aces”"),
        (replaced("/rules/pack/copies/S", 9), "1 to 8 copies, as many as a record has labels for"),
        (replaced("/rules/melds/bezique/name", "zique"), "A record knows no meld zique"),
        (replaced("/rules/bonuses/0/name", "first_trick"), "A record knows no bonus first_trick"),
        (replaced("/rules/dix/show", "sometimes"), 'is wanted here, not "sometimes"'),
        (replaced("/rules/phases/stock/steps", ["draw", "trick"]), "trick, declare, draw"),
        (replaced("/rules/reuse/law", "R-NONE"), "There is no rule of reuse R-NONE"),
        (replaced("/rules/melds/marriage/points", 5), '"royal marriage" or "common marriage"'),
        (replaced("/rules/melds/four_ace/points", 5), '(perhaps "four_aces" is meant)'),
        (replaced("/name", "x"), "begins with /rules/"),
        ({"path": "/rules/hand/2"}, "A change has a `value`"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_the_line_of_its_change(change: dict[str, Any], words: str) -> None:
    found = mistakes(changed(replaced("/rules/dix/points", 20), change))
    told = [says for line, _, says in found if line == 5 or "cards of" in says]
    assert any(words in says for says in told), found


FOR_THREE = (
    ("/rules/players", [3]),
    ("/rules/hand", {"3": 8}),
    ("/rules/pack/copies", dict.fromkeys("SHDC", 3)),
    ("/rules/play/draws", "round_the_table"),
    ("/rules/match/target", {"3": 2000}),
)
"""What makes Bezique a game for three."""
ONE_DEAL = json.loads((SHEETS_FOLDER / "rubicon-bezique.json").read_bytes())["rules"]["match"]


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("/rules/players", [3, 4], "A game with tricks is for one number of players: write a sheet for each."),
        ("/rules/pack/copies", {"S": 3, "H": 3, "D": 2, "C": 2},
         "3 players draw 80 cards by turns, and 2 cards are left over."),
        ("/rules/pack/copies", dict.fromkeys("SHDC", 2), "3 players draw 64 cards by turns, and 1 card is left over."),
        ("/rules/play/draws", "winner_then_loser", "Where 3 play tricks, the order of the draws is round_the_table."),
        ("/rules/play/melds_by", "winner_or_partner", "Nobody has a partner here who could meld."),
        ("/rules/partners", [{"players": 3, "side": 2}], "3 players cannot form sides of 2."),
        ("/rules/cut", {"packet": 24, "dealer_points": 250, "guess_points": 150}, "A cut with a guess is for two players."),
        ("/rules/play/melds_from", "captured", "Only where two play are melds made of captured cards."),
        ("/rules/match", ONE_DEAL, "One deal is settled between two players; more play to a target."),
        ("/rules/match/end", "at_once", "Only a game in turns ends at once; one with tricks plays deals out."),
        ("/rules/bonuses/0/to", "loser", "Only where two play has a trick one loser."),
        ("/rules/hand", {"2": 8}, "The hand of 3 players is missing."),
        ("/rules/hand", {"3": 33}, "3 players cannot be dealt 33 cards each of 96."),
    ],
)  # fmt: skip
def test_what_more_than_two_cannot_play_is_told_at_its_change(
    path: str, value: Any, says: str
) -> None:
    for_three = [replaced(*each) for each in FOR_THREE]
    read_own_sheet(changed(*for_three).encode())
    told = mistakes(changed(*for_three, replaced(path, value)))
    assert (4 + len(for_three), says) in [(line, says) for line, _, says in told], told


TRUMPED = {"plain_led": ["any"], "trumps_led": ["any"], "trumped": ["any"]}


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("/rules/play/draws", "round_the_table", "Where 2 play tricks, the order of the draws is winner_then_loser."),
        ("/rules/play/melds_by", "winner_or_partner", "Nobody has a partner here who could meld."),
        ("/rules/match/end", "at_once", "Only a game in turns ends at once; one with tricks plays deals out."),
        ("/rules/pack", {"ranks": list("AKQJT97"), "row": None, "copies": {"S": 3, "H": 2, "D": 2, "C": 2}},
         "Two players draw 63 cards by turns, and one card is left over."),
        ("/rules/phases/close/must_play", TRUMPED, "This follows from the rest of the sheet and is nothing"),
    ],
)  # fmt: skip
def test_what_only_more_than_two_can_play_is_told_at_its_change(
    path: str, value: Any, says: str
) -> None:
    told = mistakes(changed(replaced(path, value)))
    assert any(line == 4 and each.startswith(says) for line, _, each in told), told


def test_every_mistake_is_told_at_once() -> None:
    text = changed(
        replaced("/rules/melds/bezique/name", "zique"),
        replaced("/rules/pack/copies/S", 9),
        replaced("/rules/reuse/law", "C8"),
    )
    assert [line for line, _, _ in mistakes(text)] == [4, 5, 6]


def test_an_option_that_sets_nothing() -> None:
    options = [
        {"takes": "choice", "name": "idle", "says": "Nothing.", "law": "practice", "default": False,
         "values": [{"value": False, "changes": []}, {"value": True, "changes": []}]},
    ]  # fmt: skip
    ((line, _, says),) = mistakes(changed(options=options))
    assert (line, says) == (2, "The option idle with the value true sets nothing.")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", (1, 1), "not JSON"),
        ("{\n oops", (2, 2), "not JSON"),
        (b'{"name": "\xff"', (1, 11), "not UTF-8"),
        ("[]", (1, 1), "an object"),
        ('{\n "base": "beziqe"}', (2, 10), '(perhaps "bezique" is meant)'),
        ('{"base": "bezique", "id": "ours",\n "nam": "Ours"}', (2, 9), "no member"),
        ('{"base": "bezique", "id": "ours"}', (1, 1), 'The member "name" is missing'),
    ],
)
def test_what_is_no_sheet(text: str | bytes, place: tuple[int, int], words: str) -> None:
    assert any((line, column) == place and words in says for line, column, says in mistakes(text))


def test_a_mistake_in_toml_has_its_line() -> None:
    assert mistakes("base = ", toml=True)[0][0] == 1
    assert mistakes(OURS.replace("= 50", '= "50"'), toml=True)[0][0] == 8
    assert mistakes(OURS.replace('id = "ours"', 'id = "Ours 1"'), toml=True)[0][:2] == (2, 1)


def random_changes(sheet: RuleSheet, random: Random) -> list[dict[str, Any]]:
    """One to four numbers, words or members of a sheet changed, of the sort that tables differ in."""
    rules = msgspec.json.decode(msgspec.json.encode(sheet.rules))
    paths = [
        "/rules/hand/2",
        "/rules/phases/1/melds",
        "/rules/phases/1/follow",
        "/rules/brisques/points",
    ]
    paths += [f"/rules/pack/copies/{suit}" for suit in "SHDC"]
    paths += [f"/rules/melds/{n}/points" for n in range(len(rules["melds"]))]
    paths += [f"/rules/melds/{n}/cards/repeat" for n in range(len(rules["melds"]))]
    paths += [f"/rules/bonuses/{n}/points" for n in range(len(rules["bonuses"]))]
    values = {
        "follow": ["any", "head", "suit"],
        "points": [0, 5, 35, 500],
        "melds": [0, 1, 2, None],
        "repeat": [1, 2, 3, 5],
    }
    return [
        {
            "path": path,
            "value": random.choice(values.get(path.rpartition("/")[2], [1, 2, 3, 5, 6, 8, 9, 12])),
        }
        for path in random.sample(paths, random.randint(1, 4))
    ]


def play_changed(base: RuleSheet, seed: int) -> str:
    """What comes of a base with changes at random: accepted and legal, or refused with a sentence."""
    random = Random(f"{base.id} {seed}")
    text = changed(
        *random_changes(base, random), base=base.id, own_id=f"ours-{ascii_lowercase[seed]}"
    )
    try:
        sheet = read_own_sheet(text.encode())
    except SheetError:
        assert all(line >= 1 and says.endswith(".") for line, _, says in mistakes(text))
        return "refused"
    add_sheet(sheet)
    for game in range(2):
        report = check(encode(play_game(sheet.id, seed=game, deals=1, style="random")))
        assert report.verdict in ("legal", "incomplete"), (text, report.findings)
    return "played"


WITH_TRICKS = [sheet for sheet in ALL_SHEETS if sheet.rules.tableau is None]


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("sheet", WITH_TRICKS, ids=lambda sheet: sheet.id)
def test_what_is_accepted_can_be_played_and_is_legal(sheet: RuleSheet) -> None:
    assert {play_changed(sheet, seed) for seed in range(25)} == {"played", "refused"}


# What follows from the rest is right, or a mistake.


def whole(base: str, path: str, value: Any) -> str:
    """A published sheet as a file of one's own, with another value at a path."""
    data = json.loads((SHEETS_FOLDER / f"{base}.json").read_bytes()) | {"id": "ours"}
    *way, last = path.split("/")[1:]
    part = data
    for step in way:
        part = part[int(step)] if isinstance(part, list) else part[step]
    part[int(last) if isinstance(part, list) else last] = value
    return json.dumps(data)


IGNORED = (
    ("bezique", "/rules/pack/cards", 65, "64"),
    ("bezique", "/rules/play/takes", ["highest_of_suit_led"], '["highest_trump", "highest_of_suit_led"]'),
    ("bezique", "/rules/play/at_the_close", "nothing", '"laid_cards_to_hand"'),
    ("polish-bezique", "/rules/play/at_the_close", "laid_cards_to_hand", '"nothing"'),
    ("bezique", "/rules/phases/1/must_play/plain_led", ["any"], '["higher_of_suit_led", "suit_led", "trumps", "any"]'),
    ("bezique", "/rules/melds/0/sets/S", 2, "1"),
    ("bezique", "/rules/reuse/forbids/0/says", "Never.", '"One of its cards has scored in a meld of its kind."'),
    ("bezique", "/rules/reuse/card_leaves_by", "played_or_melded", '"played"'),
    ("marjolet", "/rules/reuse/double_then_single", False, "true"),
    ("bezique", "/articles/5/follows", "suit", '"head"'),
    ("bezique", "/articles/0/says/0", "Many play.", '"The game is for two players."'),
    ("bezique", "/laws/0/says/0", "No.", None),
)  # fmt: skip


@pytest.mark.parametrize(("base", "path", "value", "made"), IGNORED)
def test_what_would_be_ignored_is_a_mistake(
    base: str, path: str, value: Any, made: str | None
) -> None:
    text = whole(base, path, value)
    ((line, column, says),) = mistakes(text)
    assert line == 1
    assert text[column - 1 :].startswith(json.dumps(value)[:1])
    assert says.startswith(f"This follows from the rest of the sheet and is {made or ''}")
    assert says.endswith(": write that, or leave it out.")


def test_what_a_change_sets_and_would_be_ignored_is_a_mistake_too() -> None:
    told = mistakes(changed(
        replaced("/rules/phases/close/follow", "suit"),
        replaced("/rules/phases/close/must_play/plain_led", ["any"]),
        replaced("/rules/play/takes", []),
    ))  # fmt: skip
    assert [line for line, _, _ in told] == [5, 6]


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("/rules/hand/2", 40, "2 players cannot be dealt 40 cards each of 64."),
        ("/rules/match/target/2", 0, "A target is at least 1, not 0."),
        ("/rules/players/0", 1, "From 2 to 6 may play, not 1."),
        ("/version", "1.9", 'The version of this format is "1.0": write that, or leave it out.'),
        ("/laws/1/id", "C1", 'Two of the laws have the id "C1".'),
    ],
)
def test_a_mistake_in_a_sheet_is_told_at_its_member(path: str, value: Any, words: str) -> None:
    text = whole("bezique", path, value)
    told = [column for _, column, says in mistakes(text) if words in says]
    assert [text[column - 1 :].startswith(json.dumps(value)) for column in told] == [True]


@pytest.mark.parametrize("step", ["-1", " 0", "0_0", "00", "+0", "٠", "1e0", "9"])
def test_what_is_no_index_leads_nowhere_in_an_option(step: str) -> None:
    data = json.loads((SHEETS_FOLDER / "bezique.json").read_bytes()) | {"id": "ours"}
    (number,) = [n for n, each in enumerate(data["options"]) if each["name"] == "last_trick"]
    path = f"/rules/bonuses/{step}/tricks"
    data["options"][number]["values"][1]["changes"][0]["path"] = path
    ((_, _, says),) = mistakes(json.dumps(data))
    assert says == f"{path} leads nowhere; items of lists are numbered from 0 here."


def test_a_target_that_a_change_makes_wrong_is_told_there() -> None:
    both = [replaced("/rules/hand/2", 40), replaced("/rules/match/target/2", 0)]
    assert [line for line, _, _ in mistakes(changed(*both))] == [4, 5]


def test_an_option_sets_all_that_follows() -> None:
    data = json.loads((SHEETS_FOLDER / "zique.json").read_bytes())
    (number,) = [n for n, option in enumerate(data["options"]) if option["name"] == "follow"]
    del data["options"][number]["values"][1]["changes"][1:]
    told = mistakes(json.dumps(data | {"id": "ours"}))
    assert [says for _, _, says in told] == [
        "With this value of follow: /rules/phases/1/must_play/plain_led follows from what it sets, and it has to set"
        " that too."
    ]


@by_sheet
def test_clauses_of_reuse_follow_from_law_and_members(sheet: RuleSheet) -> None:
    for other in ALL_SHEETS:
        reuse = msgspec.to_builtins(other.rules.reuse, str_keys=True)
        del reuse["forbids"]
        try:
            own = read_own_sheet(changed(replaced("/rules/reuse", reuse), base=sheet.id).encode())
        except SheetError:
            continue
        clauses = {clause.clause for clause in own.rules.reuse.forbids}
        captured = sheet.rules.melds_from is MeldsFrom.CAPTURED
        assert captured == (clauses >= {"no-card-won", "served"})
        assert {clause.clause for clause in other.rules.reuse.forbids} - clauses <= {
            "no-card-won", "served", "once-ever",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (replaced("/rules/melds/royal marriage/kind", "wedding"), "The kind marriage is that of the melds marriage"),
        (replaced("/rules/melds/bezique/class", "pair"), None),
        (replaced("/rules/hand/3", 8) | {"op": "add"}, "The game is not for 3 players."),
        (replaced("/rules/partners", [{"players": 2, "side": 2}]), "2 players cannot form sides of 2."),
    ],
)  # fmt: skip
def test_words_that_the_rules_go_by(change: dict[str, Any], words: str | None) -> None:
    if words is None:  # each a class of its own: nothing to climb
        assert read_own_sheet(changed(change).encode())
        return
    assert any(words in says and line == 4 for line, _, says in mistakes(changed(change)))


def test_a_class_that_no_rule_of_reuse_knows_has_one_level() -> None:
    both = [
        replaced(f"/rules/melds/{words}/class", "pair") for words in ("bezique", "double bezique")
    ]
    (told,) = mistakes(changed(*both))
    assert told[0] == 5
    assert told[2] == "By R-CLASS only the classes bezique and sequence have several levels."


@by_sheet
def test_a_published_sheet_of_another_name_is_accepted(sheet: RuleSheet) -> None:
    own = read_own_sheet(whole(sheet.id, "/name", "Ours").encode())
    assert msgspec.json.encode(own.rules) == msgspec.json.encode(sheet.rules)


SHAPE = {"form": "shape", "size": 4, "in_a_row": False, "one_suit": True}
CUT = {"packet": 64, "dealer_points": 250, "guess_points": 150}
CARTE_BLANCHE = {
    "points": 50, "courts": ["K"], "first": "before_own_first_card", "later": "before_next_card",
}  # fmt: skip
LAST_TRICK = {"name": "last_trick", "points": 10, "tricks": "last_trick", "to": "winner"}


@pytest.mark.parametrize(
    ("base", "path", "value", "words"),
    [
        ("bezique", "melds/four aces/cards", SHAPE, "A game with tricks has no melds that are a shape."),
        ("bezique", "cut", CUT, "A packet of 64 leaves none of the 64 cards."),
        ("bezique", "bezique_cards/S", ["QS", "JD", "KH"], "No meld asks for the king of bezique."),
        ("bezique", "bezique_cards/S", ["QS", "JD", "2H"], "The pack has no rank 2."),
        ("bezique", "bezique_cards/S", ["QS", "JD", "QH"], "The queen of bezique stands here twice."),
        ("zetema", "bonuses", [LAST_TRICK], "A game in turns has no tricks to score."),
        ("zetema", "trumps", {"by": "turn_up", "dealer_seven": 10}, "A game in turns has no trumps."),
        ("zetema", "pending", True, "Melds are pending only in a game with tricks."),
        ("zetema", "brisques", {"ranks": ["A"], "points": 10, "count": "at_the_end"}, "A game in turns has no brisques."),
        ("zetema", "cut", CUT, "A game in turns has no cut."),
        ("zetema", "carte_blanche", CARTE_BLANCHE, "A game in turns has no carte blanche."),
    ],
)  # fmt: skip
def test_what_no_game_of_this_kind_has(base: str, path: str, value: Any, words: str) -> None:
    told = mistakes(changed(replaced(f"/rules/{path}", value), base=base))
    assert words in [says for line, _, says in told if line == 4]


def test_two_melds_of_one_shape_are_a_mistake() -> None:
    data = json.loads((SHEETS_FOLDER / "zetema.json").read_bytes()) | {"id": "ours"}
    (shaped, *_) = [meld for meld in data["rules"]["melds"] if meld["cards"]["form"] == "shape"]
    data["rules"]["melds"].append(shaped | {"words": "another"})
    ((_, _, says),) = mistakes(json.dumps(data))
    assert says == f"Cards of “another” are another meld of the name {shaped['name']} already."


def test_cards_of_bezique_may_stand_in_a_sheet_without_bezique() -> None:
    gone = [
        {"op": "remove", "path": f"/rules/melds/{words}"} for words in ("bezique", "double bezique")
    ]
    assert read_own_sheet(changed(*gone).encode()).rules.bezique_cards


# Files of unknown content.

MELD = {
    "name": "sequence", "words": "pair", "points": 1, "kind": "sequence", "class": "sequence", "level": 2,
    "cards": {"form": "list", "repeat": 1, "cards": [{"ranks": ["A"], "suit": "S"}]},
}  # fmt: skip
ANY_TEN = {"form": "list", "repeat": 10, "cards": [{"ranks": list("AKQJT"), "suit": "any"}]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed(**{f"x{number}": 1 for number in range(9_000)}), 'There is no member "x0" here.'),
        (changed(replaced("/rules/melds", [MELD] * 400)), "at most 100 melds, not 400."),
        (changed(replaced("/rules/melds/0/cards", ANY_TEN)), "can be chosen in too many ways."),
        (changed(*[replaced("/rules/dix/points", 1)] * 501), "at most 500 changes, and this one has 501."),
        (changed(options=msgspec.to_builtins(ALL_SHEETS[0].options) * 9), "at most 100 values"),
        (changed(base="bezique" * 15_000), "There is no rulebook"),
    ],
    ids=range(6),
)  # fmt: skip
def test_too_much_of_anything_is_soon_refused(text: str, words: str) -> None:
    begins = process_time()
    found = mistakes(text)
    assert process_time() - begins < 1
    assert len(found) <= MOST_MISTAKES
    assert any(words in says for _, _, says in found)


FILES = int(os.environ.get("BEZIQUE_DAMAGED_SHEETS", "150"))


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_a_damaged_file_is_soon_read_or_refused_in_sentences(part: int) -> None:
    """At most two seconds of a processor for a file."""
    for number in range(part, FILES, 4):
        data, begins = damaged_file(Random(number)), process_time()
        told = told_of(data)
        assert process_time() - begins < 2, number
        assert told == sorted(told)
        for each in told:
            assert re.fullmatch(r"[^`\n]*(`[a-z_]+`[^`\n]*)*\.", each.says), (number, each)


def told_of(data: bytes) -> list[SheetMistake]:
    """The mistakes of a file; a sheet without any is told in English."""
    try:
        assert explain_sheet(read_own_sheet(data)).sections
    except SheetError as error:
        return error.mistakes
    return []


@pytest.mark.parametrize(
    ("copies", "says"),
    [
        ({"S": 3}, "The 72 cards are two packs and a third set of spades shuffled together"),
        ({"S": 3, "D": 3, "C": 3}, "two packs and a third set of spades, diamonds and clubs"),
    ],
)
def test_a_suit_may_have_a_card_more_of_each_rank(copies: dict[str, int], says: str) -> None:
    changes = [replaced(f"/rules/pack/copies/{suit}", number) for suit, number in copies.items()]
    sheet = read_own_sheet(changed(*changes, replaced("/rules/hand/2", 6)).encode())
    assert says in " ".join(each for article in sheet.articles for each in article.says)
    add_sheet(sheet)
    assert check(encode(play_game("ours", seed=1))).verdict == "legal"


def test_no_suit_has_two_cards_more_of_each_rank() -> None:
    ((line, _, says),) = mistakes(changed(replaced("/rules/pack/copies/S", 4)))
    assert (line, says) == (4, "A suit has as many copies as the others, or one more.")


@pytest.mark.parametrize(
    ("changes", "line", "words"),
    [
        ([replaced("/rules/dix/points", 20), replaced("/rules/hand/2", 3)], 5, "No hand can hold the 4 cards of “four aces”"),
        ([replaced("/rules/pack/copies/D", 1), replaced("/rules/dix/points", 20)], 4, "the pack does not have enough"),
    ],
)  # fmt: skip
def test_a_mistake_in_what_the_base_has_is_told_at_the_change_that_makes_it(
    changes: list[dict[str, Any]], line: int, words: str
) -> None:
    assert {told for told, _, says in mistakes(changed(*changes)) if words in says} == {line}


@pytest.mark.long
def test_no_mistake_of_one_change_is_told_at_the_base() -> None:
    elsewhere = []
    for sheet in WITH_TRICKS:
        for seed in range(12):
            (change, *_) = random_changes(sheet, Random(f"{sheet.id} {seed}"))
            try:
                read_own_sheet(changed(change, base=sheet.id).encode())
            except SheetError as error:
                elsewhere += [(change, each) for each in error.mistakes if each.line != 4]
    assert elsewhere == []


@pytest.mark.slow
def test_what_comes_of_changed_files_is_as_the_slow_referee_has_it() -> None:
    """So many files in a run: BEZIQUE_SHEETS."""
    tally = Counter[str]()
    for seed in range(int(os.environ.get("BEZIQUE_SHEETS", "12"))):
        assert examine_file(seed, tally) == []
    assert tally["games"]
    assert tally["refused"]
    assert tally["for more than two"]
