"""Checks of a deal before its first event, and of what it came to."""

from records.cards import FACE_OF, is_unknown
from records.engine.table import Table, TableStep
from records.record import Deal, Setup
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import BrisqueCount, TurnUp
from records.validate.breach import Breach, card_with_article, seat_name


def check_deal(table: Table, deal: Deal, expected_dealer: int | None) -> list[Breach]:
    """Everything that can be wrong with what was dealt; `table` is the deal laid out."""
    rules, names = table.rules, table.names
    found = []
    if expected_dealer is not None and deal.dealer != expected_dealer:
        found.append(_dealer(deal.dealer, expected_dealer, names))
    if deal.setup is None:
        found += _hands(rules, deal, names)
        found += _turn_up(rules, deal)
    if deal.stock is not None or table.not_in_pack or min(table.unseen.values()) < 0:
        found += _copies(rules, deal)
    return found


def _dealer(dealer: int, expected: int, names: list[str]) -> Breach:
    return Breach(
        code="wrong-dealer",
        seat=dealer,
        message=f"{names[dealer]} deals, but the deal passes to {names[expected]}.",
        expected=f"seat {expected}",
        found=f"seat {dealer}",
        pointer="/dealer",
    )


def _hands(rules: CompiledSheet, deal: Deal, names: list[str]) -> list[Breach]:
    if deal.hands is None:
        return []
    size = rules.sheet.hand[len(names)]
    found = []
    if len(deal.hands) != len(names):
        found.append(
            Breach(
                code="wrong-number-of-hands",
                message=f"{len(deal.hands)} hands are dealt to {len(names)} players.",
                expected=str(len(names)),
                found=str(len(deal.hands)),
                pointer="/hands",
            )
        )
    found += [
        Breach(
            code="wrong-hand-size",
            seat=seat,
            message=f"{names[seat]} is dealt {len(hand)} cards; this game deals {size}.",
            expected=str(size),
            found=str(len(hand)),
            pointer=f"/hands/{seat}",
        )
        for seat, hand in enumerate(deal.hands[: len(names)])
        if len(hand) != size
    ]
    return found


def _turn_up(rules: CompiledSheet, deal: Deal) -> list[Breach]:
    turned = isinstance(rules.sheet.trumps, TurnUp)
    if (
        turned
        and deal.turn_up is None
        and deal.knowledge in (None, "full")
        and deal.hands is not None
    ):
        message = "No turn-up is recorded, so nobody knows which suit is trumps."
        return [Breach(code="turn-up-missing", message=message)]
    if not turned and deal.turn_up is not None:
        message = f"{card_with_article(deal.turn_up).capitalize()} is turned up; this game turns no card up."
        return [
            Breach(
                code="turn-up-not-in-rules", message=message, found=deal.turn_up, pointer="/turn_up"
            )
        ]
    return []


def _copies(rules: CompiledSheet, deal: Deal) -> list[Breach]:
    """Cards that the pack does not have, or not so often."""
    dealt = _all_cards(deal)
    faces: dict[str, int] = {}
    exact: dict[str, int] = {}
    for card in dealt:
        faces[FACE_OF[card]] = faces.get(FACE_OF[card], 0) + 1
        exact[card] = exact.get(card, 0) + 1
    found = [
        _too_many(face, count, rules.copies.get(face, 0))
        for face, count in faces.items()
        if count > rules.copies.get(face, 0)
    ]
    found += [
        Breach(
            code="card-twice",
            message=f"{card_with_article(card).capitalize()} is in two places at once.",
            found=card,
        )
        for card, count in exact.items()
        if count > 1 and len(card) > 2
    ]
    return found + _stock(rules, deal)


def _too_many(face: str, count: int, copies: int) -> Breach:
    if copies == 0:
        return Breach(
            code="card-not-in-pack",
            message=f"{card_with_article(face).capitalize()} is dealt; this game's pack does not have it.",
            found=face,
        )
    times = {1: "once", 2: "twice"}.get(copies, f"{copies} times")
    return Breach(
        code="too-many-copies",
        message=f"{card_with_article(face).capitalize()} is dealt {count} times; it is in the pack {times}.",
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
    turned = isinstance(rules.sheet.trumps, TurnUp)
    size = sum(rules.copies.values()) - sum(map(len, deal.hands)) - turned
    if len(deal.stock) == size:
        return []
    return [
        Breach(
            code="wrong-stock-size",
            message=f"The stock has {len(deal.stock)} cards; {size} are left of the pack after the deal.",
            expected=str(size),
            found=str(len(deal.stock)),
            pointer="/stock",
        )
    ]


def check_deal_end(table: Table, deal: Deal, sides: list[list[int]], *, last: bool) -> list[Breach]:
    """What a deal came to, against what the record claims of it."""
    found = []
    if table.step is not TableStep.OVER:
        if not last and not table.knowledge.partial:
            found.append(_cut_short(table))
        return found
    found += _brisques(table)
    if deal.claims and deal.claims.scores is not None:
        computed = side_scores(table.points, sides)
        if deal.claims.scores != computed and not (
            table.knowledge.uncertain or table.knowledge.partial
        ):
            found.append(_scores(deal.claims.scores, computed))
    return found


def side_scores(points: list[int], sides: list[list[int]]) -> list[int]:
    """Points by seat, added up by side."""
    if len(sides) == len(points):
        return [points[side[0]] for side in sides]
    return [sum(points[seat] for seat in side) for side in sides]


def _cut_short(table: Table) -> Breach:
    return Breach(
        code="deal-cut-short",
        message=f"The deal stops after {table.tricks} tricks with cards still in hand, and another deal"
        " follows.",
        found=f"{table.tricks} tricks",
    )


def _brisques(table: Table) -> list[Breach]:
    """Seats that claimed brisques claimed all of them."""
    found = []
    if table.rules.sheet.brisques.count is BrisqueCount.NEVER:
        return []
    for seat, claimed in enumerate(table.claims.brisques):
        taken = table.brisque_points(seat)
        if claimed >= taken or table.knowledge.uncertain:
            continue
        if (seat, "brisques") in table.earned and (seat, "brisques") in table.claims.scores:
            found.append(
                Breach(
                    code="wrong-brisques",
                    seat=seat,
                    message=f"{seat_name(table, seat)} claims {claimed} points of brisques in all, but has taken"
                    f" {taken}.",
                    expected=str(taken),
                    found=str(claimed),
                    since=_last_brisques(table, seat),
                )
            )
    return found


def _last_brisques(table: Table, seat: int) -> int | None:
    for i in range(len(table.events) - 1, -1, -1):
        event = table.events[i]
        if getattr(event, "what", None) == "brisques" and getattr(event, "seat", None) == seat:
            return i
    return None


def _scores(claimed: list[int], computed: list[int]) -> Breach:
    return Breach(
        code="wrong-deal-scores",
        message=f"The deal is said to come to {_versus(claimed)}; by the rules it comes to"
        f" {_versus(computed)}.",
        expected=_versus(computed),
        found=_versus(claimed),
        pointer="/claims/scores",
    )


def _versus(scores: list[int]) -> str:
    return " : ".join(map(str, scores))
