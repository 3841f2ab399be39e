"""Positions that cannot have come about are illegal, each by its code; fewer cards on both sides are no breach."""

import pytest

from records.record import Deal, Laid, Setup
from records.validator import check_record
from tests.make.tables import record_of, table
from tests.make.turns import deal_of as zetema_deal
from tests.make.turns import record_of as zetema_record

DEALT = "N: AS TS KH QH JD 9C 8C 7H | S: AD TD KS QS JH 9D 8D 7S"

WRONG = {
    "impossible-stock": [
        f"{DEALT} | turn-up 9H | stock 48",
        "N: 9S | S: 8S | trump H | stock 64",
        "N: 9S | S: 8S | turn-up 9H | stock 2",
        "N: 9S | S: 8S | turn-up 9H | N won",
    ],
    "uneven-hands": [
        "N: 9S 8H | S: 8S | trump H",
        "N: 9S | S: 8S | trump H | N replies to KH",
        "N: 9S 8D | N lays marriage KS QS | S: 9H 8H | trump H",
        "N: 9S 8D | N lays marriage KS QS | N lays bezique QS JD | S: 9H 8H 7H JC 7C 7D 9C | trump H",
    ],
    "hand-too-large": [f"{DEALT} | trump H".replace("7H |", "7H 7C |").replace("7S |", "7S 7D |")],
    "impossible-brisques": [
        f"{DEALT} | turn-up 9H | stock 31 | brisques 40 40",
        f"{DEALT} | turn-up 9H | stock 31 | brisques 10 3",
        f"{DEALT} | turn-up 9H | stock 45 | brisques 3 0",
        "N: 9S | S: 8S | trump H | brisques 33 0",
        "N: AS | S: TS | trump H | brisques 16 15",
    ],
    "trumps-not-turned-up": [f"{DEALT} | trump S | turn-up 7H | stock 3"],
    "no-meld-on-table": [
        "N: 9S | N lays marriage QS JS | S: 9D 8D 7D | turn-up 8H | stock 1",
        "N: 9S | N lays marriage KS QS QS | S: 9D 8D 7D 7C | turn-up 8H | stock 1",
        "N: 9S | N lays sequence AS TS | S: 9D 8D 7D | turn-up 8H | stock 1",
        "N: 9S | N lays four_tens TS TH | S: 9D 8D 7D | turn-up 8H | stock 1",
        "N: 9S | N shows bezique QS JH | S: 9D 8D 7D | turn-up 8H | stock 1",
        "N: 9S | N lays four_kings 9? | S: 9D 8D | turn-up 8H | stock 1",
    ],
    "impossible-spent-dix": [
        "N: 7H | S: 8S | trump H | spent 7S",
        "N: 7H | S: 8S | trump H | spent 7H 7H",
        "N: 7H.1 | S: 8S.1 | trump H | spent 7H.2",
    ],
    "too-many-copies": [
        "N: KS KS 9S | N lays marriage KS QS | S: 9D 8D 7D 7C 8H | turn-up 8H | stock 1",
        "N: 9S | S: 8S | trump H | N replies to 9S".replace("N: 9S", "N: 9S 9S"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "position"), [(code, each) for code, some in WRONG.items() for each in some]
)
def test_a_position_that_cannot_be(code, position):
    assert code in table(position, whole=True).codes


RIGHT = [
    f"{DEALT} | turn-up 9H | stock 47",
    # A problem may leave out cards of the stock, and the turn-up.
    f"{DEALT} | turn-up 9H | stock 21",
    f"{DEALT} | trump H | stock 21",
    f"{DEALT} | turn-up 9H | stock 47 | N won",
    f"{DEALT} | turn-up 9H | stock 45 | N replies to 9S".replace(" 7S |", " |"),
    f"{DEALT} | turn-up 9H | stock 31 | brisques 8 4",
    "N: 9S 8D | S: 9H 8H | turn-up 8C | stock 9",
    "N: 9S | S: 9H 8H | trump H | S replies to KH",
    "N: 9S | N lays sequence AH TH QH | N lays marriage QH | S: 9D 8D 7D 7C | turn-up 8H | stock 1",
    # One queen or two: the hands fit two.
    "N: 9S | N lays marriage KS QS | N lays bezique QS JD | S: 9D 8D 7D 7C 9C | turn-up 8H | stock 1",
    "N: 9S | N lays marriage KS QS | N lays bezique QS JD | S: 9D 8D 7D 7C | turn-up 8H | stock 1",
    "N: 7H 9S | S: 7H 8S | trump H | spent 7H 7H",
    "N: ?? | S: ?? | trump H | spent 7H",
    "N: 9S | S: 9H | trump H | scores 10 500 | brisques 10 6",
]  # fmt: skip


@pytest.mark.parametrize("position", RIGHT)
def test_a_position_that_can_be(position):
    assert table(position, whole=True).codes == []


def test_trumps_may_have_been_made_after_a_meld():
    """Before trumps are made, the queen of spades and the jack of diamonds are the bezique of every sheet."""
    position = "N: 9S | N lays bezique QS JD | S: 9H 8H 7H | trump S | stock 8"
    assert table(position, whole=True, sheet="rubicon-bezique").codes == []
    table("N: 9S | N lays sequence AS TS KD | S: 9H 8H 7H 7C | stock 8", whole=True,
          sheet="rubicon-bezique").only("no-meld-on-table")  # fmt: skip


@pytest.mark.parametrize(
    ("sheet", "setup", "code"),
    [
        ("rubicon-bezique", {"turn_up": "9H"}, "turn-up-not-in-rules"),
        ("rubicon-bezique", {"spent_dixes": ["7S"]}, "setup-not-in-rules"),
        ("bezique", {"trump": "H", "tableau": ["9S"]}, "setup-not-in-rules"),
        ("bezique", {"trump": "H", "trick": ["8D", "7D"]}, "impossible-trick"),
        ("polish-bezique", {"trump": "H", "captured": [["KD"], []]}, "impossible-captures"),
        ("polish-bezique", {"trump": "H", "won": True, "captured": [[], []]}, "impossible-captures"),
        ("polish-bezique", {"trump": "H", "captured": [["AD", "KD"], []], "brisques": [0, 0]},
         "impossible-brisques"),
        ("marjolet", {"trump": "H", "tables": [[Laid(meld="marriage", cards=["KS", "QS"], scored=False)], []]},
         "setup-not-in-rules"),
        ("bezique", {"trump": "H", "tables": [[Laid(meld="marriage", cards=[])], []]},
         "no-meld-on-table"),
        ("bezique", {"trump": "H", "tables": [[Laid(meld="marjolet", cards=["QS"])], []]},
         "no-meld-on-table"),
    ],
)  # fmt: skip
def test_what_the_game_does_not_have(sheet, setup, code):
    deal = Deal(dealer=1, setup=Setup(hands=[["9S"], ["8S"]], seat=0, **setup))
    assert code in [
        finding.code for finding in check_record(record_of([deal], sheet=sheet)).findings
    ]


def test_a_stock_in_its_order_is_as_long_as_the_position_says():
    setup = Setup(hands=[["9S"], ["8S"]], seat=0, stock=3, turn_up="9H", won=True)
    deal = Deal(dealer=1, setup=setup, stock=["KC", "KD"])
    assert [
        f.code for f in check_record(record_of([deal])).findings if f.severity == "illegal"
    ] == ["wrong-stock-size"]


@pytest.mark.parametrize(("stock", "codes"), [(3, ["impossible-stock"]), (4, [])])
def test_where_nothing_is_turned_up_the_stock_is_even(stock, codes):
    position = f"N: 9S | S: 8S | trump H | stock {stock}"
    assert table(position, sheet="rubicon-bezique", whole=True).codes == codes


@pytest.mark.parametrize(
    ("position", "code"),
    [
        ("A: 2H 3H 4H 5H 6H 7H 8H | B: 2C 3C 4C 5D 6C | stock 20", "hand-too-large"),
        ("A: 2H 3H 4H 5H 6H | B: 2C 3C 4C 5D 6C | stock 56", "impossible-stock"),
        (
            "A: 2H 3H 4H 5H 6H | B: 2C 3C 4C 5D 6C | tableau 9S 9S 9H 9D 9C | stock 20",
            "impossible-pile",
        ),
    ],
)
def test_zetema(position, code):
    report = check_record(zetema_record(zetema_deal(position)))
    assert [f.code for f in report.findings if f.severity == "illegal"] == [code]


def test_zetema_has_no_melds_on_the_table_and_no_trumps():
    deal = zetema_deal("A: 2H 3H 4H 5H 6H | B: 2C 3C 4C 5D 6C | stock 20")
    deal.setup.trump, deal.setup.brisques = "H", [1, 0]
    codes = [finding.code for finding in check_record(zetema_record(deal)).findings]
    assert codes.count("setup-not-in-rules") == 2


def test_a_position_that_cannot_be_is_found_where_cards_are_unknown():
    told = table(f"{DEALT.replace('KH QH JD', '?? ?? ?H')} 7C | turn-up 9H | stock 31", whole=True,
                 knowledge="public")  # fmt: skip
    assert told.codes == ["hand-too-large", "uneven-hands"]


def test_cards_that_lie_melded_are_among_those_captured():
    """Polish: three cards, and a marriage of two more, are five."""
    position = (
        "N: 9S 8S | S: 7C 8C | N captured 7D 8D 9D | N lays marriage KS QS | S captured 9C TC"
    )
    told = table(
        f"{position} | trump H | turn-up KH | stock 9 | N leads", sheet="polish-bezique", whole=True
    )
    (found,) = [each for each in told.report.findings if each.code == "impossible-captures"]
    assert found.found == "5"
    assert found.message == "North has captured 5 cards, but tricks have two cards each."


@pytest.mark.parametrize(
    ("laid", "wrong"),
    [("four_aces AS ??", []), ("marriage K? ??", []), ("marriage ?? A?", ["no-meld-on-table"])],
)
def test_a_meld_on_the_table_may_be_known_in_part(laid, wrong):
    told = table(
        f"N: 9S 8S 7S | N lays {laid} | S: 7C 8C 9C 7D 8D | trump H | turn-up KH | stock 9 | N leads",
        knowledge="public", whole=True,
    )  # fmt: skip
    assert [each.code for each in told.report.findings if "meld" in each.code] == wrong


def test_a_stock_without_hands_is_counted_as_far_as_it_goes():
    deal = Deal(dealer=1, turn_up="9H", stock=["KC"] * 3, knowledge="public")
    assert [each.code for each in check_record(record_of([deal])).findings] == ["too-many-copies"]


@pytest.mark.parametrize(("cards", "wrong"), [(6, []), (7, ["hand-too-large"])])
def test_six_players_are_dealt_five_cards_and_draw_up_to_six(cards, wrong):
    first = " ".join(["2S", "3S", "4S", "5S", "6S", "7S", "8S"][:cards])
    others = " | ".join(
        f"{seat}: 2{suit} 3{suit} 4{suit} 5{suit} 6{suit}"
        for seat, suit in zip("BCD", "HDC", strict=True)
    )
    deal = zetema_deal(f"A: {first} | {others} | E: 8H 8D 8C 9S 9H | F: 9D 9C TH TD TC | stock 20")
    found = check_record(zetema_record(deal)).findings
    assert [each.code for each in found if each.severity != "note"] == wrong


LEFT_OUT = "N: 7D 8C | S: 9S 8S | trump H | stock 1 | N won"


@pytest.mark.parametrize("sheet", ["zique", "bezique"])
@pytest.mark.parametrize("knowledge", ["full", None, "public", "plays"])
def test_a_turn_up_left_out_is_a_trump_whatever_the_record_knows(sheet, knowledge):
    """Its suit is trumps, so no record can have drawn another card last."""
    for card, codes in (("9D", ["wrong-card-drawn"]), ("9H", [])):
        events = f"N draws 8S, S draws {card}"
        report = table(LEFT_OUT, events, sheet=sheet, knowledge=knowledge).report
        assert [each.code for each in report.findings if each.severity != "note"] == codes
        assert (report.verdict == "illegal") == bool(codes)


def test_a_turn_up_left_out_tells_trumps_when_it_is_drawn():
    position = LEFT_OUT.replace("trump H | ", "")
    told = table(position, "N draws 8S, S draws 9C, N 7D, S 9C, N takes")
    assert "wrong-trick-winner" in told.codes


def test_a_turn_up_left_out_may_be_exchanged_for_the_seven():
    position = "N: 7H 8C | S: 9D 8D | trump H | stock 3 | N won"
    told = table(position, "N dix exchange 10", sheet="bezique")
    assert told.codes == []
    assert told.report.verdict == "undetermined"


@pytest.mark.parametrize("turn_up", ["", "turn-up 7H | "])
def test_a_seven_that_is_drawn_last_has_scored_told_or_left_out(turn_up):
    """It lay there because it was turned up or exchanged, and scored in either case (A-01, A-02)."""
    position = LEFT_OUT.replace("stock", turn_up + "stock")
    told = table(position, "N draws 8D, S draws 7H, N 7D, S 7H, S dix play 10", sheet="bezique")
    assert told.codes == ["dix-spent"]
