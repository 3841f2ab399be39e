"""The recorder: what may come next in a record that is being written, at every level of knowledge.

It replays the record at every question, as the validator does, and keeps no `LiveReferee`: that one wants every draw as an
event, judges each event before it knows the next, and refuses what is illegal. A recorder writes down what happened, may leave
out draws and cards, and changes events that others follow, which may tell then what an earlier one meant.
`tests/webui/test_one_stepper.py` holds that both say the same where both can be asked, and What if, too.
"""

from collections.abc import Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from records.engine.table import Table, TableStep
from records.event_words import describe_event
from records.events import AnyEvent, Discard, Dix, Draw, Play, Trick
from records.phrases import list_cards, list_scores, pluralize
from records.record import Deal, Record, Result
from records.replay import Frame, Match, TableSnapshot, replay, snapshot_of
from records.rules.compiled import compile_sheet
from records.rules.registry import ResolvedSheet
from records.rules.settlement import race_target
from records.rules.vocabulary import RaceTo, TurnUp
from records.validate.check_deals import certain_scores
from records.validate.finding import Finding
from records.validate.report import Report
from records.validator import check_record
from webui.display.words import outcome_sentences, taken_sentence, turn_words
from webui.replay.layout import cards_laid, tableau_piles
from webui.replay.next_events import most_cut, seat_to_meld
from webui.replay.recorded_choices import UNSEEN, RecordedChoice, recorded_choices

UNSEEN_TRICK_TEXT = "Who took the trick? A card of it was not seen"


class DealMissing(msgspec.Struct):
    """What the deal does not show yet: the seats whose hands are to be written, with their size, and the turn-up."""

    hands: list[int]
    size: int
    turn_up: bool


class RecordedBreach(msgspec.Struct):
    """A finding in the record: its code, its sentence, the place, and what the rules would have allowed there, in words.

    One that `stops` is of the event behind which the replay of its deal cannot go on.
    """

    code: str
    severity: str
    message: str
    deal: int | None
    event: int | None
    legal: tuple[str, ...]
    stops: bool = False


class TakenTrick(msgspec.Struct):
    """A trick of the deal: the event that completed it, counted from 0, and its cards and its winner in words."""

    event: int
    words: str


class LyingCards(msgspec.Struct):
    """Cards that lie together on the table, with what is written below them; a card is followed by its marks: `QS won`.

    The `kind` is `turn-up`, `trick`, `meld`, `won` for captured cards that lie face up, or `pile` for one of the tableau.
    """

    kind: str
    words: str
    cards: list[str]


class RecordingState(msgspec.Struct):
    """How a record stands: who is to act in its last deal, every choice, and what is known of the scores.

    `deal` counts from 0. `seat` acts next; `turn` says so in words. With one choice alone the next event is `forced`.
    `unlisted` is the event that a card would be which is not among the choices, with a card that nobody has seen.
    `points` are those of the deal by seat and `scores` those of the match by side, None where they are open. `cut` is the
    most cards that may be cut, where a cut comes next. `lying` is what lies on the table. `held` are the cards that each seat is known to hold. A deal
    that is `over` is followed by one of `next_dealer`, unless the match is `complete`. `report` is the validator's, where it was
    asked for. `result` is what the record may claim of a match that is complete, and whose end its cards alone do not tell;
    None otherwise. `said` are the events of the last deal in words, `taken` its tricks, and `running` the scores of the match after
    every deal. `paper` says how the points that the record claims for the last deal compare with those of the rules.
    """

    deal: int
    dealer: int
    step: str
    seat: int | None
    turn: str
    trump: str | None
    turn_up: str | None
    stock: int
    missing: DealMissing | None
    choices: list[RecordedChoice]
    forced: bool
    unlisted: AnyEvent | None
    cut: int | None
    due: list[str]
    held: list[list[str]]
    trick: list[str]
    lying: list[LyingCards]
    points: list[int] | None
    brisques: list[int] | None
    tricks: list[int]
    scores: list[int] | None
    findings: list[RecordedBreach]
    said: list[str]
    taken: list[TakenTrick]
    paper: str
    running: list[list[int] | None]
    outcome: list[str]
    over: bool
    stopped: bool
    complete: bool
    next_dealer: int
    report: Report | None = None
    result: Result | None = None


def recording_state(
    record: Record, resolved: ResolvedSheet, *, with_report: bool = False
) -> RecordingState:
    """How a record stands that is being written; it must have a deal."""
    match, findings, table = Match(record, resolved), list[Finding](), None
    before: list[int] | None = [0] * len(match.sides)
    running, taken, ends = list[list[int] | None](), list[TakenTrick](), dict[int, int]()
    for frame in replay(record, match=match):
        if frame.deal > len(running):
            running.append(match.tally)
            before, taken = match.tally, []
        table, ends[frame.deal] = frame.table, frame.index
        findings += frame.findings
        taken += _taken(frame)
    assert table is not None
    state = _state(record, table, match, findings)
    for breach in state.findings:
        breach.stops = breach.event is not None and breach.event == ends.get(breach.deal or 0)
    state.taken, state.running = taken, [*running, match.tally]
    state.outcome = outcome_sentences(match, table, before)
    state.result = _stated_result(match)
    state.report = check_record(record) if with_report else None
    return state


def _state(record: Record, table: Table, match: Match, findings: list[Finding]) -> RecordingState:
    deal, number = record.deals[-1], len(record.deals) - 1
    missing = _missing(table, deal)
    stopped = _is_stopped(table, deal, findings, number)
    over = table.is_over or table.knowledge.scores_only
    counted = table.knowledge.scores_only
    goes_on = not (missing or stopped or counted or table.misdealt)
    choices = recorded_choices(table, deal, partial(_can_be, record)) if goes_on else []
    position = snapshot_of(table)
    return RecordingState(
        deal=number,
        dealer=deal.dealer,
        step=position.step,
        seat=None if over or stopped else table.seat,
        turn=_turn(table, deal, choices),
        trump=table.trump,
        turn_up=table.stock.turn_up,
        stock=table.stock.left,
        missing=missing,
        choices=choices,
        forced=len(choices) == 1 and choices[0].kind != "shown",
        unlisted=_unlisted(table, deal) if goes_on else None,
        cut=most_cut(table, deal, deal.events) if goes_on else None,
        due=_due(table, choices) if goes_on else [],
        held=[_known_cards(table, seat) for seat in range(table.seats)],
        trick=_trick_on_table(table),
        lying=_lying(table, deal, position),
        points=None
        if table.knowledge.points_open and table.knowledge.scores_only
        else table.points,
        brisques=None if table.knowledge.brisques_open else table.brisques,
        tricks=table.tricks_won,
        scores=match.tally,
        findings=[_breach(finding) for finding in findings],
        said=[describe_event(event, match.names) for event in deal.events],
        taken=[],
        paper=_compared_with_paper(table, deal, match),
        running=[],
        outcome=[],
        over=over,
        stopped=stopped,
        complete=match.complete,
        next_dealer=(deal.dealer + (not table.misdealt)) % table.seats,
    )


def _can_be(record: Record, deal: Deal) -> bool:
    """Whether some way to fill in what a deal leaves out is legal, as far as the validator can tell."""
    alone = Record(
        format=record.format, version=record.version, rules=record.rules,
        players=record.players, sides=record.sides, deals=[replace(deal, claims=None)],
    )  # fmt: skip
    return all(finding.code != "no-legal-completion" for finding in check_record(alone).findings)


def _stated_result(match: Match) -> Result | None:
    """The result of a match by the scores that the record claims; its winner and settlement only where these leave no other."""
    if not match.complete or match.scores is not None or match.tally is None or match.tainted:
        return None
    result = Result(status="complete", scores=match.tally)
    winners = {outcome.winner for outcome in match.outcomes}
    if len(winners) == 1:
        [result.winner] = winners
    settlements = [outcome.settlement for outcome in match.outcomes]
    if len(settlements) == 1:
        [result.settlement] = settlements
    return result


def _taken(frame: Frame) -> list[TakenTrick]:
    """The trick that the event of a frame completed, if it did."""
    table = frame.table
    if not _completes_trick(table, frame.event):
        return []
    cards = ", ".join(
        f"{table.names[seat]} {list_cards([card])}" for seat, card in table.last_trick()
    )
    return [TakenTrick(frame.index, f"Trick {table.tricks}: {cards}. {_taker_words(table)}")]


def _taker_words(table: Table) -> str:
    """Who took the trick just completed: where a card leaves it open, only what follows can tell."""
    winner, follows = table.trick.winner, table.index + 1 < len(table.events)
    if not table.trick.winner_open or winner is None:
        return taken_sentence(table)
    name = table.names[winner]
    return (
        f"{name} takes the trick, as what follows tells." if follows else "Nobody saw who takes it."
    )


def _turn(table: Table, deal: Deal, choices: Sequence[RecordedChoice]) -> str:
    """What comes next, in words; where draws are not recorded, they are passed over."""
    if any(isinstance(event, Trick) for choice in choices for event in choice.events):
        return UNSEEN_TRICK_TEXT
    position = snapshot_of(table)
    if position.step == "draw" and deal.knowledge in ("public", "plays"):
        position = replace(position, step="discard" if table.rules.has_tableau else "lead")
    may_meld = any(choice.group for choice in choices)
    words = turn_words(position, table.names, may_meld=may_meld)
    asked = _draw_to_tap(table, choices)
    taker = _taker(table, deal)
    if taker is None or taker != position.seat:
        return words + asked
    name = table.names[taker]
    does = words.removeprefix(f"{name} ").removeprefix("to ")
    does = does if may_meld else f"{does}s"
    return f"{name} takes the trick and {does}{asked}"


def _draw_to_tap(table: Table, choices: Sequence[RecordedChoice]) -> str:
    """Whose draw is asked for, where that of another seat, which nobody sees, comes before it."""
    for choice in choices:
        *before, last = choice.events
        if before and isinstance(last, Draw) and last.card != UNSEEN:
            return f"; tap the card that {table.names[last.seat]} draws"
    return ""


def _taker(table: Table, deal: Deal) -> int | None:
    """Who took the trick that the last event completed; None if it completed none, or its cards do not tell."""
    completed = bool(deal.events) and _completes_trick(table, deal.events[-1])
    return table.trick.winner if completed and not table.trick.winner_open else None


def _completes_trick(table: Table, event: AnyEvent | None) -> bool:
    """Whether an event was the last card of the trick that lies there."""
    if not isinstance(event, Play) or table.trick.led is not None or not table.last_trick():
        return False
    return table.last_trick()[-1] == (event.seat, event.card)


def _unlisted(table: Table, deal: Deal) -> AnyEvent | None:
    """What an unseen card would be now: a draw only where draws are recorded; None once the deal is over."""
    if table.step is TableStep.OVER:
        return None
    if table.step is TableStep.DRAW and deal.knowledge not in ("public", "plays"):
        return Draw(seat=table.seat, card=UNSEEN)
    kind = Discard if table.rules.has_tableau else Play
    return kind(seat=table.seat, card=UNSEEN)


def _compared_with_paper(table: Table, deal: Deal, match: Match) -> str:
    """How the points claimed for a deal compare with those of the rules; empty where none are claimed."""
    claimed = deal.claims.scores if deal.claims else None
    if claimed is None or table.knowledge.scores_only or table.misdealt:
        return ""
    counted = certain_scores(table, match.sides, claimed)
    stopped = table.index < len(deal.events)
    if counted is None or stopped or table.step is not TableStep.OVER:
        return f"On paper: {list_scores(claimed)}. What is recorded leaves the points open."
    if counted == claimed:
        return f"On paper: {list_scores(claimed)}, as the rules count."
    return f"On paper: {list_scores(claimed)}. The rules count {list_scores(counted)}."


def _breach(finding: Finding) -> RecordedBreach:
    at = finding.at
    return RecordedBreach(
        finding.code, finding.severity, finding.message, at.deal, at.event, finding.legal
    )


def _is_stopped(table: Table, deal: Deal, findings: Sequence[Finding], number: int) -> bool:
    """Whether something impossible has stopped the replay of the deal."""
    impossible = table.index < len(deal.events)
    return impossible and any(finding.at.deal == number for finding in findings)


def _known_cards(table: Table, seat: int) -> list[str]:
    return sorted(card for card, number in table.held[seat].items() for _ in range(number))


def _trick_on_table(table: Table) -> list[str]:
    """The cards that lie in the trick: the lead, or the trick just completed."""
    if table.trick.led is not None:
        return [table.trick.led]
    return [card for _, card in table.last_trick()]


def _lying(table: Table, deal: Deal, position: TableSnapshot) -> list[LyingCards]:
    """What lies on the table: the turn-up, the trick until somebody draws, what each seat has laid, the piles of a tableau."""
    groups = []
    is_drawing = bool(deal.events) and isinstance(deal.events[-1], Draw)
    if position.turn_up not in (None, UNSEEN) and position.stock:
        groups.append(LyingCards("turn-up", "turned up", [position.turn_up]))
    winner = None if position.trick or table.trick.winner_open else table.trick.winner
    for seat, card in position.trick or ([] if is_drawing else position.taken):
        item = f"{card} won" if seat == winner else card
        groups.append(LyingCards("trick", table.names[seat], [item]))
    ranks = "".join(table.rules.written.pack.ranks)
    for seat, view in enumerate(position.seats):
        for laid in cards_laid(view, frozenset(), ranks, lifts=False):
            words = f"{table.names[seat]}: {laid.words}"
            groups.append(LyingCards(laid.kind, words, laid.cards))
    piles = (pile for pile in tableau_piles(position, None) if pile.cards)
    return [*groups, *(LyingCards(pile.kind, pile.words, pile.cards) for pile in piles)]


def _missing(table: Table, deal: Deal) -> DealMissing | None:
    """What of the hands and the turn-up has to be written first, at the level of knowledge of the deal."""
    if deal.setup is not None or deal.knowledge in ("plays", "scores") or deal.events:
        return None
    size = table.rules.written.hand[table.seats]
    written: list[list[str]] = [*(deal.hands or []), *([] for _ in range(table.seats))]
    shown = range(table.seats) if deal.knowledge in (None, "full") else [deal.seat]
    shown = [] if deal.knowledge == "public" else shown
    hands = [seat for seat in shown if seat is not None and len(written[seat]) != size]
    turn_up = isinstance(table.rules.written.trumps, TurnUp) and deal.turn_up is None
    return DealMissing(hands, size, turn_up) if hands or turn_up else None


def _due(table: Table, choices: Sequence[RecordedChoice]) -> list[str]:
    """Sentences on what is easily forgotten now."""
    sentences = []
    name = table.names[seat_to_meld(table)]
    actions = [
        event.action for choice in choices for event in choice.events if isinstance(event, Dix)
    ]
    rule = table.rules.written.dix
    if rule is not None and "exchange" in actions:
        sentences.append(
            f"{name} may exchange the dix, the seven of trumps, for the turn-up: {pluralize(rule.points, 'point')}."
        )
    elif rule is not None and "show" in actions:
        sentences.append(
            f"{name} may show the dix, the seven of trumps: {pluralize(rule.points, 'point')}."
        )
    if table.draws_due and table.stock.with_turn_up <= len(table.draws_due):
        sentences.append("These are the last cards of the stock.")
    return sentences


# What the page has to know of a sheet: its cards, its options in words, and its points, from which a marker is made.


class MarkerMeld(msgspec.Struct):
    """A meld that a marker offers."""

    name: str
    words: str
    points: int


class RecorderSheet(msgspec.Struct):
    """What the page knows of a sheet.

    `partners` are the sizes of the sides that so many players may form.
    `discards` says that cards are discarded to a tableau, without tricks. `brisque` are the points of one, `dix` those of
    the seven of trumps, `bonuses` those for tricks, and `tricks` how many two players play. `target` is what wins the game,
    None where one deal does.
    """

    id: str
    name: str
    edition: int
    players: tuple[int, ...]
    partners: dict[str, tuple[int, ...]]
    ranks: str
    hand: dict[str, int]
    cuts: bool
    has_turn_up: bool
    discards: bool
    carte_blanche: bool
    melds: list[MarkerMeld]
    dix: int | None
    brisque: int
    brisques: int
    bonuses: list[MarkerMeld]
    tricks: int
    target: int | None


def recorder_sheet(resolved: ResolvedSheet) -> RecorderSheet:
    """What the page knows of a resolved sheet."""
    sheet = resolved.sheet
    game = sheet.rules.match
    rules = compile_sheet(sheet)
    pack_size = rules.pack_size
    return RecorderSheet(
        id=sheet.id,
        name=sheet.name,
        edition=sheet.edition,
        players=sheet.rules.players,
        partners={str(players): sizes for players, sizes in sheet.rules.partner_sizes.items()},
        ranks="".join(sheet.rules.pack.ranks),
        hand={str(players): size for players, size in sheet.rules.hand.items()},
        cuts=sheet.rules.cut is not None,
        has_turn_up=isinstance(sheet.rules.trumps, TurnUp),
        discards=rules.has_tableau,
        carte_blanche=sheet.rules.carte_blanche is not None,
        melds=[MarkerMeld(row.name, row.words, row.points) for row in sheet.rules.melds],
        dix=sheet.rules.dix.points if sheet.rules.dix is not None else None,
        brisque=sheet.rules.brisques.points,
        brisques=rules.brisques_in_pack,
        bonuses=[
            MarkerMeld(bonus.name, bonus.name.replace("_", " "), bonus.points)
            for bonus in sheet.rules.bonuses
        ],
        tricks=pack_size // max(1, sheet.rules.players[0]),
        target=race_target(game, sheet.rules.players[0]) if isinstance(game, RaceTo) else None,
    )
