"""Games between programs: every move is legal, a seat sees no more than it may, and one seed plays one game."""

from pathlib import Path
from random import Random

import pytest

from bezique import Game, IllegalMove, Meld, Move, Play, Position, Trick, check, encode, play
from records.rules.registry import ALL_SHEETS, get_sheet

FOUR = Path(__file__).parents[2] / "samples" / "rulebooks" / "bezique-four-partners.toml"
SHEETS = [sheet.id for sheet in ALL_SHEETS]


def anything(view: Position) -> Move | None:
    """Any legal move."""
    assert view.viewer is not None
    return Random(view.key).choice(view.legal())


class First:
    """The first move that is listed: melds come first."""

    def choose(self, view: Position) -> Move | None:
        others = [hand for seat, hand in enumerate(view.hands) if seat != view.viewer]
        assert {card for hand in others for card in hand} <= {"??"}
        return view.legal()[0]


@pytest.mark.parametrize("sheet", SHEETS)
def test_whatever_they_choose_the_record_is_legal(sheet: str) -> None:
    base = "simple" if sheet == "zetema" else "base"
    for players in (["simple", base], [anything, First()]):
        record = play(sheet, players, deals=1, seed=2)
        report = check(record)
        assert {finding.severity for finding in report.findings} <= {"note"}
        assert len(record.deals) == 1
        assert record.deals[0].claims
        assert encode(record) == encode(play(sheet, players, deals=1, seed=2))
        assert {player.kind for player in record.players} == {"program"}


def test_a_match_is_played_to_its_end_and_cards_are_those_of_the_seed() -> None:
    record = play("zique", ["simple", anything], seed=4, names=["Ann", "Bob"])
    assert record.result
    assert record.result.status == "complete"
    assert check(record).verdict == "legal"
    assert record.deals[0].hands == Game("zique", seed=4).record.deals[0].hands


def test_a_partner_who_may_meld_is_asked() -> None:
    for players in (["simple"] * 4, [anything, "simple"] * 2, [anything] * 4):
        record = play(FOUR, players, sides=[[0, 2], [1, 3]], deals=1, seed=0)
        assert {finding.severity for finding in check(record).findings} <= {"note"}
        winner, by_partner = 0, set()
        for event in record.deals[0].events:
            winner = event.winner if isinstance(event, Trick) else winner
            if isinstance(event, Meld) and event.seat != winner:
                by_partner.add(event.seat)
        assert by_partner


@pytest.mark.parametrize("players", [["base"] * 4, ["simple", "simple", "simple", "expert"]])
def test_only_simple_players_play_tricks_with_more_than_two(players: list[str]) -> None:
    with pytest.raises(ValueError, match="Four-handed Bezique is for more than two"):
        play(FOUR, players, deals=1)


def test_sides_that_nobody_can_form_are_refused() -> None:
    for sides in ([[0, 1], [2]], [[0, 2], [1, 5]], [[0, 1], [2, 3]]):
        with pytest.raises(ValueError, match="these players or sides"):
            play(FOUR, ["simple"] * 4, sides=sides, deals=1)


def test_sides_that_the_rulebook_does_not_have_are_refused(tmp_path) -> None:
    alone = tmp_path / "alone.toml"
    text = FOUR.read_text().replace("[{players = 4, side = 2}]", "[]")
    alone.write_text(text.replace("winner_or_partner", "winner"))
    with pytest.raises(ValueError, match="4 players play alone; the record has sides of 2"):
        play(alone, ["simple"] * 4, sides=[[0, 2], [1, 3]], deals=1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet", "better", "worse"), [("bezique", "base", "simple"), ("zique", "simple", anything)]
)
def test_the_better_player_wins_more(sheet: str, better: object, worse: object) -> None:
    margin = 0
    for seed in range(12):
        for seat in (0, 1):
            pair = [better, worse] if seat == 0 else [worse, better]
            scores = play(sheet, pair, deals=1, seed=seed).deals[0].claims.scores
            margin += scores[seat] - scores[1 - seat]
    assert margin > 0


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["marjolet", "zetema"])
def test_the_expert_plays_a_legal_deal(sheet: str) -> None:
    assert {f.severity for f in check(play(sheet, ["expert", "simple"], deals=1)).findings} <= {
        "note"
    }


def test_players_are_called_as_in_python() -> None:
    record = play("zique", [First(), "simple"], deals=1)
    assert [player.name for player in record.players] == ["First", "simple"]
    record = play("zique", [anything, anything], deals=1)
    assert [player.name for player in record.players] == ["anything 1", "anything 2"]


def test_three_play_zetema() -> None:
    assert len(play("zetema", ["simple", First(), anything], deals=1).players) == 3
    assert max(get_sheet("zetema").rules.players) > 2


def test_a_wrong_move_says_who_made_it() -> None:
    def cheat(view: Position) -> Move:
        return Play(
            seat=view.viewer or 0, card="AS" if "AS" not in view.hands[view.viewer or 0] else "7D"
        )

    with pytest.raises(IllegalMove) as caught:
        play("zique", [cheat, cheat], seed=1)
    assert "chosen by cheat" in caught.value.__notes__[0]
    with pytest.raises(IllegalMove, match="move of another seat"):
        play("zique", [lambda view: Play(seat=1 - view.viewer, card="AS")] * 2, seed=1)
    with pytest.raises(IllegalMove, match="No move was chosen by"):
        play("zique", [lambda view: None] * 2, names=["Ann", "Bob"])


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ("There is no player 'clever'", {"players": ["clever", "simple"]}),
        ("zetema has no tricks", {"sheet": "zetema", "players": ["base", "base"]}),
        ("a list with a player for each seat", {"players": "simple"}),
        ("`deals` is a whole number from 1 on", {"players": ["simple"] * 2, "deals": 0}),
        ("for 2 players, not 3", {"players": ["simple"] * 3}),
        ("2 players and 1 names", {"players": ["simple"] * 2, "names": ["Ann"]}),
        ("is no player", {"players": [7, "simple"]}),
    ],
)
def test_players_that_cannot_play_are_refused_in_words(
    words: str, arguments: dict[str, object]
) -> None:
    with pytest.raises(ValueError, match=words):
        play(**{"sheet": "zique", **arguments})
