"""The recorder: games driven through its requests come out as the games that were played, at every level of knowledge."""

import gzip
import json
import os
from itertools import cycle
from random import Random

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from records.events import AnyEvent, Dix, Draw, Meld, Play, Score, Trick
from records.format import codec
from records.format.notation_writer import write_notation
from records.record import Claims, Deal, Record, Result
from records.replay import replay
from records.rules.english import option_value_text
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.selfplay import play_game
from records.validator import check
from tests.make.stored_games import store_game
from tests.playouts.games import OPTIONED, STANDARD, option_sets
from webui.replay import recorded_choices
from webui.replay.recording import recorder_sheet, recording_state
from webui.replay.steps import read_deal_steps
from webui.views.recorder import LARGEST_DRAFT, MOST_RECORDS_LISTED

SHEETS = [sheet.id for sheet in ALL_SHEETS]
ASKED_STEPS = int(os.environ.get("BEZIQUE_RECORDED_STEPS", "30"))
"""At about how many places of a deal, drawn by lot, the page is asked what may come next."""
PLAYED_SEED = int(os.environ.get("BEZIQUE_RECORDED_SEED", "5"))
"""Which games are played."""
MARRIED_SEEDS = (6, 7)
"""Games of Zetema in which marriages could have happened in several ways."""
UNSEEN = "??"
UNSEEN_PLAYS = 0.15
"""The share of the cards of others that somebody misses."""


def ask(client, record, **query):
    answer = client.post("/record/next", data=codec.encode(record), query_string=query)
    assert answer.status_code == 200, answer.text
    return answer.json["state"]


def chosen_by_players(event):
    """Whether somebody chose to do it: tricks, points and bonuses follow from what was done."""
    return not isinstance(event, Score | Trick) and not (
        isinstance(event, Dix) and event.action == "play"
    )


def bare(event):
    """An event without the points that it claims."""
    return replace(event, points=None) if hasattr(event, "points") else event


def seen(deal: Deal, level: str) -> Deal:
    """A full deal as it is written at a level by somebody who writes down no number."""
    events = [bare(event) for event in deal.events if chosen_by_players(event)]
    hands = deal.hands
    if level == "seat":
        drawn, draws = [], sum(isinstance(event, Draw) for event in events)
        for event in events:
            draws -= isinstance(event, Draw)
            last = isinstance(event, Draw) and not draws and deal.turn_up
            hidden = isinstance(event, Draw) and event.seat != 0 and not last
            drawn.append(replace(event, card=UNSEEN) if hidden else event)
        events = drawn
        hands = [hand if seat == 0 else [UNSEEN] * len(hand) for seat, hand in enumerate(hands)]
    if level == "public":
        events, hands = [event for event in events if not isinstance(event, Draw)], None
    seat = 0 if level == "seat" else None
    return replace(deal, knowledge=level, seat=seat, hands=hands, events=events, claims=None)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("sheet", SHEETS)
def test_what_lies_on_the_table_is_what_the_replay_shows(sheet):
    """The turn-up, the trick, what each seat has laid and the piles, after any event of a deal."""
    record, resolved = play_game(sheet, seed=2, deals=1), resolve_sheet(sheet, None, {})
    steps = read_deal_steps(record, resolved, 0).steps
    for number in range(1, len(steps) - 1, 13):
        deal = replace(record.deals[0], events=record.deals[0].events[:number], claims=None)
        state = recording_state(replace(record, deals=[deal], result=None), resolved)
        step = steps[number]
        groups = [group for view in step.seats for group in view.laid] + step.tableau
        expected = [[step.turn_up]] if step.turn_up and step.stock else []
        expected += [[item] for _, item in step.centre]
        expected += [group.cards for group in groups if group.cards]
        lying = [[item.split()[0] for item in group.cards] for group in state.lying]
        assert lying == [[item.split()[0] for item in cards] for cards in expected], number


def written_by_hand(record: Record, level: str) -> Record:
    deals = [seen(deal, level) for deal in record.deals]
    return replace(record, deals=deals, result=None, provenance=None, meta=None)


def with_unseen_plays(written: Record, random: Random) -> Record:
    """The same by somebody who missed cards that others played, and saw who took a trick where its cards do not tell."""
    takers = {
        frame.index: frame.table.trick.winner
        for frame in replay(written)
        if isinstance(frame.event, Play) and frame.table.trick.led is None
    }
    [deal], told, is_missed = written.deals, list[AnyEvent](), False
    for index, event in enumerate(deal.events):
        may_miss = isinstance(event, Play) and event.seat != deal.seat
        is_unseen = may_miss and random.random() < UNSEEN_PLAYS
        told.append(replace(event, card=UNSEEN) if is_unseen else event)
        is_missed |= is_unseen
        if is_missed and index in takers:
            *_, end = replay(replace(written, deals=[replace(deal, events=told)]))
            told += [Trick(winner=takers[index])] if end.table.trick.winner_open else []
            is_missed = False
    return replace(written, deals=[replace(deal, events=told)])


def drive(client, played: Record, random: Random, undo: float) -> Record:
    """The record that the requests of the page lead to; steps are taken back and taken again at random."""
    record = replace(played, deals=[])
    for number, deal in enumerate(played.deals):
        if number:
            state = ask(client, record)
            assert state["over"]
            assert state["next_dealer"] == deal.dealer
        record.deals.append(replace(deal, hands=None, turn_up=None, events=[]))
        state = ask(client, record)
        hidden = (deal.knowledge == "public", deal.turn_up is None)
        assert hidden == (True, True) or state["missing"]
        record.deals[-1] = replace(deal, events=[])
        at, share = 0, ASKED_STEPS / len(deal.events)
        while at < len(deal.events):
            if at and random.random() >= share:
                record.deals[-1].events.append(deal.events[at])
                at += 1
                continue
            state = ask(client, record)
            assert state["findings"] == []
            step = next_step(state, deal.events[at:])
            if random.random() < undo:
                at = random.randrange(at + 1)
                record.deals[-1] = replace(deal, events=deal.events[:at])
                continue
            record.deals[-1].events += step
            at += len(step)
    return record


def next_step(state, rest):
    """The choice on offer that was made; a cut is typed, and so are the cards of a meld that may have too many."""
    if state["cut"] and rest[0].__class__.__name__ == "Cut":
        return rest[:1]
    offered = [
        [msgspec.convert(event, AnyEvent) for event in choice["events"]]
        for choice in state["choices"]
    ]
    for events in offered:
        if same(events, rest[: len(events)]):
            return rest[: len(events)]
    for choice in state["choices"] if isinstance(rest[0], Meld) else ():
        event = choice["events"][0]
        if choice["size"] and (event["seat"], event["meld"]) == (rest[0].seat, rest[0].meld):
            assert choice["size"] == len(rest[0].cards)
            return rest[:1]
    raise AssertionError((rest[:2], [events for events in offered if len(offered) < 40]))


def same(events, wanted):
    """Whether both are the same, whatever place a card is offered from: the games write none."""

    def members(event):
        found = msgspec.to_builtins(event)
        return {
            **found,
            "cards": sorted(found.get("cards", [])),
            "from_tableau": None,
            "from": None,
        }

    return list(map(members, events)) == list(map(members, wanted))


QUICK_SHEET = "marjolet"


@pytest.mark.long
def test_a_small_game_comes_out_as_it_was_played(client):
    played = written_by_hand(play_game(QUICK_SHEET, seed=5, deals=1), "public")
    record = drive(client, played, Random(1), 0.02)
    assert codec.digest(record) == codec.digest(played)


@pytest.mark.long
def test_a_card_that_is_not_legal_is_told_by_the_code_of_the_validator(client):
    """Each card of the pack is put in at places of a game: one that is not offered is a breach, any other is none."""
    deal = written_by_hand(play_game(QUICK_SHEET, seed=5, deals=1), "full").deals[0]
    record = written_by_hand(play_game(QUICK_SHEET, seed=5, deals=1), "full")
    for at in (0, 1, 40, len(deal.events) - 5):
        events = deal.events[:at]
        record.deals[0] = replace(deal, events=events)
        state = ask(client, record)
        if state["step"] == "draw":
            continue
        offered = {choice["cards"][0] for choice in state["choices"] if choice["kind"] == "play"}
        for card in ("7S", "AH", "KD", "9C", "QS", "TH"):
            record.deals[0] = replace(deal, events=[*events, Play(seat=state["seat"], card=card)])
            told = [
                f["code"] for f in ask(client, record)["findings"] if f["severity"] == "illegal"
            ]
            found = check(codec.encode(record)).findings
            assert told == [f.code for f in found if f.severity == "illegal" and f.at.event == at]
            assert bool(told) == (card not in offered), (at, card)


@pytest.mark.long
@pytest.mark.parametrize("level", ["full", "seat", "public"])
def test_an_event_behind_which_a_deal_cannot_go_on_is_told(client, level):
    """The one that stops it, of all that is wrong, and only where the deal stops."""
    played = written_by_hand(play_game("bezique", seed=5, deals=1), level)
    deal = played.deals[0]
    for at in (0, 9, 40):
        state = ask(client, replace(played, deals=[replace(deal, events=deal.events[:at])]))
        for card in ("7S", "AH", "KD", "9C", "QS", "TH", "6H"):
            event = msgspec.convert({**state["unlisted"], "card": card}, AnyEvent)
            tried = [*deal.events[:at], event]
            found = ask(client, replace(played, deals=[replace(deal, events=tried)]))
            stops = [breach["event"] for breach in found["findings"] if breach["stops"]]
            assert set(stops) == ({at} if found["stopped"] else set()), (at, card)
            more = replace(deal, events=[*tried, *deal.events[at:]])
            whole = ask(client, replace(played, deals=[more, more]))
            told = {(each["deal"], each["event"]) for each in whole["findings"] if each["stops"]}
            if found["stopped"]:
                assert {(0, at), (1, at)} == told


@pytest.mark.long
def test_every_trick_is_told_with_its_cards_and_who_took_it(client):
    """Against the tricks that the game counts for itself."""
    game = play_game(QUICK_SHEET, seed=5, deals=1)
    played = written_by_hand(game, "public")
    plays = [event for event in played.deals[0].events if isinstance(event, Play)]
    takers = [event.winner for event in game.deals[0].events if isinstance(event, Trick)]
    taken = ask(client, played)["taken"]
    assert len(taken) == len(plays) // 2
    for number, trick in enumerate(taken, 1):
        assert trick["words"].startswith(f"Trick {number}: ")
        lead, reply = (
            played.deals[0].events.index(each) for each in plays[2 * number - 2 : 2 * number]
        )
        assert lead < reply == trick["event"]
    assert len(takers) in (0, len(taken))


@pytest.mark.long
@pytest.mark.parametrize("level", ["public", "scores"])
def test_the_points_on_paper_are_compared_with_those_of_the_rules(client, level):
    game = play_game(QUICK_SHEET, seed=5, deals=1)
    right = game.deals[0].claims.scores
    deal = written_by_hand(game, "public").deals[0]
    if level == "scores":
        deal = Deal(dealer=0, knowledge="scores")
    wrong = [right[0] + 10, right[1]]
    told = {}
    for name, scores in (("none", None), ("right", right), ("wrong", wrong)):
        claims = Claims(scores=scores) if scores else None
        record = replace(game, deals=[replace(deal, claims=claims)], result=None)
        told[name] = ask(client, record)["paper"]
    if level == "scores":
        assert set(told.values()) == {""}
        return
    assert told["none"] == ""
    assert told["right"].endswith("as the rules count.")
    assert f"The rules count {right[0]} : {right[1]}." in told["wrong"]
    short = replace(deal, events=deal.events[:20], claims=Claims(scores=right))
    assert "open" in ask(client, replace(game, deals=[short], result=None))["paper"]


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"", 400), (b"nonsense", 400), (b"{}", 400), (b"x" * (512 * 1024 + 1), 413)],
)
def test_what_is_no_record_is_refused(client, body, status):
    assert client.post("/record/next", data=body).status_code == status


@pytest.mark.parametrize("hands", [[], [["AH"]], [["AH"], [], ["KS"]]])
def test_hands_of_too_few_or_too_many_seats_are_answered(client, hands):
    record = play_game(QUICK_SHEET, seed=5, deals=1)
    deal = replace(record.deals[0], hands=hands, events=[])
    body = codec.encode(replace(record, deals=[deal]))
    assert client.post("/record/next", data=body).status_code in (200, 400)


def test_a_record_without_deals_or_rules_is_refused(client):
    record = replace(play_game(QUICK_SHEET, seed=5, deals=1), deals=[])
    assert client.post("/record/next", data=codec.encode(record)).status_code == 400
    unknown = codec.encode(record).replace(b'"id":"marjolet"', b'"id":"nothing"')
    assert client.post("/record/next", data=unknown).status_code == 400


def test_the_page_brings_every_sheet_and_the_record_that_it_is_to_go_on_with(client, stored):
    found = client.get("/record.json").json
    assert [each["sheet"]["id"] for each in found["sheets"]] == SHEETS
    assert client.get("/record.json", query_string={"game": stored}).json["digest"] == stored
    assert client.get("/record", query_string={"game": "0" * 64}).status_code == 404


@pytest.mark.long
def test_the_page_knows_how_many_cards_are_dealt_by_every_choice_of_options(client):
    """Before the server is asked: the page takes the hands of the value chosen, and all else that is dealt has no option."""
    shown = {each["sheet"]["id"]: each for each in client.get("/record.json").json["sheets"]}
    for sheet in ALL_SHEETS:
        page = shown[sheet.id]
        values = {
            (option["name"], value["value"]): value["hand"]
            for option in page["options"]
            for value in option["values"]
        }
        for options in option_sets(sheet, more=20):
            hands = [values.get((name, option_value_text(each))) for name, each in options.items()]
            known = next(filter(None, hands), page["sheet"]["hand"])
            resolved = recorder_sheet(resolve_sheet(sheet.id, None, options))
            assert (known, page["sheet"]["has_turn_up"]) == (resolved.hand, resolved.has_turn_up)


def read_file(client, data, name=""):
    answer = client.post("/record/file", data=data, query_string={"name": name})
    assert answer.status_code == 200, answer.text
    return answer.json


def test_every_record_of_a_file_is_listed_whatever_its_form(client):
    """A file of several records, packed or not, lists each with its digest; what is no record is told."""
    games = [play_game(QUICK_SHEET, seed=seed, deals=1) for seed in (5, 6)]
    lines = b"\n".join(map(codec.encode, games))
    typed = "\n".join(map(write_notation, games)).encode()
    for data, name in (
        (lines, "evening.jsonl"),
        (gzip.compress(lines), "evening.jsonl.gz"),
        (typed, "evening.bezique"),
        (typed.decode().encode("utf-16"), ""),
    ):
        found = read_file(client, data, name)
        assert [each["digest"] for each in found["records"]] == list(map(codec.digest, games)), name
        assert (found["problems"], found["further"]) == ([], False)
        for each in found["records"]:
            assert (
                codec.digest(codec.decode(json.dumps(each["record"]).encode()).record)
                in each.values()
            )
    for data in (b"", b"nonsense", b"null", b'{"players": 3}'):
        found = read_file(client, data)
        assert found["records"] == []
        assert found["problems"]


def test_a_file_is_listed_up_to_a_number(client):
    line = codec.encode(replace(play_game(QUICK_SHEET, seed=5, deals=1), deals=[], result=None))
    for count, further in ((MOST_RECORDS_LISTED, False), (MOST_RECORDS_LISTED + 1, True)):
        found = read_file(client, b"\n".join([line] * count), "many.jsonl")
        assert (len(found["records"]), found["further"]) == (MOST_RECORDS_LISTED, further)
    assert client.post("/record/file", data=b"x" * (LARGEST_DRAFT + 1)).status_code == 413


def test_a_stored_game_is_told_with_its_replay(client, stored):
    record = codec.decode(client.get(f"/games/{stored}/record.json").data).record
    answer = client.post("/record/next", data=codec.encode(record)).json
    assert answer["stored"] == f"/games/{stored}/deals/{len(record.deals)}"
    assert client.get(answer["stored"]).status_code == 200
    record.deals[-1].events.pop()
    assert client.post("/record/next", data=codec.encode(record)).json["stored"] == ""


def test_choices_of_one_group_differ_only_in_their_cards(client):
    """Where a hand is not known, every meld is offered in a group of its name; nothing else has a group."""
    played = written_by_hand(play_game("rubicon-bezique", seed=5, deals=1), "public")
    deal = played.deals[0]
    for at in (2, 12, 30):
        record = replace(played, deals=[replace(deal, events=deal.events[:at])])
        for choice in ask(client, record)["choices"]:
            event = choice["events"][-1]
            assert choice["group"] == event.get("meld", "").replace("_", " ")


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_deal_of_scores_alone_is_counted_and_offers_nothing(client, sheet):
    deal = Deal(dealer=0, knowledge="scores", claims=Claims(scores=[160, 120]))
    record = replace(play_game(sheet, seed=5, deals=1), deals=[deal], result=None)
    state = ask(client, record, report=1)
    assert (state["over"], state["next_dealer"]) == (True, 1)
    assert (state["choices"], state["due"], state["missing"], state["cut"]) == ([], [], None, None)
    assert state["points"] is None
    assert state["report"]["verdict"] == "undetermined"
    assert state["scores"] in (None, [160, 120])
    assert state["running"] == [state["scores"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet", "level"),
    [
        *((sheet, "full") for sheet in SHEETS),
        *zip(SHEETS, cycle(("seat", "public")), strict=False),
    ],
)
def test_a_game_comes_out_as_it_was_played(client, sheet, level):
    """By a seat and by the public, every sheet is recorded below, too."""
    game = play_game(sheet, seed=PLAYED_SEED, deals=1, style="casual")
    played = written_by_hand(game, level)
    record = drive(client, played, Random(sheet + level), 0.02)
    assert codec.digest(record) == codec.digest(played)
    assert ask(client, record)["over"]


LEVELS = ("full", "seat", "public")
OTHER_WAYS = [
    *(Random(PLAYED_SEED).choice([way for way in OPTIONED if way.sheet is s]) for s in ALL_SHEETS),
    *(way for way in STANDARD if way.players > 2),
]
"""A way of every sheet in which something differs from the book, and every larger table; another seed draws others."""


@pytest.mark.slow
@pytest.mark.parametrize("way", OTHER_WAYS, ids=str)
def test_a_game_by_other_options_comes_out_as_it_was_played(client, way):
    level = Random(f"{way}{PLAYED_SEED}").choice(LEVELS)
    played = written_by_hand(way.play(PLAYED_SEED, "casual", deals=1), level)
    record = drive(client, played, Random(str(way)), 0.05)
    assert codec.digest(record) == codec.digest(played)


@pytest.mark.long
@pytest.mark.parametrize("knowledge", ["public", "plays", "seat", "full"])
def test_a_card_that_nobody_saw_is_what_any_other_card_would_be(client, knowledge):
    """At every step of a deal an unseen card leads, follows or is drawn as the cards do that the rules allow there."""
    deal = written_by_hand(play_game(QUICK_SHEET, seed=5, deals=1), "full").deals[0]
    if knowledge != "full":
        level = "seat" if knowledge == "seat" else "public"
        deal = replace(seen(deal, level), knowledge=knowledge)
    record = replace(play_game(QUICK_SHEET, seed=5, deals=1), deals=[deal], result=None)
    for at in range(len(deal.events)):
        record.deals[0] = replace(deal, events=deal.events[:at])
        state = ask(client, record)
        kinds = {
            (choice["events"][0]["type"], choice["events"][0]["seat"])
            for choice in state["choices"]
            if choice["kind"] != "shown"
        }
        assert {(state["unlisted"]["type"], state["unlisted"]["seat"])} == kinds


@pytest.mark.long
def test_a_deal_comes_out_as_it_was_seen_with_cards_that_nobody_saw(client):
    played = written_by_hand(play_game(QUICK_SHEET, seed=5, deals=1), "public")
    missed = with_unseen_plays(played, Random(1))
    assert codec.digest(drive(client, missed, Random(1), 0.02)) == codec.digest(missed)
    assert codec.digest(missed) != codec.digest(played)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["seat", "public"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_every_deal_comes_out_as_it_was_seen(client, sheet, level):
    """With cards of others that were missed, too, and who took those tricks."""
    game = play_game(sheet, seed=PLAYED_SEED, deals=1, style="casual")
    missed = with_unseen_plays(written_by_hand(game, level), Random(sheet + level))
    record = drive(client, missed, Random(sheet + level), 0.02)
    assert codec.digest(record) == codec.digest(missed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", MARRIED_SEEDS)
@pytest.mark.parametrize("level", ["seat", "public"])
def test_marriages_are_offered_that_only_later_events_explain(client, seed, level):
    """Where the cards of earlier marriages came from tells only what follows: each meld of the game is offered all the same."""
    played = written_by_hand(play_game("zetema", seed=seed, deals=1, style="casual"), level)
    [deal] = played.deals
    for at, event in enumerate(deal.events):
        if isinstance(event, Meld):
            state = ask(client, replace(played, deals=[replace(deal, events=deal.events[:at])]))
            assert next_step(state, deal.events[at:]) == [event]
            shown = [
                (each["events"][0]["meld"], each["words"], sorted(each["cards"]))
                for each in state["choices"]
                if each["group"] and not each["size"]
            ]
            assert len({(meld, *cards) for meld, _, cards in shown}) == len(shown)


def test_the_page_of_a_new_version_names_the_old_one(fresh: Flask, fresh_client: FlaskClient):
    """One that goes on is the same match; one in which another card was played is another match."""
    whole = play_game("marjolet", seed=3, deals=1, names=["Ann", "Bob"])
    begun = replace(whole, deals=[replace(whole.deals[0], events=whole.deals[0].events[:40], claims=None)], result=None)  # fmt: skip
    changed = play_game("marjolet", seed=4, deals=1, names=["Ann", "Bob"])
    store_game(fresh, begun)
    for record, words in ((whole, "counts once"), (changed, "Both count")):
        version = replace(record, meta={"replaces": codec.digest(begun)})
        store_game(fresh, version)
        page = fresh_client.get(f"/games/{codec.digest(version)}").text
        assert f'A new version of <a href="/games/{codec.digest(begun)}">' in page
        assert words in page
    lost = replace(play_game("marjolet", seed=5, deals=1), meta={"replaces": "0" * 64})
    store_game(fresh, lost)
    assert "A new version" not in fresh_client.get(f"/games/{codec.digest(lost)}").text


SCORED_MATCHES = [
    ("bezique", [[540, 160], [550, 150]], (0, [1090, 310]), "Ann wins the match"),
    ("bezique", [[540, 160], [410, 150]], None, "It is played to 1,000."),
    ("bezique", [[540, 560], [500, 490]], (1, [1040, 1050]), "Bob wins the match"),
    ("bezique", [[540, 560], [510, 490]], None, "Another deal decides."),
    ("marjolet", [[300, 400], [260, 160]], None, "Another deal decides."),
    ("rubicon-bezique", [[1540, 1160]], (0, [1540, 1160]), "Ann receives 900"),
    ("rubicon-bezique", [[700, 760]], (1, [700, 760]), "Bob wins the match"),
]


def scored_match(sheet: str, scores: list[list[int]]) -> Record:
    deals = [
        Deal(dealer=number % 2, knowledge="scores", claims=Claims(scores=points))
        for number, points in enumerate(scores)
    ]
    game = play_game(sheet, seed=5, deals=1, names=["Ann", "Bob"])
    return replace(game, deals=deals, result=None, provenance=None, meta={"event": "Thursday"})


@pytest.mark.parametrize(("sheet", "scores", "won", "words"), SCORED_MATCHES)
def test_a_match_of_scores_is_won_by_the_rules_of_its_sheet(client, sheet, scores, won, words):
    """The page says how the deal and the match ended, and what the record may claim of a match that is over."""
    state = ask(client, scored_match(sheet, scores))
    result = state["result"]
    assert (result and (result["winner"], result["scores"])) == won
    assert not won or result["status"] == "complete"
    assert state["complete"] == bool(won)
    assert words in " ".join(state["outcome"])


def test_a_match_of_scores_is_stored_with_its_winner(fresh: Flask, fresh_client: FlaskClient):
    """In its page, the list of games, and the standings of its event."""
    record = scored_match("bezique", [[540, 160], [550, 150]])
    result = msgspec.convert(ask(fresh_client, record)["result"], Result)
    digest = store_game(fresh, replace(record, result=result))
    page = fresh_client.get(f"/games/{digest}").text
    assert "Ann won by 780 points, as the record states." in page
    assert "does not show who won" not in page
    [listed] = fresh_client.get("/games.json").json["games"]
    assert (listed["winner"], listed["scores"]) == (0, [1090, 310])
    assert "1,090" in fresh_client.get("/games").text
    [first, second] = fresh_client.get("/standings.json?event=Thursday").json["standing"]
    assert (first["name"], first["points"], second["points"]) == ("Ann", 1, 0)


MELDS_TAKEN = 4
"""Of so many melds that are offered at one place each is taken."""


def no_meld_offered_is_a_breach(client, sheet: str, level: str, random: Random) -> None:
    """Those with cards that were melded before are taken first: the check of one meld alone does not know them spent."""
    written = written_by_hand(play_game(sheet, seed=PLAYED_SEED, deals=1, style="casual"), level)
    [deal] = written.deals
    places = [at + 1 for at, event in enumerate(deal.events) if isinstance(event, Meld)]
    for at in random.sample(places, min(3, len(places))):
        begun = deal.events[:at]
        spent = {card for event in begun if isinstance(event, Meld) for card in event.cards}
        state = ask(client, replace(written, deals=[replace(deal, events=begun)]))
        melds = [each for each in state["choices"] if each["group"] and not each["size"]]
        melds.sort(key=lambda each: -len(spent.intersection(each["cards"])))
        for choice in melds[:MELDS_TAKEN]:
            taken = [msgspec.convert(event, AnyEvent) for event in choice["events"]]
            after = replace(written, deals=[replace(deal, events=[*begun, *taken])])
            report = ask(client, after, report=1)["report"]
            assert report["verdict"] != "illegal", (sheet, level, at, choice["words"])


@pytest.mark.long
@pytest.mark.parametrize("sheet", [QUICK_SHEET, "marjolet-oxford", "bezique"])
def test_no_meld_that_is_offered_is_a_breach(client, sheet):
    no_meld_offered_is_a_breach(client, sheet, "public", Random(sheet))


@pytest.mark.slow
@pytest.mark.parametrize("level", ["full", "seat", "public"])
@pytest.mark.parametrize("sheet", SHEETS)
def test_no_meld_that_is_offered_is_a_breach_by_any_sheet(client, sheet, level):
    no_meld_offered_is_a_breach(client, sheet, level, Random(sheet + level))


def test_a_marriage_whose_cards_have_married_is_not_offered_again(client):
    """There is one pack: what was shown cannot be shown again, now or after another trick."""
    game = play_game(QUICK_SHEET, seed=5, deals=1)
    events = [
        Play(seat=1, card="7S"),
        Play(seat=0, card="AS"),
        Meld(seat=0, meld="marriage", cards=["KH", "QH"]),
        Play(seat=0, card="8D"),
        Play(seat=1, card="7D"),
    ]
    for at in (2, 3, 5):
        deal = Deal(dealer=0, knowledge="public", turn_up="9H", events=events[:at])
        state = ask(client, replace(game, deals=[deal], result=None))
        offered = [sorted(each["cards"]) for each in state["choices"] if each["group"]]
        assert (["KH", "QH"] in offered) == (at == 2)
        assert ["KS", "QS"] in offered


@pytest.mark.parametrize("searched", [0, 4])
def test_a_meld_that_was_not_searched_says_so_and_the_report_tells_what_it_is(
    client, monkeypatch, searched
):
    monkeypatch.setattr(recorded_choices, "MOST_MELDS_SEARCHED", searched)
    game = play_game(QUICK_SHEET, seed=5, deals=1)
    marriage = Meld(seat=0, meld="marriage", cards=["KH", "QH"])
    events = [
        Play(seat=1, card="7S"),
        Play(seat=0, card="AS"),
        marriage,
        Play(seat=0, card="8D"),
        Play(seat=1, card="7D"),
    ]
    deal = Deal(dealer=0, knowledge="public", turn_up="9H", events=events)
    record = replace(game, deals=[deal], result=None)
    offered = [each for each in ask(client, record)["choices"] if each["group"]]
    unchecked = [sorted(each["cards"]) for each in offered if each["unchecked"]]
    assert (["KH", "QH"] in unchecked) == (searched == 0)
    events.append(marriage)
    report = ask(client, record, report=1)["report"]
    assert "no-legal-completion" in [finding["code"] for finding in report["findings"]]


@pytest.mark.slow
@pytest.mark.parametrize("sheet", ["rubicon-bezique", "chinese-bezique", "six-pack-bezique"])
def test_every_meld_of_many_packs_is_checked_or_says_that_it_is_not(client, sheet):
    """Of the melds with cards that were melded before, so many are checked, and all others say that they are not."""
    written = written_by_hand(play_game(sheet, seed=PLAYED_SEED, deals=1, style="casual"), "public")
    [deal] = written.deals
    melds = [at + 1 for at, event in enumerate(deal.events) if isinstance(event, Meld)]
    for at in Random(sheet).sample(melds, 4):
        begun = replace(written, deals=[replace(deal, events=deal.events[:at])])
        *_, frame = replay(begun)
        again = [
            choice
            for choice in ask(client, begun)["choices"]
            if isinstance(event := msgspec.convert(choice["events"][-1], AnyEvent), Meld)
            and recorded_choices.may_be_spent(frame.table, begun.deals[0], event)
        ]
        unchecked = [choice for choice in again if choice["unchecked"]]
        assert len(again) - len(unchecked) <= recorded_choices.MOST_MELDS_SEARCHED
        for choice in again:
            if not choice["unchecked"]:
                taken = [msgspec.convert(event, AnyEvent) for event in choice["events"]]
                after = replace(deal, events=[*begun.deals[0].events, *taken])
                report = ask(client, replace(begun, deals=[after]), report=1)["report"]
                assert report["verdict"] != "illegal"


@pytest.mark.long
@pytest.mark.parametrize("sheet", [QUICK_SHEET, "rubicon-bezique"])
def test_a_draw_that_follows_one_that_nobody_sees_is_asked_for_by_name(client, sheet):
    """Exactly where the seat that draws first is not the one whose draws are recorded."""
    game = play_game(sheet, seed=5, deals=1, names=["Ann", "Bob"])
    written = written_by_hand(game, "seat")
    [deal] = written.deals
    draws = [at for at, event in enumerate(deal.events) if isinstance(event, Draw)]
    for at in draws[:20:2]:
        state = ask(client, replace(written, deals=[replace(deal, events=deal.events[:at])]))
        asked = state["turn"].endswith("; tap the card that Ann draws")
        assert asked == (deal.events[at].seat == 1), state["turn"]


@pytest.mark.long
@pytest.mark.parametrize("sheet", [QUICK_SHEET, "bezique", "rubicon-bezique"])
def test_the_line_after_a_trick_says_who_took_it_and_melds_only_where_they_may(client, sheet):
    """Melds are spoken of exactly where one may still be shown: never after a close that ends them."""
    game = play_game(sheet, seed=5, deals=1, names=["Ann", "Bob"])
    written = written_by_hand(game, "public")
    [deal] = written.deals
    replies = [at for at, event in enumerate(deal.events) if isinstance(event, Play)][1::2]
    takers = {
        frame.index: frame.table.names[frame.table.trick.winner]
        for frame in replay(written)
        if isinstance(frame.event, Play) and frame.table.trick.led is None
    }
    for at in (replies[0], replies[3], replies[-4], replies[-2]):
        begun = replace(deal, events=deal.events[: at + 1])
        state = ask(client, replace(written, deals=[begun]))
        assert state["turn"].startswith(f"{takers[at]} takes the trick and "), at
        melds = [each for each in state["choices"] if each["group"]]
        assert ("may meld" in state["turn"]) == bool(melds), (at, state["turn"])
        assert not melds or at < replies[-4]
        assert melds or state["turn"].endswith((" leads", " draws"))
