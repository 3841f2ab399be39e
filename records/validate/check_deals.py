"""Checks of a deal before its first event, and of its result."""

from records.cards import FACE_OF, RANKS, SUITS, covers, describe_card, is_unknown
from records.engine.copies import is_beyond_pack
from records.engine.effects import takes_all_closed_tricks
from records.engine.hidden_cards import may_all_be_in_pack
from records.engine.table import Table, TableStep
from records.engine.zetema import MARRIED_RANKS, is_turn_unsure
from records.events import Discard, Meld
from records.phrases import list_scores, name_card, pluralize, with_article
from records.record import Deal, Setup
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import BrisqueCount, GameEnd, RaceTo, TurnUp, When
from records.validate.breach import Breach, breach_by, make_breach, seat_name
from records.validate.check_setups import check_setup
from records.validate.check_totals import check_possible, possible_scores

# Unknown cards: enough cards must be left for those of which suit or rank is known.


def check_unknown_cards(table: Table) -> list[Breach]:
    """Whether the pack has all that the deal tells of cards of which it does not tell everything."""
    if not any(table.hidden.given) or may_all_be_in_pack(table):
        return []
    for token in (*(f"{rank}?" for rank in RANKS), *(f"?{suit}" for suit in SUITS)):
        dealt, copies = _dealt_like(table, token), _copies_like(table, token)
        if dealt > copies:
            return [_too_many_like(token, dealt, copies)]
    return [make_breach("too-many-copies", clause="mixed")]


def _dealt_like(table: Table, token: str) -> int:
    """How many cards are dealt that surely are of this rank, or suit."""
    unknown = [card for given in table.hidden.given for card in given]
    if table.stock.turn_up is not None and is_unknown(table.stock.turn_up):
        unknown.append(table.stock.turn_up)
    seen = _copies_like(table, token) - sum(
        count for card, count in table.unseen.items() if covers(token, card)
    )
    return seen + sum(1 for card in unknown if "?" in card and covers(token, card))


def _copies_like(table: Table, token: str) -> int:
    """How many cards of this rank, or suit, the pack has."""
    return sum(count for card, count in table.rules.copies.items() if covers(token, card))


def _too_many_like(token: str, dealt: int, copies: int) -> Breach:
    return make_breach(
        "too-many-copies",
        clause="like",
        card=with_article(describe_card(token)),
        copies=copies,
        expected=f"at most {copies}",
        found=str(dealt),
    )


def check_deal(table: Table, deal: Deal, expected_dealer: int | None) -> list[Breach]:
    """Everything that can be wrong with what was dealt; `table` is the deal laid out."""
    breaches = check_dealer(table, deal.dealer, expected_dealer)
    if deal.setup is None:
        breaches += _hands(table, deal)
        breaches += _turn_up(table.rules, deal)
    else:
        breaches += check_setup(table, deal, deal.setup)
    # The count of copies takes long, so it is made only where the table shows that something is wrong.
    if deal.stock is not None or table.not_in_pack or min(table.unseen.values()) < 0:
        breaches += _copies(table.rules, deal)
    if breaches or not (table.knowledge.partial or table.knowledge.uncertain):
        return breaches
    return check_unknown_cards(table)


def check_dealer(table: Table, dealer: int, expected: int | None) -> list[Breach]:
    """Whether the right player deals; nobody is expected to deal first."""
    if expected is None or dealer == expected:
        return []
    return [_wrong_dealer(table, dealer, expected)]


def _wrong_dealer(table: Table, dealer: int, expected: int) -> Breach:
    return breach_by(
        table,
        dealer,
        "wrong-dealer",
        other=seat_name(table, expected),
        expected=f"seat {expected}",
        found=f"seat {dealer}",
        pointer="/dealer",
    )


def _hands(table: Table, deal: Deal) -> list[Breach]:
    if deal.hands is None:
        return []
    players = len(table.names)
    size = table.rules.written.hand[players]
    breaches = [
        _wrong_hand_size(table, seat, len(hand), size)
        for seat, hand in enumerate(deal.hands[:players])
        if len(hand) != size
    ]
    if len(deal.hands) == players:
        return breaches
    number = make_breach(
        "wrong-number-of-hands",
        hands=pluralize(len(deal.hands), "hand"),
        expected=str(players),
        found=str(len(deal.hands)),
        pointer="/hands",
    )
    return [number, *breaches]


def _wrong_hand_size(table: Table, seat: int, cards: int, size: int) -> Breach:
    return breach_by(
        table,
        seat,
        "wrong-hand-size",
        cards=pluralize(cards, "card"),
        expected=str(size),
        found=str(cards),
        pointer=f"/hands/{seat}",
    )


def _turn_up(rules: CompiledSheet, deal: Deal) -> list[Breach]:
    turned = isinstance(rules.written.trumps, TurnUp)
    whole = deal.hands is not None and deal.knowledge in (None, "full")
    if turned and deal.turn_up is None and whole:
        return [make_breach("turn-up-missing")]
    if not turned and deal.turn_up is not None:
        card, found = name_card(deal.turn_up), deal.turn_up
        return [make_breach("turn-up-not-in-rules", card=card, found=found, pointer="/turn_up")]
    return []


def _copies(rules: CompiledSheet, deal: Deal) -> list[Breach]:
    """Cards that the pack does not have, or has in fewer copies."""
    dealt = _all_cards(deal)
    faces: dict[str, int] = {}
    exact: dict[str, int] = {}
    for card in dealt:
        faces[FACE_OF[card]] = faces.get(FACE_OF[card], 0) + 1
        exact[card] = exact.get(card, 0) + 1
    breaches = [
        make_breach("card-not-in-pack", clause="deal", card=name_card(card), found=card)
        for card in exact
        if is_beyond_pack(rules, card)
    ]
    breaches += [
        _too_many(face, count, rules.copies[face])
        for face, count in faces.items()
        if count > rules.copies.get(face, count)
    ]
    breaches += [
        make_breach("card-twice", card=name_card(card), found=card)
        for card, count in exact.items()
        if count > 1 and len(card) > 2
    ]
    return breaches + _stock(rules, deal)


def _too_many(face: str, count: int, copies: int) -> Breach:
    return make_breach(
        "too-many-copies",
        clause="copies",
        card=name_card(face),
        copies=copies,
        expected=f"at most {copies}",
        found=str(count),
    )


def _all_cards(deal: Deal) -> list[str]:
    cards = [card for hand in deal.hands or [] for card in hand]
    if deal.setup is not None:
        cards += _setup_cards(deal.setup)
    cards += [card for card in (deal.turn_up, *(deal.stock or [])) if card is not None]
    return [card for card in cards if not is_unknown(card)]


def _setup_cards(setup: Setup) -> list[str]:
    """The cards of a position; a laid card that served in two melds is one card."""
    cards = [card for hand in setup.hands for card in hand]
    cards += [setup.turn_up] if setup.turn_up else []
    cards += [*(setup.trick or []), *(setup.tableau or [])]
    cards += [card for won in setup.captured or [] for card in won]
    for groups in setup.tables or []:
        most: dict[str, int] = {}
        for group in groups:
            for card in group.cards:
                most[card] = max(most.get(card, 0), group.cards.count(card))
        cards += [card for card, count in most.items() for _ in range(count)]
    return cards


def _stock(rules: CompiledSheet, deal: Deal) -> list[Breach]:
    if deal.stock is None or deal.hands is None or deal.setup is not None:
        return []
    turned = isinstance(rules.written.trumps, TurnUp)
    size = rules.pack_size - sum(map(len, deal.hands)) - turned
    if len(deal.stock) == size:
        return []
    return [
        make_breach(
            "wrong-stock-size",
            cards=pluralize(len(deal.stock), "card"),
            expected=str(size),
            found=str(len(deal.stock)),
            pointer="/stock",
        )
    ]


def check_deal_end(
    table: Table, deal: Deal, sides: list[list[int]], *, last: bool, tainted: bool
) -> list[Breach]:
    """Everything that can be wrong with the claimed result of a deal; `tainted` after something illegal in the match."""
    breaches = []
    if table.step is not TableStep.OVER and not table.misdealt:
        if not last and is_broken_off(table, deal):
            breaches.append(_cut_short(table))
        return breaches
    breaches += [] if table.misdealt else _brisques(table)
    return breaches + check_claimed_scores(table, deal, sides, tainted=tainted)


def check_claimed_scores(
    table: Table, deal: Deal, sides: list[list[int]], *, tainted: bool, played_out: bool = True
) -> list[Breach]:
    """The scores claimed for a deal: those of the rules, or else such as can be, whether or not it was `played_out`.

    Nothing is impossible if the match is `tainted` by something illegal.
    """
    claimed = deal.claims.scores if deal.claims else None
    if claimed is None:
        return []
    computed = certain_scores(table, sides, claimed)
    if computed is None and tainted:
        return []
    if computed is None:
        possible = possible_scores(table, deal, sides)
        if possible is not None and not played_out:
            possible = possible.when_broken_off()
        return check_possible("impossible-deal-scores", claimed, possible, "/claims/scores")
    return [] if claimed == computed else [_scores(claimed, computed)]


def is_broken_off(table: Table, deal: Deal) -> bool:
    """Whether cards are left to be played at the end of a deal, which no completion adds; not of one that stopped."""
    if table.step is TableStep.OVER or table.misdealt or table.knowledge.scores_only:
        return False
    if not table.knowledge.partial:
        return True
    if table.index < len(table.events):
        return False
    if table.rules.has_tableau:
        return not _may_have_been_won(table) and _are_cards_left(table, deal)
    return table.seats * table.tricks < table.rules.pack_size


def _may_have_been_won(table: Table) -> bool:
    """Whether a side may have had what it needed, by the option that play then stops at once (A-40)."""
    game = table.rules.written.match
    at_once = isinstance(game, RaceTo) and game.end is GameEnd.AT_ONCE
    return at_once and (table.knowledge.points_open or not table.points_to_win)


def _are_cards_left(table: Table, deal: Deal) -> bool:
    """Whether too few cards have left the hands of Zetema, even if those of all marriages came from there (A-38)."""
    copies, events = table.rules.copies, table.events
    discards = [event.card for event in events if isinstance(event, Discard)]
    to_marry = sum([count for face, count in copies.items() if face[0] in MARRIED_RANKS])
    married = to_marry - sum([card[0] in MARRIED_RANKS for card in discards])
    if not is_turn_unsure(table):
        written = [e for e in events if isinstance(e, Meld) and e.meld == "marriages"]
        married = min(married, sum([len(e.cards) - len(e.from_tableau or ()) for e in written]))
    setup = deal.setup
    dealt = table.rules.pack_size if setup is None else sum(map(len, setup.hands)) + setup.stock
    return len(discards) + married < dealt


def certain_scores(
    table: Table, sides: list[list[int]], claimed: list[int] | None = None
) -> list[int] | None:
    """What a deal adds to the scores of the match, by side; None where the record leaves it open.

    A position after the close may be the first of it: then one seat may have taken all tricks after the
    close, and the scores `claimed` may say so.
    """
    # Most records show everything: they need not be asked more.
    knowledge = table.knowledge
    if (knowledge.partial or knowledge.uncertain) and table.are_points_open:
        return None
    computed = side_scores(table.deal_points, sides)
    if claimed is not None and claimed != computed and not table.whole_close:
        for bonus in table.rules.written.bonuses:
            if bonus.tricks is When.ALL_CLOSED_TRICKS and takes_all_closed_tricks(table):
                points = list(table.deal_points)
                points[table.closed_tricks.index(max(table.closed_tricks))] += bonus.points
                return None if side_scores(points, sides) == claimed else computed
    return computed


def side_scores(points: list[int], sides: list[list[int]]) -> list[int]:
    """Points by seat, added up by side."""
    if len(sides) == len(points):
        return [points[side[0]] for side in sides]
    return [sum(points[seat] for seat in side) for side in sides]


def _cut_short(table: Table) -> Breach:
    tricks, events = pluralize(table.tricks, "trick"), pluralize(len(table.events), "event")
    if table.rules.has_tableau:
        return make_breach("deal-cut-short", clause="events", events=events, found=events)
    clause = "tricks" if table.tricks else "first"
    return make_breach("deal-cut-short", clause=clause, tricks=tricks, found=tricks)


def _brisques(table: Table) -> list[Breach]:
    """Seats that claimed brisques, but not all of them."""
    if table.rules.brisque_rule.count is BrisqueCount.NEVER or table.knowledge.brisques_open:
        return []
    return [
        _missing_brisques(table, seat, claimed)
        for seat, claimed in enumerate(table.claims.brisques)
        if claimed < table.brisque_points(seat)
        and (seat, "brisques") in table.earned
        and (seat, "brisques") in table.claims.scores
    ]


def _missing_brisques(table: Table, seat: int, claimed: int) -> Breach:
    return breach_by(
        table,
        seat,
        "wrong-brisques",
        clause="over",
        points=pluralize(claimed, "point"),
        expected=str(table.brisque_points(seat)),
        found=str(claimed),
        since=_last_brisques(table, seat),
    )


def _last_brisques(table: Table, seat: int) -> int | None:
    for i in range(len(table.events) - 1, -1, -1):
        event = table.events[i]
        if getattr(event, "what", None) == "brisques" and getattr(event, "seat", None) == seat:
            return i
    return None


def _scores(claimed: list[int], computed: list[int]) -> Breach:
    return make_breach(
        "wrong-deal-scores",
        expected=list_scores(computed),
        found=list_scores(claimed),
        pointer="/claims/scores",
    )
