"""Every number in the tables, counted a second time from the plain JSON of the records.

Self-play writes every event with its points, so the record itself says what the rules must compute;
nothing of the project's own code takes part in the counting.
"""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from analyzer.store.store import Store

Raw = list[dict[str, Any]]
HONOURS = {"A": 4, "T": 3, "K": 2, "Q": 1}


def deals(raw: Raw) -> list[tuple[str, int, dict[str, Any]]]:
    return [
        (game["meta"]["event"] + game["rules"]["id"], number, deal)
        for game in raw
        for number, deal in enumerate(game["deals"])
    ]


def points(event: dict[str, Any]) -> tuple[str, int] | None:
    source = event["for"] if event["type"] == "score" else event["type"]
    return (source, event["points"]) if event.get("points") else None


def tricks(deal: dict[str, Any]) -> list[dict[str, Any]]:
    """Each trick: who led, who won, the brisques in it, the index of its second card."""
    found: list[dict[str, Any]] = []
    plays = [(i, event) for i, event in enumerate(deal["events"]) if event["type"] == "play"]
    winners = [event["winner"] for event in deal["events"] if event["type"] == "trick"]
    for number, winner in enumerate(winners):
        (_, led), (index, reply) = plays[2 * number : 2 * number + 2]
        brisques = sum(card[0] in "AT" for card in (led["card"], reply["card"]))
        found.append(
            {"event": index, "leader": led["seat"], "winner": winner, "brisques": brisques}
        )
    return found


NAMED = "SELECT game, event || sheet AS event FROM games"


def test_deals(full: Store, raw: Raw) -> None:
    sql = f"""
        SELECT named.event, deal, dealer, leader, turn_up, tricks, deals.events, deals.scores
        FROM deals JOIN ({NAMED}) AS named USING (game)
    """
    expected = [
        (
            name,
            number,
            deal["dealer"],
            1 - deal["dealer"] if tricks(deal) else None,
            deal.get("turn_up"),
            len(tricks(deal)),
            len(deal["events"]),
            deal["claims"]["scores"],
        )
        for name, number, deal in deals(raw)
    ]
    assert sorted(full.rows(sql).rows) == sorted(expected)


def test_winner_and_margin_of_every_deal(full: Store) -> None:
    for scores, winner, margin in full.rows("SELECT scores, winner, margin FROM deals").rows:
        assert margin == abs(scores[0] - scores[1])
        assert winner == (None if not margin else scores.index(max(scores)))


def trump_of(deal: dict[str, Any]) -> str | None:
    """The suit turned up, or that of the first marriage or sequence where nothing is."""
    if "turn_up" in deal:
        return str(deal["turn_up"][1])
    makers = ("marriage", "sequence")
    firsts = [event["cards"] for event in deal["events"] if event.get("meld") in makers]
    return str(firsts[0][0][1]) if firsts and tricks(deal) else None


def test_trumps(full: Store, raw: Raw) -> None:
    found = Counter(trump for (trump,) in full.rows("SELECT trump FROM deals").rows)
    assert found == Counter(trump_of(deal) for _, _, deal in deals(raw))


def test_points_of_every_seat_by_source(full: Store, raw: Raw) -> None:
    expected: Counter[tuple[str, int, int, str]] = Counter()
    for name, number, deal in deals(raw):
        for event in deal["events"]:
            if scored := points(event):
                expected[name, number, event["seat"], scored[0]] += scored[1]
    sql = f"""
        SELECT named.event, deal, seat, replace(source, '_points', ''), value
        FROM (UNPIVOT seats ON COLUMNS('.*_points') INTO NAME source VALUE value)
        JOIN ({NAMED}) AS named USING (game)
        WHERE value <> 0
    """
    assert {row[:4]: row[4] for row in full.rows(sql).rows} == dict(expected)


def test_points_tricks_melds_and_brisques_of_every_seat(full: Store, raw: Raw) -> None:
    expected = []
    for name, number, deal in deals(raw):
        for seat in (0, 1):
            own = [event for event in deal["events"] if event.get("seat") == seat]
            won = [trick for trick in tricks(deal) if trick["winner"] == seat]
            scores = deal["claims"]["scores"]
            difference = scores[seat] - scores[1 - seat]
            expected.append(
                (
                    name,
                    number,
                    seat,
                    "dealer" if seat == deal["dealer"] else "leader",
                    scores[seat],
                    0.5 if not difference else float(difference > 0),
                    sum(event["type"] == "meld" for event in own),
                    len(won),
                    sum(trick["brisques"] for trick in won),
                    tricks(deal)[-1]["winner"] == seat if tricks(deal) else False,
                    sum(HONOURS.get(card[0], 0) for card in deal["hands"][seat]),
                )
            )
    sql = f"""
        SELECT named.event, deal, seat, role, points, outcome, melds, tricks, brisques,
            won_last_trick, strength
        FROM seats JOIN ({NAMED}) AS named USING (game)
    """
    assert sorted(full.rows(sql).rows) == sorted(expected)


def test_players_of_every_seat(full: Store, raw: Raw) -> None:
    expected = Counter(
        (seat, player["name"], player.get("id"), player.get("kind"))
        for game in raw
        for _ in game["deals"]
        for seat, player in enumerate(game["players"])
    )
    found = full.rows("SELECT seat, player, player_id, kind FROM seats").rows
    assert Counter(found) == expected


def test_every_trick(full: Store, raw: Raw) -> None:
    expected = [
        (name, number, i, trick["event"], trick["leader"], trick["winner"], trick["brisques"])
        for name, number, deal in deals(raw)
        for i, trick in enumerate(tricks(deal))
    ]
    sql = f"""
        SELECT named.event, deal, trick, tricks.event, leader, winner, brisques
        FROM tricks JOIN ({NAMED}) AS named USING (game)
    """
    assert sorted(full.rows(sql).rows) == sorted(expected)


@pytest.mark.slow
def test_the_leads_after_every_trick(full: Store, raw: Raw) -> None:
    expected = []
    for name, number, deal in deals(raw):
        scores = deal["claims"]["scores"]
        won_by = None if scores[0] == scores[1] else scores.index(max(scores))
        ahead = [0] * (len(tricks(deal)) + 1)
        plays = 0
        for event in deal["events"]:
            plays += event["type"] == "play"
            if tricks(deal) and (scored := points(event)):
                ahead[plays // 2] += scored[1] * (1 - 2 * event["seat"])
        lead = 0
        for i, trick in enumerate(tricks(deal)):
            lead += 1 - 2 * trick["winner"]
            expected.append((name, number, won_by, i, lead, sum(ahead[: i + 2])))
    sql = f"""
        SELECT named.event, deal, deal_winner, trick, tricks_ahead, points_ahead
        FROM tricks JOIN ({NAMED}) AS named USING (game)
    """
    assert sorted(full.rows(sql).rows, key=repr) == sorted(expected, key=repr)


def test_sides_and_roles_of_scores_are_those_of_the_seats(full: Store) -> None:
    sql = """
        SELECT count(*) FROM scores JOIN seats USING (game, deal, seat)
        WHERE scores.side <> seats.side OR scores.role <> seats.role
    """
    assert full.rows(sql).rows == [(0,)]


def test_the_close(full: Store, raw: Raw) -> None:
    """A trick is closed when nothing is drawn after it, and one before it was not the last drawn."""
    expected: Counter[str] = Counter()
    for name, _, deal in deals(raw):
        if not tricks(deal):
            continue
        types = [event["type"] for event in deal["events"]]
        last_draw = len(types) - 1 - types[::-1].index("draw")
        expected[name] += sum(trick["event"] > last_draw for trick in tricks(deal))
    sql = f"""
        SELECT named.event, count(*) FROM tricks JOIN ({NAMED}) AS named USING (game)
        WHERE closed GROUP BY 1
    """
    assert dict(full.rows(sql).rows) == dict(expected)


def test_every_meld(full: Store, raw: Raw) -> None:
    expected = []
    for name, number, deal in deals(raw):
        done = 0
        trump = trump_of(deal)
        for index, event in enumerate(deal["events"]):
            done += event["type"] == "trick"
            if event["type"] == "meld":
                royal = {card[1] for card in event["cards"]} == {trump}
                row = (name, number, index, done, event["seat"], event["meld"], royal)
                expected.append((*row, event["points"]))
    sql = f"""
        SELECT named.event, deal, melds.event, trick, seat, meld, royal, points
        FROM melds JOIN ({NAMED}) AS named USING (game)
    """
    assert sorted(full.rows(sql).rows) == sorted(expected)


def test_scores_add_up_to_the_points_of_the_seats(full: Store) -> None:
    sql = """
        SELECT seats.points - coalesce(sum(scores.points), 0)::BIGINT
        FROM seats LEFT JOIN scores USING (game, deal, seat)
        GROUP BY game, deal, seat, seats.points
    """
    assert {difference for (difference,) in full.rows(sql).rows} == {0}


def test_scores_stand_in_the_order_of_the_game(full: Store) -> None:
    sql = "SELECT game, deal, event, trick FROM scores ORDER BY game, deal, event, trick"
    for one, other in pairwise(full.rows(sql).rows):
        if one[:2] == other[:2]:
            assert one[3] <= other[3]


ORDER = "AT KQJ987".replace(" ", "")


def takes(card: str, led: str, trump: str | None) -> bool:
    if card[1] == led[1]:
        return ORDER.index(card[0]) < ORDER.index(led[0])
    return card[1] == trump


def could_take(hand: Counter[str], led: str, trump: str | None, *, closed: bool) -> bool:
    """Whether a hand may take the card led: after the close it has to follow suit."""
    cards = [card for card, count in hand.items() if count]
    same = [card for card in cards if card[1] == led[1]]
    return any(takes(card, led, trump) for card in (same if closed and same else cards))


def lets_go(deal: dict[str, Any]) -> list[bool]:
    """For each trick, whether an ace or ten led was let go, though it could have been taken."""
    if not tricks(deal):
        return []
    hands = [Counter(hand) for hand in deal["hands"]]
    trump = deal["turn_up"][1] if "turn_up" in deal else None
    turned = deal.get("turn_up")
    types = [event["type"] for event in deal["events"]]
    last_draw = len(types) - 1 - types[::-1].index("draw")
    led: str | None = None
    found: list[bool] = []
    for index, event in enumerate(deal["events"]):
        match event["type"]:
            case "draw":
                hands[event["seat"]][event["card"]] += 1
            case "dix" if event["action"] == "exchange":
                hands[event["seat"]] += Counter({turned: 1})
                turned = f"7{trump}"
                hands[event["seat"]][turned] -= 1
            case "meld" if trump is None and event["meld"] in ("marriage", "sequence"):
                trump = event["cards"][0][1]
            case "play" if led is None:
                led = event["card"]
                hands[event["seat"]][led] -= 1
            case "play":
                hand, reply = hands[event["seat"]], event["card"]
                may = could_take(hand, led, trump, closed=index > last_draw)
                found.append(led[0] in "AT" and may and not takes(reply, led, trump))
                hand[reply] -= 1
                led = None
    return found


def test_brisques_let_go(full: Store, raw: Raw) -> None:
    expected = [
        (name, number, i, missed)
        for name, number, deal in deals(raw)
        for i, missed in enumerate(lets_go(deal))
    ]
    sql = (
        f"SELECT named.event, deal, trick, missed FROM tricks JOIN ({NAMED}) AS named USING (game)"
    )
    assert sorted(full.rows(sql).rows) == sorted(expected)
    assert any(missed for *_, missed in expected)
    sums = """
        SELECT deal, seat, brisques_missed FROM seats
        EXCEPT ALL
        SELECT seats.deal, seat, count(*) FILTER (missed AND leader <> seat)
        FROM seats LEFT JOIN tricks USING (game, deal)
        GROUP BY game, seats.deal, seat
    """
    assert full.rows(sums).rows == []


def test_opponents_and_their_points(full: Store, raw: Raw) -> None:
    names = {(game["meta"]["event"] + game["rules"]["id"]): game["players"] for game in raw}
    expected = [
        (
            name,
            number,
            seat,
            names[name][1 - seat]["name"],
            deal["claims"]["scores"][1 - seat],
            len(tricks(deal)),
        )
        for name, number, deal in deals(raw)
        for seat in (0, 1)
    ]
    sql = f"""
        SELECT named.event, deal, seat, opponent, points_against, deal_tricks
        FROM seats JOIN ({NAMED}) AS named USING (game)
    """
    assert sorted(full.rows(sql).rows) == sorted(expected)


def test_scores_and_outcome_of_the_match(full: Store, raw: Raw) -> None:
    expected = []
    for game in raw:
        scores, winner = [0, 0], game["result"].get("winner")
        for number, deal in enumerate(game["deals"]):
            for seat in (0, 1):
                outcome = 0.5 if winner is None else float(winner == seat)
                name = game["meta"]["event"] + game["rules"]["id"]
                expected.append((name, number, seat, scores[seat], scores[1 - seat], outcome))
            scores = [a + b for a, b in zip(scores, deal["claims"]["scores"], strict=True)]
    sql = f"""
        SELECT named.event, deal, seat, match_score, match_score_against, match_outcome
        FROM seats JOIN ({NAMED}) AS named USING (game)
    """
    assert sorted(full.rows(sql).rows) == sorted(expected)
    before = "SELECT count(*) FROM seats JOIN deals USING (game, deal) WHERE match_scores[side + 1] <> match_score"
    assert full.rows(before).rows == [(0,)]


def test_programs_months_and_rules(full: Store, raw: Raw) -> None:
    programs = Counter(
        game["provenance"]["program"] for game in raw for deal in game["deals"] for _ in (0, 1)
    )
    assert (
        Counter(program for (program,) in full.rows("SELECT program FROM seats").rows) == programs
    )
    assert full.rows("SELECT DISTINCT month FROM seats").rows == [(None,)]
    variants = full.rows("SELECT variant, sheet FROM variants").rows
    assert len({variant for variant, _ in variants}) == len(variants)
    assert {sheet for _, sheet in variants} == {game["rules"]["id"] for game in raw}
    sql = "SELECT count(*) FROM seats JOIN games USING (game) WHERE seats.variant <> games.variant"
    assert full.rows(sql).rows == [(0,)]
