"""What was once judged wrong: partial records, impossible ones, and claims; each with the verdict it must have.

The records are small ones of our own. Where a collection of the records found lies beside the
repository, the last test holds their verdicts, too.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from records.events import Meld
from records.format.codec import encode
from records.record import Record
from records.selfplay import play_game
from records.validate.report import Report
from records.validator import check

SHARED = Path(__file__).parents[4] / "shared" / "found"


def report(rules: str | dict[str, Any], *deals: dict[str, Any], **members: Any) -> Report:
    """The report on a record: its rules, its deals as JSON has them, and its other members."""
    names = members.pop("names", ("Ann", "Bob"))
    record = {
        "format": "bezique-record", "version": "1.0",
        "rules": {"id": rules} if isinstance(rules, str) else rules,
        "players": [{"name": name} for name in names], "deals": list(deals), **members,
    }  # fmt: skip
    return check(msgspec.json.encode(record))


def setup(*hands: str, **members: Any) -> dict[str, Any]:
    """A deal that begins with a position; the hands as text."""
    events, rest = members.pop("events", ""), members.pop("deal", {})
    members = {"seat": 0, **members}
    position = {"hands": [hand.split() for hand in hands], **members}
    return {"dealer": 1, "setup": position, "events": told(events), **rest}


def told(text: str) -> list[dict[str, Any]]:
    """Events as text between commas: `0 plays AS`, `1 draws 9D`, `0 melds marriage KS QS`, `0 takes`."""
    return [_event(part.split()) for part in text.split(",") if part.strip()]


def _event(words: list[str]) -> dict[str, Any]:
    seat, verb, *rest = int(words[0]), words[1], *words[2:]
    match verb:
        case "plays":
            source = {"from": rest[2]} if rest[1:2] == ["from"] else {}
            return {"type": "play", "seat": seat, "card": rest[0], **source}
        case "draws" | "discards":
            kind = verb.removesuffix("s")
            return {"type": kind, "seat": seat, "card": rest[0]}
        case "melds":
            return {"type": "meld", "seat": seat, "meld": rest[0], "cards": rest[1:]}
        case "takes":
            return {"type": "trick", "winner": seat}
        case "dix":
            return {"type": "dix", "seat": seat, "action": rest[0]}
        case "scores":
            return {"type": "score", "seat": seat, "for": rest[0], "points": int(rest[1])}
        case "blanche":
            return {"type": "carte_blanche", "seat": seat}
        case "irregular":
            return {"type": "irregular", "seat": seat, "what": rest[0]}
    raise ValueError(words)


def bad(found: Report) -> list[tuple[str, int | None]]:
    """The findings that are worse than a note, with their events."""
    return [(f.code, f.at.event) for f in found.findings if f.severity != "note"]


def changed(record: Record, **members: Any) -> Report:
    """The report on a game of one deal, changed."""
    record.deals[0] = msgspec.structs.replace(record.deals[0], **members)
    return check(encode(record))


# -- legal records once called illegal


def a_queen_of_the_tableau_is_married() -> None:
    """Of two queens of spades one lies on the tableau and is married; another seat draws the other one."""
    unseen = ["??"] * 6
    deal = {
        "dealer": 2, "knowledge": "seat", "seat": 1,
        "hands": [unseen, ["2C", "3C", "4C", "5C", "7C", "9C"], unseen],
        "events": told(
            "0 discards QS, 1 discards 2C, 2 melds marriages KS QS, 0 draws ??, 0 discards 9H,"
            " 1 draws QS, 1 discards 3C"
        ),
    }  # fmt: skip
    found = report("zetema", deal, names=("Ann", "Bob", "Cleo"))
    assert bad(found) == []
    assert found.verdict in ("undetermined", "incomplete")


def two_hidden_plays() -> None:
    """Both unknown plays are settled by what is left: the first is the seven, the second the card drawn."""
    deal = setup(
        "7C JH", "9S AS", stock=1, turn_up="9D", deal={"knowledge": "public"},
        events="0 plays ??, 1 plays 9S, 0 draws 8H, 1 draws 9D, 0 plays ??, 1 plays 9D, 1 plays AS, 0 plays JH",
    )  # fmt: skip
    found = report("marjolet", deal)
    assert (bad(found), found.verdict) == ([], "incomplete")


def a_draw_not_written() -> None:
    """Of the two draws after a trick only the loser's is written."""
    hands = [["AS", "KS", "QS", "JS", "TS", "9S"], ["AH", "KH", "QH", "JH", "TH", "9H"]]
    deal = {
        "dealer": 1, "knowledge": "public", "hands": hands, "turn_up": "7D",
        "events": told("0 plays AS, 1 plays 9H, 1 draws 8C, 0 plays KS"),
    }  # fmt: skip
    found = report("marjolet", deal)
    assert (bad(found), found.verdict) == ([], "incomplete")


def scores_are_not_replayed() -> None:
    """`scores` means no cards, or too few to follow the play: a meld is only noted down."""
    deal = {
        "dealer": 1, "knowledge": "scores", "claims": {"scores": [120, 60]},
        "events": told("0 melds marriage KS QS, 1 scores last_trick 10"),
    }  # fmt: skip
    found = report("marjolet", deal)
    assert (bad(found), found.verdict) == ([], "undetermined")


def plays_without_melds() -> None:
    """The plays say what came from the table, and no meld says how it got there."""
    games = [play_game("marjolet", seed=seed, deals=1, where=True) for seed in range(12)]
    for record in games:
        events = [event for event in record.deals[0].events if not isinstance(event, Meld)]
        if any(getattr(event, "source", None) == "table" for event in events):
            found = changed(record, knowledge="plays", events=events)
            assert (bad(found), found.verdict) == ([], "undetermined")
            return
    raise AssertionError("in no game a card was played from the table")


def true_brisques_with_trumps_unrecorded() -> None:
    """Without melds nobody knows trumps, so nobody knows who took the brisques that were counted."""
    for seed in range(6):
        record = play_game("rubicon-bezique", seed=seed, deals=1, style="random")
        events = [event for event in record.deals[0].events if not isinstance(event, Meld)]
        found = changed(record, knowledge="plays", events=events)
        assert (bad(found), found.verdict) == ([], "undetermined")


def a_dix_that_is_none_accuses_nobody() -> None:
    """A seven shown against the rules is no proof that it is held: the other breaches would follow from it."""
    deal = setup(
        "8S KD 7S", "QD 9C AH", trump="S", events="1 dix show, 0 plays 8S, 1 plays 9C, 0 plays 7S"
    )
    found = report("marjolet", deal)
    assert found.verdict == "illegal"
    assert {event for _, event in bad(found)} == {0}


def true_claims_with_the_turn_up_unknown() -> None:
    """Nothing computed differs from what is claimed: it is open."""
    record = play_game("marjolet", seed=4, options={"target": 100}, deals=1)
    found = changed(record, knowledge="public", turn_up="??")
    # Only one card is left that it can have been, where somebody looks for it.
    assert (bad(found), found.verdict in ("legal", "undetermined")) == ([], True)
    assert "differs" not in {claim.status for claim in found.reconciliation}


def every_card_known_in_public() -> None:
    """Nothing is left open, whatever the level is called."""
    record = play_game("marjolet", seed=4, options={"target": 100}, deals=1)
    complete = record.result is not None and record.result.status == "complete"
    found = changed(record, knowledge="public")
    assert (bad(found), found.verdict) == ([], "legal" if complete else "incomplete")


def a_label_of_a_single_copy() -> None:
    """`.1` of a card that comes once is that card."""
    deal = setup(
        "JH.1 QH.1 QD.1", "7C.1 8C.1 9C.1", stock=1, turn_up="9H.1", won=True,
        events="0 melds marjolet JH.1 QH.1, 0 draws 7S.1, 1 draws 9H.1",
    )  # fmt: skip
    found = report("marjolet", deal)
    assert (bad(found), found.verdict) == ([], "incomplete")


def a_trick_event_between_a_breach_and_its_irregularity() -> None:
    """Who took the trick follows from the cards, and does not part the revoke from what excuses it."""
    deal = setup(
        "AS KS", "9S 8D", trump="H",
        events="0 plays KS, 1 plays 8D, 0 takes, 1 irregular revoke, 0 plays AS, 1 plays 9S",
    )  # fmt: skip
    found = report("marjolet", deal)
    assert (bad(found), found.verdict) == ([], "incomplete")


def a_redeal_after_a_misdeal() -> None:
    """The same dealer deals again, and the deal that was none scores nothing."""
    hands = [["AS", "KS", "QS", "JS", "TS", "9S"], ["AH", "KH", "QH", "JH", "TH", "9H"]]
    deal = {"dealer": 1, "hands": hands, "turn_up": "7D"}
    none = {**deal, "events": told("1 irregular misdeal")}
    again = {**deal, "events": told("0 plays AS, 1 plays 9H, 0 draws 8C, 1 draws 9C")}
    found = report("marjolet", none, again)
    assert (bad(found), found.verdict) == ([], "incomplete")


# -- broken or impossible records once passed


def a_provable_revoke_of_a_hidden_hand() -> None:
    """The 9 of spades is held, and the diamond was the other card."""
    deal = setup("AS KS", "9S ??", trump="H", events="0 plays AS, 1 plays 9D")
    assert report("marjolet", deal).verdict == "illegal"


def a_discard_after_marriages() -> None:
    """The marriages ended the turn: the tableau was empty, so both cards came from the hand."""
    deal = {
        "dealer": 1, "hands": [["KH", "QH", "2D", "3C", "4C", "6D"], ["7H", "8H", "9S", "TC", "4D", "6C"]],
        "events": told("0 melds marriages KH QH, 0 discards 2D"),
    }  # fmt: skip
    assert report("zetema", deal).verdict == "illegal"


def carte_blanche_after_a_card() -> None:
    """It is shown before its player plays, and it is seen that they have played."""
    hands = [
        ["7S", "8S", "9S", "TS", "AS", "7H", "8H", "9H", "TH"],
        ["7C", "8C", "9C", "TC", "AC", "7D", "8D", "9D", "TD"],
    ]
    deal = {
        "dealer": 1, "knowledge": "plays", "hands": hands,
        "events": told("0 plays 7S, 1 plays 7D, 1 blanche"),
    }  # fmt: skip
    assert report("rubicon-bezique", deal).verdict == "illegal"


def more_aces_than_there_are() -> None:
    """Eight aces in one hand, and one of the eight in the other."""
    assert hidden_hand("A?", "AS TS KH QH JD 9C 8C 7H", "1 plays 8C").verdict == "illegal"


def more_sevens_than_there_are() -> None:
    assert hidden_hand("7?", "7H 7S 8C 8D 9C 9D TS KH", "1 plays 8C").verdict == "illegal"


def more_spades_than_there_are() -> None:
    """All sixteen spades are dealt, and one is drawn."""
    events = "1 plays AS, 0 plays ??, 1 takes, 1 draws JS, 0 draws ??"
    assert hidden_hand("?S", "AS AS TS TS KS KS QS QS", events).verdict == "illegal"


def hidden_hand(token: str, hand: str, events: str) -> Report:
    """One seat's view of a deal of Bezique in which the other hand is eight like unknown cards."""
    deal = {
        "dealer": 0, "knowledge": "seat", "seat": 1, "turn_up": "9H",
        "hands": [[token] * 8, hand.split()], "events": told(events),
    }  # fmt: skip
    return report("bezique", deal)


def a_label_beyond_the_pack() -> None:
    for cards in (("AH.3", "AH.2"), ("AH.1", "AH.5")):
        events = f"0 plays {cards[0]}, 1 plays {cards[1]}"
        found = report("zique", setup(*cards, trump="H", events=events))
        assert found.verdict == "illegal"
        assert "card-not-in-pack" in [code for code, _ in bad(found)]


def an_uneven_setup() -> None:
    assert report("marjolet", setup("AS KS", "9D 8D 7C", trump="H")).verdict == "illegal"


def a_stock_larger_than_the_pack() -> None:
    deal = setup("AS KS", "9D 8D", stock=31, turn_up="8H")
    assert report("marjolet", deal).verdict == "illegal"


def brisques_beyond_the_pack() -> None:
    assert report("marjolet", setup("KS", "9D", trump="H", brisques=[9, 9])).verdict == "illegal"


def more_brisques_than_are_left() -> None:
    """Sixteen in two packs, and some of them are in the hands."""
    deal = setup("AS TS KH", "AD TD KS", stock=21, turn_up="9H", brisques=[9, 7])
    assert report("bezique", deal).verdict == "illegal"


def trumps_against_the_turn_up() -> None:
    deal = setup("AS KS", "9D 8D", trump="S", stock=3, turn_up="7H")
    assert report("marjolet", deal).verdict == "illegal"


def what_lies_is_no_meld() -> None:
    laid = [[{"meld": "marriage", "cards": ["QS", "JS"]}], []]
    deal = setup("AS", "9D 8D KC", stock=1, turn_up="8H", tables=laid)
    assert report("marjolet", deal).verdict == "illegal"


def a_trick_of_two_cards() -> None:
    assert report("marjolet", setup("AS", "9D", trump="H", trick=["8D", "7D"])).verdict == "illegal"


LONG = ("KD QD 7H AD TH 9S 9S KC", "7C 7C 8C 8C 9C 9C 7D 8D")


def a_meld_withdrawn_too_late() -> None:
    """A card has been drawn since: the meld stands, and may not score again."""
    deal = setup(
        *LONG, stock=21, turn_up="9H", won=True,
        events="0 melds marriage KD QD, 0 draws 8S, 0 irregular withdrawn_meld, 1 draws 8S, 0 plays 9S,"
        " 1 plays 7C, 0 melds marriage KD QD",
    )  # fmt: skip
    found = report("bezique-enhanced", deal)
    assert ("meld-reuses-cards", 6) in bad(found)


def a_seven_shown_again_after_a_withdrawn_meld() -> None:
    deal = setup(
        *LONG, stock=21, turn_up="9H", won=True,
        events="0 melds marriage KD QD, 0 dix show, 0 irregular withdrawn_meld, 0 dix show",
    )  # fmt: skip
    found = report("bezique-enhanced", deal)
    assert ("dix-spent", 3) in bad(found)


def an_irregularity_of_the_other_seat() -> None:
    """An exposed card of the leader does not excuse the revoke of the other."""
    deal = setup(
        "KC 9S", "7C 7D", trump="H", events="0 plays KC, 1 plays 7D, 0 irregular exposed_card"
    )
    found = report("bezique-enhanced", deal)
    assert ("must-follow-suit", 1) in bad(found)


def a_dix_claimed_twice_was_played() -> None:
    events = "0 plays 7H, 0 dix play, 0 dix play, 1 plays 8S, 1 plays 9S, 0 plays KD, 0 dix play"
    found = report("marjolet", setup("7H KD", "8S 9S", trump="H", events=events))
    assert bad(found)[0] == ("dix-spent", 2)


def a_dix_after_a_king_was_not_played() -> None:
    found = report(
        "marjolet", setup("7H KD", "8D 9S", trump="H", events="0 plays KD, 1 plays 8D, 0 dix play")
    )
    assert bad(found) == [("dix-not-played", 2)]


# -- numbers


def claims_count_brisques_that_settled() -> None:
    """What a deal adds to the result: brisques too, where they counted (900 and 15 brisques are 1,050)."""
    deal = setup(
        "AS", "7S", trump="H", scores=[1000, 900], brisques=[16, 15], events="0 plays AS, 1 plays 7S",
        deal={"claims": {"scores": [1220, 1050]}},
    )  # fmt: skip
    result = {"status": "complete", "scores": [1220, 1050], "settlement": [700, 0], "winner": 0}
    found = report("rubicon-bezique", deal, result=result)
    assert (bad(found), found.verdict) == ([], "legal")


def a_tie_broken_by_brisques_below_the_rubicon() -> None:
    """750 each; 5 and 13 brisques break the tie; the loser is rubiconed, on the points without brisques."""
    deal = setup(
        "AS", "7S", trump="H", scores=[700, 750], brisques=[4, 13], events="0 plays AS, 1 plays 7S"
    )
    assert report("rubicon-bezique", deal).settlement == [0, 2400]


def an_illegal_meld_scores_nothing() -> None:
    """The honest claim of the last trick and its ten is right, and the finding stands alone."""
    deal = setup(
        "KS QS 7D", "9D 8D TD", trump="H", won=True, deal={"claims": {"scores": [0, 20]}},
        events="0 melds marriage KS QS, 0 plays KS, 1 plays 8D, 0 plays QS, 1 plays 9D, 0 plays 7D, 1 plays TD",
    )  # fmt: skip
    found = report("marjolet", deal)
    assert (bad(found), found.verdict) == ([("meld-after-close", 0)], "illegal")


def a_card_that_left_is_not_in_the_new_meld() -> None:
    """R-RUB: the king scored in four kings since, and it is the king that would marry again."""
    deal = setup(
        "KS.1 QS.1 QS.2 KH.1 KD.1 KC.1 AC.1 AC.2", "7H.1 7H.2 7D.1 7D.2 7H.3 7D.3 8H.1 8H.2",
        trump="C", won=True,
        events="0 melds marriage KS.1 QS.1, 0 plays AC.1, 1 plays 7H.1, 0 melds four_kings KS.1 KH.1 KD.1 KC.1,"
        " 0 plays AC.2, 1 plays 7H.2, 0 melds marriage KS.1 QS.2",
    )  # fmt: skip
    assert bad(report("rubicon-bezique", deal)) == [("meld-reuses-cards", 6)]


def a_score_before_it_is_earned() -> None:
    """The last trick is claimed too early, and again when it is won: only the first claim is wrong."""
    deal = setup(
        "AS KS", "8S 9S", trump="H", deal={"claims": {"scores": [20, 0]}},
        events="0 plays AS, 1 plays 8S, 0 scores last_trick 10, 0 plays KS, 1 plays 9S, 0 scores last_trick 10",
    )  # fmt: skip
    found = report("marjolet", deal)
    assert (bad(found), found.verdict) == ([("score-not-earned", 2)], "legal_with_mismatches")


def sums_of_scores_are_checked() -> None:
    first, second = _scores(600, 700), {**_scores(500, 390), "dealer": 1}
    wrong_winner = {"status": "complete", "scores": [1100, 1090], "winner": 1}
    assert report("bezique", first, second, result=wrong_winner).verdict == "legal_with_mismatches"
    wrong_sum = {"status": "complete", "scores": [1100, 1200], "winner": 1}
    assert report("bezique", first, second, result=wrong_sum).verdict == "legal_with_mismatches"
    right = {"status": "complete", "scores": [1100, 1090], "winner": 0}
    assert bad(report("bezique", first, second, result=right)) == []


def a_deal_after_the_match_was_won() -> None:
    first, second = _scores(1000, 700), {**_scores(500, 400), "dealer": 1}
    found = report("bezique", first, second, result={"scores": [1500, 1100], "winner": 0})
    assert found.verdict == "legal_with_mismatches"
    assert "deal-after-game-won" in [code for code, _ in bad(found)]


def a_settlement_of_scores_is_checked() -> None:
    """1,510 : 1,240 settle for 500 + 1,500 - 1,200."""
    for settlement, verdict in (([900, 0], "legal_with_mismatches"), ([800, 0], "undetermined")):
        result = {"scores": [1510, 1240], "settlement": settlement, "winner": 0}
        assert report("rubicon-bezique", _scores(1510, 1240), result=result).verdict == verdict


def _scores(*scores: int) -> dict[str, Any]:
    return {"dealer": 0, "knowledge": "scores", "claims": {"scores": list(scores)}}


FOUND = [
    a_queen_of_the_tableau_is_married, two_hidden_plays, a_draw_not_written, scores_are_not_replayed,
    plays_without_melds, true_brisques_with_trumps_unrecorded, a_dix_that_is_none_accuses_nobody,
    true_claims_with_the_turn_up_unknown, every_card_known_in_public, a_label_of_a_single_copy,
    a_trick_event_between_a_breach_and_its_irregularity, a_redeal_after_a_misdeal,
    a_provable_revoke_of_a_hidden_hand, a_discard_after_marriages, carte_blanche_after_a_card,
    more_aces_than_there_are, more_sevens_than_there_are, more_spades_than_there_are,
    a_label_beyond_the_pack, an_uneven_setup, a_stock_larger_than_the_pack, brisques_beyond_the_pack,
    more_brisques_than_are_left, trumps_against_the_turn_up, what_lies_is_no_meld, a_trick_of_two_cards,
    a_meld_withdrawn_too_late, a_seven_shown_again_after_a_withdrawn_meld,
    an_irregularity_of_the_other_seat, a_dix_claimed_twice_was_played, a_dix_after_a_king_was_not_played,
    claims_count_brisques_that_settled, a_tie_broken_by_brisques_below_the_rubicon,
    an_illegal_meld_scores_nothing, a_card_that_left_is_not_in_the_new_meld,
    a_score_before_it_is_earned, sums_of_scores_are_checked, a_deal_after_the_match_was_won,
    a_settlement_of_scores_is_checked,
]  # fmt: skip


def named(function: Any) -> str:
    return function.__name__.replace("_", " ")


@pytest.mark.parametrize("holds", FOUND, ids=named)
def test_what_was_judged_wrong_is_judged_right(holds):
    holds()


VERDICTS = {
    "knowledge/01-zetema-seat-view-called-illegal": ("undetermined", "incomplete"),
    "knowledge/02-two-unknown-plays-called-illegal": ("incomplete",),
    "knowledge/03-phantom-seven": ("illegal",),
    "knowledge/04-unrecorded-draw-called-illegal": ("incomplete",),
    "knowledge/05-scores-knowledge-meld-illegal": ("undetermined",),
    "knowledge/06-tie-rubicon-settlement": ("legal_with_mismatches",),
    "knowledge/07-r-rub-wording": ("illegal",),
    "knowledge/08-unknown-turnup-reconciliation-differs": ("legal", "undetermined"),
    "knowledge/09-provable-revoke-undetermined": ("illegal",),
    "knowledge/10-illegal-meld-scores": ("illegal",),
    "knowledge/11-trick-event-breaks-irregular": ("incomplete",),
    "knowledge/12-setup-s_bris_toomany": ("illegal",),
    "knowledge/12-setup-s_handsize": ("illegal",),
    "knowledge/12-setup-s_stock_toobig": ("illegal",),
    "knowledge/12-setup-s_table_not_meld": ("illegal",),
    "knowledge/12-setup-s_trick_two": ("illegal",),
    "knowledge/12-setup-s_trump_conflict": ("illegal",),
    "knowledge/13-misdeal-redeal": ("incomplete",),
    "knowledge/14-public-all-known-undetermined": ("legal",),
    "knowledge/15-plays-without-melds-from-table": ("undetermined",),
    "knowledge/16-dix-twice-not-played": ("illegal",),
    "knowledge/17-dix-after-king-spent": ("illegal",),
    "knowledge/18-scored-twice": ("legal_with_mismatches",),
    "knowledge/19-rubicon-claims-with-brisques": ("legal",),
    "rules/c12p_same_partial": ("illegal",),
    "rules/f01_labels_beyond_pack": ("illegal",),
    "rules/f04_uneven": ("illegal",),
    "rules/g02_both_over_wrong_winner": ("legal_with_mismatches",),
    "rules/g04_deal_after_won": ("legal_with_mismatches",),
    "rules/g05_sum": ("legal_with_mismatches",),
    "rules/g08_rub_settle_bad": ("legal_with_mismatches",),
    "rules/l07_zetema_labels_all": ("incomplete",),
    "rules/m09_labels": ("incomplete",),
    "rules/six_pack_superseded_labelled": ("illegal",),
    "rules/three_copies_in_two_packs": ("illegal",),
    "rules/u01_withdraw_after_draw_meld_again": ("illegal",),
    "rules/u02_show_dix_then_withdraw_then_show": ("illegal",),
    "rules/u06_irregular_other_seat": ("illegal",),
    "rules/v01_md_partial": ("illegal",),
    "rules/w04_brisques_impossible": ("illegal",),
    "rules/w05_stock_too_big": ("illegal",),
    "rules/y04_rank_known_contradiction": ("illegal",),
    "rules/y09_hand_of_17_sevens": ("illegal",),
    "rules/y11_token_hall_bad": ("illegal",),
}
"""The verdict on every record found, by its name without `.json`."""


@pytest.mark.parametrize("name", VERDICTS)
def test_every_record_found_has_its_verdict(name):
    path = SHARED / f"{name}.json"
    if not path.exists():
        pytest.skip("the records found are not beside the repository")
    assert check(path.read_bytes()).verdict in VERDICTS[name]
