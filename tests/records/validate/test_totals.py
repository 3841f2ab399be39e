"""A result is held against itself, and against what deals can bring, where the record leaves the scores of deals open."""

from functools import cache
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from records.events import Irregular, Meld, Play
from records.record import Claims, Deal, Record, Result
from records.replay import Match, replay
from records.rules.registry import ALL_SHEETS, resolve_rules, resolve_sheet
from records.rules.vocabulary import BrisqueCount, OneDeal, TurnUp
from records.selfplay import play_game
from records.validate.check_deals import side_scores
from records.validate.check_totals import possible_scores
from records.validator import check_record
from tests.make.tables import deal_of, record_of
from tests.playouts.games import OPTIONED, STANDARD, Way
from tests.playouts.hoarding import play_hoarding_game

SCORES = Deal(dealer=0, knowledge="scores")
WRONG = ("illegal", "mismatch")
LEVELS = ("scores", "plays")


def codes(record: Record) -> list[str]:
    return [each.code for each in check_record(record).findings if each.severity in WRONG]


def of_scores(*claims: list[int] | None, sheet: str = "marjolet", **result: object) -> Record:
    """A match of which only scores are known, of some deals, and a result."""
    deals = [
        Deal(
            dealer=number % 2, knowledge="scores", claims=Claims(scores=scores) if scores else None
        )
        for number, scores in enumerate(claims)
    ]
    return replace(record_of(deals, sheet=sheet), result=Result(**result))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("record", "found"),
    [
        (of_scores(None, None, status="complete", scores=[510, 300], winner=0), []),
        (of_scores(None, None, status="complete", scores=[510, 600], winner=0), ["wrong-winner"]),
        (of_scores(None, None, scores=[510, 600], winner=0), ["wrong-winner"]),
        (of_scores(None, None, status="abandoned", scores=[510, 600], winner=0), []),
        (of_scores(None, None, status="complete", scores=[310, 290], winner=0), ["wrong-status"]),
        (of_scores(None, None, status="complete", scores=[510, 510]), ["wrong-status"]),
        (of_scores(None, None, status="unfinished", scores=[310, 290]), []),
        (of_scores(None, None, scores=[310, 290], winner=0), []),
        (of_scores(None, None, scores=[290, 310], winner=0), ["wrong-winner"]),
        (of_scores(None, None, scores=[310, 310], winner=0), ["wrong-winner"]),
        (of_scores(None, None, scores=[290, 310], winner=None), []),
        (of_scores(None, None, status="unfinished", scores=[290, 310], winner=0), []),
        (of_scores(None, None, status="complete", scores=[510, 304]), ["impossible-result-scores"]),
        (of_scores(None, status="complete", scores=[510, 200]), ["impossible-result-scores"]),
        (of_scores([300, 20], None, status="complete", scores=[510, 700]), ["impossible-result-scores"]),
        (of_scores([300, 20], None, status="complete", scores=[290, 500]), ["impossible-result-scores"]),
        (of_scores([501, 3], status="complete", scores=[501, 3], winner=0), ["impossible-deal-scores"]),
        (of_scores([-10, 510]), ["impossible-deal-scores"]),
        (of_scores([40, 50]), []),
        (of_scores([0, 0], status="abandoned"), []),
        (of_scores([40, 50], [300, 200]), ["impossible-deal-scores"]),
        (of_scores([40, 50], status="complete"), ["impossible-deal-scores", "wrong-status"]),
        (of_scores([500, 160]), ["impossible-deal-scores"]),
        (of_scores([500, 150]), []),
    ],
)  # fmt: skip
def test_a_race_whose_deals_are_known_by_scores(record: Record, found: list[str]) -> None:
    assert codes(record) == found


@pytest.mark.parametrize(
    ("record", "found"),
    [
        (of_scores(None, scores=[1510, 1240], winner=0, settlement=[800, 0]), []),
        (of_scores(None, scores=[1510, 1240], winner=1), ["wrong-winner"]),
        (of_scores(None, scores=[1510, 1240], settlement=[900, 0]), ["wrong-settlement"]),
        (of_scores(None, winner=1, settlement=[800, 0]), ["wrong-winner"]),
        (of_scores(None, winner=0, settlement=[800, 0]), []),
        (of_scores(None, winner=None, settlement=[0, 0]), []),
        (of_scores(None, winner=0, settlement=[0, 0]), ["wrong-winner"]),
        (of_scores([60, 60], scores=[60, 60], winner=0), ["impossible-deal-scores"]),
        (of_scores([185, 185], scores=[185, 185]), ["impossible-deal-scores"]),
        (of_scores([190, 190], scores=[190, 190], winner=None, settlement=[0, 0]), []),
    ],
)
def test_one_deal_that_is_known_by_its_scores(record: Record, found: list[str]) -> None:
    rules = msgspec.structs.replace(record.rules, id="rubicon-bezique")
    assert codes(replace(record, rules=rules)) == found


def test_a_result_without_deals_is_held_against_itself() -> None:
    record = of_scores(sheet="rubicon-bezique", scores=[1510, 1240], winner=1, settlement=[900, 0])
    assert {"wrong-winner", "wrong-settlement"} <= set(codes(record))


def test_what_known_tricks_hold_is_the_least() -> None:
    """North takes an ace, a ten and the last trick; of the first trick nothing is known."""
    told = "N ??, S ??, N AS, S TS"
    deal = deal_of("N: AS 9S | S: TS 8S | trump H | N leads", told)
    setup = deal.setup
    assert setup is not None
    plays = Deal(dealer=0, knowledge="plays", turn_up="9H", events=[*deal.events])
    # Too few tricks for a whole deal: nothing is said of it, nor of a position, which begins with any scores.
    for given in (plays, replace(deal, knowledge="public", claims=Claims(scores=[0, 0]))):
        assert "impossible-deal-scores" not in codes(record_of([given]))


def least_of(record: Record) -> int:
    """What the sides have at least together in the only deal of a record."""
    match = Match(record, resolve_rules(record.rules))
    table = list(replay(record, match=match, findings_only=True))[-1].table
    possible = possible_scores(table, record.deals[0], match.sides)
    assert possible is not None
    return sum(possible.least)


@pytest.mark.parametrize("name", ["bezique-2", "marjolet-2", "zique-2"])
def test_a_trick_of_which_only_one_can_be_the_winner_counts(name: str) -> None:
    """An ace was led, and of the reply only the suit is known: the ace has won, so its points are certain."""
    record = told_by(WAYS[name].play(1, "random", deals=1), "plays")
    deal, hidden = record.deals[0], 0
    plays = [event for event in deal.events if isinstance(event, Play)]
    alone = replace(record, deals=[replace(deal, events=list(plays))], result=None)
    for led, reply in zip(plays[::2], plays[1::2], strict=True):
        if led.card[0] == "A" and led.card[1] == reply.card[1]:
            at = plays.index(reply)
            masked = [*plays[:at], replace(reply, card=f"?{reply.card[1]}"), *plays[at + 1 :]]
            told = replace(alone, deals=[replace(deal, events=masked)])
            assert least_of(told) == least_of(alone) - 10 * (reply.card[0] in "AT")
            hidden += 1
    assert hidden


@pytest.mark.parametrize("way", [*STANDARD, *OPTIONED], ids=str)
def test_where_brisques_count_at_the_end_trumps_are_turned_up(way: Way) -> None:
    """The trumps of a deal are then those of its first trick, by which the brisques of every trick are counted."""
    sheet = resolve_sheet(way.sheet.id, None, way.options).sheet
    if sheet.rules.brisques.count is BrisqueCount.AT_THE_END:
        assert isinstance(sheet.rules.trumps, TurnUp)


def test_ruled_points_may_be_any_number() -> None:
    record = of_scores([501, 3])
    ruled = deal_of("N: 9S | S: 8S | trump H", "irregular N other").events
    deals = [replace(record.deals[0], events=ruled)]
    assert codes(replace(record, deals=deals)) == []


def test_equal_totals_after_a_misdeal_are_no_tie_of_the_deal() -> None:
    misdeal = Deal(dealer=0, events=[Irregular(seat=0, what="misdeal", points=10)])
    record = of_scores(None, sheet="rubicon-bezique", scores=[60, 60], winner=1)
    assert codes(record) == ["impossible-result-scores", "wrong-winner"]
    assert codes(replace(record, deals=[misdeal, *record.deals])) == []


# -- properties, of legal games of every sheet


WAYS = {str(way): way for way in STANDARD}


@cache
def games(name: str) -> list[Record]:
    played = enumerate(("random", "greedy"))
    return [WAYS[name].play(seed, style, deals=3) for seed, style in played]


def told_by(record: Record, level: str) -> Record:
    """The record at a level of knowledge, without claims of deals."""
    deals = [
        replace(deal, knowledge=level, claims=None, hands=None, stock=None,
                events=[] if level == "scores" else deal.events)
        for deal in record.deals
    ]  # fmt: skip
    return replace(record, deals=deals)


@pytest.mark.long
@pytest.mark.parametrize("name", WAYS)
def test_the_result_of_a_legal_game_is_never_impossible(name: str) -> None:
    for record in games(name):
        for level in LEVELS:
            assert codes(told_by(record, level)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", WAYS)
def test_a_result_that_contradicts_itself_is_found(name: str) -> None:
    """Whatever the deals tell: another winner, a number of points that cannot be, less than the tricks are worth."""
    random = Random(name)
    for record in games(name):
        result = record.result
        assert result is not None
        assert result.scores is not None
        odd = list(result.scores)
        odd[random.randrange(len(odd))] += random.choice((1, 2, 3, -1))
        ended = replace(result, status="complete")
        wrong = [replace(ended, scores=odd), replace(ended, scores=[0] * len(odd))]
        if result.status == "complete":
            others = [side for side in range(len(odd)) if side != result.winner]
            wrong.append(replace(result, winner=random.choice(others)))
        sheet = resolve_rules(record.rules).sheet
        if isinstance(sheet.rules.match, OneDeal) and result.settlement:
            wrong.append(replace(result, settlement=[points + 7 for points in result.settlement]))
        # The discards alone do not tell whether a deal of Zetema was played out.
        for level in LEVELS if sheet.rules.tableau is None else ("scores",):
            told = told_by(record, level)
            for each in wrong:
                assert codes(replace(told, result=each)) != [], (level, each)


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_the_only_deal_played_out_ends_its_match(sheet: str) -> None:
    """Whatever it leaves open, such as its melds: then the match was not abandoned."""
    if not isinstance(resolve_sheet(sheet).sheet.rules.match, OneDeal):
        return
    record = play_game(sheet, seed=1)
    assert record.result is not None
    for status in ("unfinished", "abandoned"):
        ended = replace(record.result, status=status)
        assert codes(replace(told_by(record, "plays"), result=ended)) == ["wrong-status"]


@pytest.mark.sampled(6)
@pytest.mark.long
@pytest.mark.parametrize("name", WAYS)
def test_a_last_deal_broken_off_anywhere_may_have_its_scores(name: str) -> None:
    """Unless its record says that the match was played to its end."""
    for record in games(name):
        deal = record.deals[0]
        match = Match(record, resolve_rules(record.rules))
        for frame in replay(replace(record, deals=[deal]), match=match):
            scores = side_scores(frame.table.deal_points, match.sides)
            told = Deal(dealer=deal.dealer, knowledge="scores", claims=Claims(scores=scores))
            assert codes(replace(record, deals=[told], result=None)) == [], frame.index


@pytest.mark.long
@pytest.mark.parametrize("name", WAYS)
def test_nothing_is_impossible_after_something_illegal(name: str) -> None:
    """Neither in the same deal nor in those that follow, whether that deal goes on or stops."""
    for record in games(name):
        told = told_by(record, "plays")
        nothing = Claims(scores=[0] * len(record.sides or record.players))
        events = told.deals[0].events
        other = "marjolet" if WAYS[name].sheet.rules.tableau else "flush"
        for illegal in (Meld(seat=0, meld=other, cards=["AS", "KS"]), Play(seat=0, card="2S")):
            first = replace(told.deals[0], events=[illegal, *events], claims=nothing)
            last = Deal(dealer=1 - first.dealer, knowledge="scores", claims=nothing)
            for deals in ([first], [first, last, last]):
                found = codes(replace(told, deals=deals))
                assert check_record(replace(told, deals=deals)).verdict == "illegal"
                assert "impossible-deal-scores" not in found


ONE_DEAL = [name for name, way in WAYS.items() if isinstance(way.sheet.rules.match, OneDeal)]


@pytest.mark.long
@pytest.mark.parametrize("name", ONE_DEAL)
@pytest.mark.parametrize("ruled", [(120, 0), (0, 700), (50, 50)])
def test_points_ruled_for_a_misdeal_settle_nothing(name: str, ruled: tuple[int, int]) -> None:
    """They count in the scores of the match, and the deal that is played is settled by its own."""
    for record in games(name):
        result, deal = record.result, record.deals[0]
        assert result is not None
        assert result.scores is not None
        rulings = [Irregular(seat=seat, what="misdeal", points=ruled[seat]) for seat in (0, 1)]
        misdeals = [Deal(dealer=deal.dealer, events=[ruling]) for ruling in rulings]
        total = [points + more for points, more in zip(result.scores, ruled, strict=True)]
        claimed = Deal(
            dealer=deal.dealer, knowledge="scores", claims=Claims(scores=list(result.scores))
        )
        for told in (deal, claimed, *(told_by(record, level).deals[0] for level in LEVELS)):
            right = replace(record, deals=[*misdeals, told], result=replace(result, scores=total))
            assert codes(right) == []
        wrong = replace(result, scores=total, winner=1 - (result.winner or 0))
        told = replace(record, deals=[*misdeals, deal], result=wrong)
        assert codes(told) == ["wrong-winner"]


@pytest.mark.long
@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_every_deal_is_within_what_is_possible(sheet) -> None:
    """Games of players who keep cards for dear melds come closest to the most."""
    played = [play_game(sheet.id, seed=seed, style="greedy", deals=2) for seed in range(2)]
    if sheet.rules.tableau is None and sheet.rules.pack.packs < 4:
        played += [play_hoarding_game(sheet.id, seed) for seed in range(2)]
    for record in played:
        match = Match(record, resolve_rules(record.rules))
        for frame in replay(record, match=match, findings_only=True):
            if frame.event is not None or frame.index < 0 or frame.tainted:
                continue
            deal = replace(record.deals[frame.deal], setup=None)
            possible = possible_scores(frame.table, deal, match.sides)
            if possible is None:
                continue
            scores = [sum(frame.table.deal_points[seat] for seat in side) for side in match.sides]
            assert all(low <= points for low, points in zip(possible.least, scores, strict=True))
            assert possible.together <= sum(scores) <= (possible.most or 10**9)
            assert all(points % possible.unit == 0 for points in scores)
