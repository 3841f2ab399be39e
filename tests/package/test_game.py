"""A game played by hand: whatever is played is a legal record, and nothing else can be played."""

import pickle
from random import Random

import msgspec
import pytest

from bezique import (
    EndDeal,
    Game,
    IllegalMove,
    Irregular,
    Meld,
    Play,
    Position,
    RulesError,
    Setup,
    UnreadableRecord,
    check,
    encode,
    parse,
    replay,
)
from records.rules.registry import ALL_SHEETS, get_sheet
from records.selfplay import play_game

WAYS = [
    (sheet.id, players)
    for sheet in ALL_SHEETS
    for players in {min(sheet.rules.players), max(sheet.rules.players)}
]
ways = pytest.mark.parametrize(("sheet", "players"), WAYS)
TIMES_TEMPTED = 5
DIFFERENT = ("bezique", "marjolet", "polish-bezique", "six-pack-bezique", "zetema")
"""Sheets whose turns differ most: a turn-up or none, melds of captured cards, a cut, a tableau."""


def begin(sheet: str, players: int = 2, seed: int = 3) -> Game:
    return Game(sheet, seed=seed, names=[f"Player {n}" for n in range(players)])


def play_on(game: Game, random: Random, most: int = 10_000) -> None:
    """Play at random until the first deal is settled, or so many moves have been made."""
    while most and (moves := game.legal()) and len(game.record.deals) == 1:
        game.do(random.choice(moves))
        most -= 1


@ways
def test_whatever_is_played_is_a_legal_record(sheet: str, players: int) -> None:
    game = begin(sheet, players)
    play_on(game, Random(sheet))
    report = check(game.record)
    assert [finding.code for finding in report.findings] in ([], ["unfinished"])
    claims = [claim.status for claim in report.reconciliation]
    assert "differs" not in claims
    assert claims.count("equal") > 10
    assert report.scores == (game.score if game.over else report.scores)


@pytest.mark.parametrize("sheet", DIFFERENT)
def test_a_move_that_is_not_listed_is_refused_and_changes_nothing(sheet: str) -> None:
    game, random, refused = begin(sheet), Random(1), 0
    for _ in range(TIMES_TEMPTED):
        listed = {encoded(move) for move in game.legal()}
        before, record = game.position, encode(game.record)
        for move in tempting_moves(game, random):
            if encoded(move) not in listed:
                with pytest.raises(IllegalMove):
                    game.do(move)
                assert (game.position, encode(game.record)) == (before, record)
                refused += 1
        play_on(game, random, most=7)
    assert refused > 5


def encoded(move: object) -> bytes:
    return msgspec.json.encode(move, order="deterministic")


def tempting_moves(game: Game, random: Random) -> list[object]:
    """A card of each hand, the card drawn next by another seat, a meld that nobody can make, and the end of the deal."""
    here, seats = game.position, range(len(game.position.hands))
    moves: list[object] = [EndDeal()]
    kinds = {type(move): move for move in game.legal()}
    for move in kinds.values():
        if not isinstance(move, EndDeal):
            other = (move.seat + 1) % len(here.hands)
            moves.append(msgspec.structs.replace(move, seat=other))
    cards = [(seat, random.choice(here.hands[seat])) for seat in seats if here.hands[seat]]
    if game.position.step in ("draw", "over"):
        moves += [Play(seat=seat, card=card) for seat, card in cards]
    moves.append(Meld(seat=0, meld="four_aces", cards=["AS", "AS", "AS", "KD"]))
    return moves


@pytest.mark.parametrize("sheet", ["polish-bezique", "zetema"])
def test_every_move_can_be_taken_back_through_the_ends_of_deals(sheet: str) -> None:
    game = begin(sheet)
    seen, random = [], Random(2)
    for number in range(160):
        seen.append((game.position, game.score, number % 20 or encode(game.record)))
        game.do(random.choice(game.legal()))
    assert game.position.deal > 0
    for number in range(159, -1, -1):
        game.undo()
        assert (game.position, game.score, number % 20 or encode(game.record)) == seen[number]
    with pytest.raises(ValueError, match="no move to take back"):
        game.undo()


@pytest.mark.parametrize("sheet", DIFFERENT)
@pytest.mark.parametrize("moves", [0, 1, 9])
def test_a_misdeal_ends_the_deal_and_the_same_player_deals_again(sheet: str, moves: int) -> None:
    game = begin(sheet)
    play_on(game, Random(sheet), moves)
    before = game.copy()
    game.do(Irregular(seat=0, what="misdeal"))
    for asked in (game, game.view(None), pickle.loads(pickle.dumps(game.view(None)))):
        assert asked.legal() == [EndDeal()]
    assert game.seat is None
    for move in (*before.legal()[:1], Irregular(seat=0, what="other")):
        with pytest.raises(IllegalMove, match="misdeal"):
            game.do(move)
    game.end_deal()
    first, second = game.record.deals
    assert second.dealer == first.dealer
    assert second.hands != first.hands
    assert Game(game.record, deal=0).legal() == [EndDeal()]
    while (choices := game.legal()) and EndDeal() not in choices:
        game.do(choices[0])
    game.end_deal()
    assert {each.code for each in check(game.record).findings} <= {"irregularity", "unfinished"}
    while game != before:
        game.undo()
    assert game.legal() == before.legal()


def test_the_dealer_may_still_cut_after_a_ruling() -> None:
    game = begin("six-pack-bezique")
    cut = game.legal()
    game.do(Irregular(seat=0, what="other", text="A card lay face up."))
    for asked in (game, game.view(None), pickle.loads(pickle.dumps(game.view(None)))):
        assert asked.legal() == cut
    game.do(cut[0])
    assert game.legal() != cut
    assert {each.code for each in check(game.record).findings} == {"irregularity", "unfinished"}


def test_the_same_seed_deals_the_same_cards() -> None:
    assert begin("zique", seed=5).position == begin("zique", seed=5).position
    assert begin("zique", seed=5).position != begin("zique", seed=6).position


@pytest.mark.parametrize("sheet", ["marjolet", "zetema"])
def test_a_game_goes_on_from_every_step_of_a_record(sheet: str) -> None:
    record = play_game(sheet, seed=2, deals=2)
    steps = [step for step in replay(record) if step.deal == len(record.deals) - 1]
    for step in Random(1).sample(steps, 5):
        game = Game(record, deal=step.deal, step=step.number)
        there = game.position
        assert (there.hands, there.stock, there.points) == (
            step.position.hands, step.position.stock, step.position.points,
        )  # fmt: skip
        play_on(game, Random(3), most=30)
        assert {finding.severity for finding in check(game.record).findings} <= {"note"}


def test_draws_come_as_the_record_has_them() -> None:
    record = play_game("zique", seed=4, deals=1)
    game = Game(record, deal=0, step=0)
    for event in record.deals[0].events:
        if type(event).__name__ not in ("Trick", "Score"):
            game.do(event)
    game.end_deal()
    assert game.record.deals[0].hands == record.deals[0].hands
    assert game.record.deals[0].events == record.deals[0].events
    assert game.record.deals[0].claims == record.deals[0].claims


def test_a_record_that_leaves_its_draws_to_the_stock_is_played_on() -> None:
    written = play_game("zique", seed=4, deals=1)
    deal = written.deals[0]
    stock = [e.card for e in deal.events if type(e).__name__ == "Draw"]
    # The turn-up, or the seven exchanged for it, is drawn last and is no part of the stock.
    stock = stock[:-1] if deal.turn_up else stock
    events = [e for e in deal.events if type(e).__name__ != "Draw"]
    bare = msgspec.structs.replace(deal, stock=stock, events=events[:40], claims=None)
    record = msgspec.structs.replace(written, deals=[bare], result=None)
    assert {f.severity for f in check(record).findings} <= {"note"}
    game = Game(record)
    play_on(game, Random(1), most=40)
    assert {f.severity for f in check(game.record).findings} <= {"note"}


def test_a_position_is_played_on_and_its_stock_stays_as_it_is() -> None:
    game = begin("zique")
    play_on(game, Random(1), most=41)
    again = Game(game.position)
    assert again.position == game.position
    assert [again.legal(), again.seat] == [game.legal(), game.seat]
    with pytest.raises(ValueError, match="hides cards"):
        Game(game.view(0))


def test_a_position_set_up_by_hand() -> None:
    setup = Setup(hands=[["AS", "KH"], ["TS", "QH"]], seat=0, stock=0, trump="S")
    game = Game("rubicon-bezique", setup=setup)
    for card in ("AS", "TS", "KH", "QH"):
        game.play(card)
    game.end_deal()
    assert game.over
    assert check(game.record).verdict == "legal"
    with pytest.raises(UnreadableRecord):
        Game("zique", setup=Setup(hands=[["9Z"], ["8S"]], seat=0))


def test_a_seat_sees_its_own_hand_and_no_other() -> None:
    game = begin("zetema", 4)
    play_on(game, Random(1), most=30)
    whole = game.position
    for seat in range(4):
        seen = game.view(seat)
        assert seen.hands[seat] == whole.hands[seat]
        others = [hand for other, hand in enumerate(seen.hands) if other != seat]
        assert {card for hand in others for card in hand} == {"??"}
        assert list(map(len, seen.hands)) == list(map(len, whole.hands))


def test_the_methods_say_what_the_moves_say() -> None:
    game = begin("zique")
    card = next(move.card for move in game.legal() if isinstance(move, Play))
    game.play(card)
    assert game.position.trick[0][1] == card
    with pytest.raises(IllegalMove, match="nobody draws before the trick is complete"):
        game.draw()
    game.undo()
    assert game.position.trick == []


@pytest.mark.parametrize(
    ("words", "move"),
    [
        ("'9Z' is not a card", lambda game: game.play("9Z")),
        ("marrige", lambda game: game.meld("marrige", ["KS", "QS"])),
        ("`seat` of a Play is the number", lambda game: game.do(Play(seat=9, card="KS"))),
        ("`seat` of a Play is the number", lambda game: game.do(Play(seat="me", card="KS"))),
        ("`move` is one of those", lambda game: game.do("KS")),
        ("not over", lambda game: game.end_deal()),
    ],
)
def test_what_is_no_move_is_refused_in_words(words, move) -> None:
    game = begin("zique")
    with pytest.raises(IllegalMove, match=words):
        move(game)
    assert game.record.deals[0].events == []


def test_what_cannot_be_begun_is_said() -> None:
    with pytest.raises(RulesError, match='There is no rulebook "ziqe"; did you mean zique'):
        Game("ziqe")
    with pytest.raises(
        RulesError, match=r"is a file and no rulebook: write bezique.rulebook\('ours.toml'\)"
    ):
        Game("ours.toml")  # type: ignore[arg-type]
    with pytest.raises(
        RulesError, match=r'There is no rulebook "whist"\. `bezique\.SheetId` names all'
    ):
        Game("whist")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="for 2 players, not 3"):
        Game("zique", names=["Ann", "Bob", "Cleo"])
    partial = play_game("zique", seed=1, deals=1)
    partial.deals[0].hands = [["??"] * 9] * 2
    with pytest.raises(ValueError, match="does not show every card"):
        Game(partial)
    with pytest.raises(ValueError, match="no deal 7"):
        Game(play_game("zique", seed=1, deals=1), deal=7)


def test_a_notebook_and_a_terminal_show_the_table() -> None:
    game = Game("zique", seed=1, names=["<Ann>", "Bob"])
    play_on(game, Random(1), most=25)
    picture = game._repr_html_()
    assert picture.startswith("<svg")
    assert "<Ann>" not in picture
    assert "Bob" in str(game)
    assert "\x1b" not in str(game)
    assert repr(game).startswith("<Game zique, deal 1, ")
    view = game.view(0)
    assert view._repr_html_() != picture
    assert isinstance(view, Position)


def test_options_and_sides_are_those_of_the_sheet() -> None:
    game = Game("bezique", options={"hand_size": 9})
    assert [len(hand) for hand in game.position.hands] == [9, 9]
    assert game.record.rules.options == {"hand_size": 9}
    assert get_sheet("bezique").rules.hand[2] == 8


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["x" * 201, "Bob"], "The name has 201 characters; it may have at most 200"),
        (["\ud800", "Bob"], "not UTF-8"),
        ([1, "Bob"], "should be a text"),
    ],
)
def test_players_that_no_record_can_have_are_refused(names: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        Game("zique", names=names)
    assert not isinstance(caught.value, UnreadableRecord)
    assert parse(Game("zique", names=["x" * 200, ""]).record)


@pytest.mark.parametrize("away", [-51, -1, 1, 450])
def test_a_step_that_a_deal_does_not_have_is_refused(away: int) -> None:
    game = begin("zique")
    play_on(game, Random(1), most=40)
    count = len(game.record.deals[0].events)
    with pytest.raises(ValueError, match=rf"its steps are 0 to {count}\."):
        Game(game.record, deal=0, step=count + away if away > 0 else away)
    for step in (0, 1, count):
        assert len(Game(game.record, deal=0, step=step).record.deals[0].events) >= step
    bare = msgspec.structs.replace(game.record, deals=[])
    with pytest.raises(ValueError, match="no deals"):
        Game(bare, step=1)
