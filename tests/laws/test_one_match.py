"""What one match is: ruling A-53."""

from records.match_play import Relation, match_play, relate
from records.record import Player
from records.selfplay import play_game


def test_a53_two_records_of_one_play_are_one_match_and_of_other_people_two():
    one, other, others = (match_play(play_game("zique", seed=1, deals=1)) for _ in range(3))
    assert one is not None
    assert other is not None
    assert relate(one, other) is Relation.SAME
    record = play_game("zique", seed=1, deals=1)
    record.players[0] = Player(name="Somebody else")
    others = match_play(record)
    assert others is not None
    assert relate(one, others) is None
    longer = match_play(play_game("zique", seed=1, deals=2))
    assert longer is not None
    assert (relate(one, longer), relate(longer, one)) == (Relation.BEGINNING, Relation.WHOLE)
