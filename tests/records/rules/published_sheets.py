"""What a program in another language would do with the published sheets: everything here reads their JSON alone."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from itertools import combinations_with_replacement, product
from typing import Any

from records.documents.schemas import SPEC_FOLDER

Data = dict[str, Any]
SUITS = "SHDC"


def read_sheet(sheet_id: str) -> Data:
    return json.loads((SPEC_FOLDER / "sheets" / f"{sheet_id}.json").read_bytes())  # type: ignore[no-any-return]


def option_changes(data: Data, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """By option, the paths that it changes."""
    found = {}
    for option in data["options"]:
        value = chosen.get(option["name"], option["default"])
        if option["takes"] == "number":
            given = option["name"] in chosen
            found[option["name"]] = [(path, value) for path in option["sets"] if given]
        else:
            (changes,) = [
                each["changes"] for each in option["values"] if same(each["value"], value)
            ]
            found[option["name"]] = [(change["path"], change["value"]) for change in changes]
    return found


def same(one: Any, other: Any) -> bool:
    """JSON tells true from 1."""
    return type(one) is type(other) and one == other


def rules_with(data: Data, chosen: Mapping[str, Any]) -> Data:
    """The rules with options applied."""
    whole = {"rules": deepcopy(data["rules"])}
    for changes in option_changes(data, chosen).values():
        for path, value in changes:
            *way, last = path.split("/")[1:]
            place: Any = whole
            for step in way:
                place = place[int(step)] if isinstance(place, list) else place[step]
            place[int(last) if isinstance(place, list) else last] = value
    return whole["rules"]  # type: ignore[no-any-return]


def contradict(changes: Mapping[str, Any]) -> bool:
    """Whether two options change one member to different values."""
    by_path: dict[str, list[Any]] = {}
    for each in changes.values():
        for path, value in each:
            by_path.setdefault(path, []).append(value)
    return any(value != found[0] for found in by_path.values() for value in found)


def sets_of(rules: Data, meld: Data, trump: str | None) -> set[tuple[str, ...]]:
    """Every set of cards that is a list of cards, by the words of the sheet."""
    cards = meld["cards"]
    copies = {
        rank + suit: rules["pack"]["copies"][suit]
        for rank in rules["pack"]["ranks"]
        for suit in SUITS
    }
    return {
        found
        for plain in [suit for suit in SUITS if suit != trump]
        for ranks in product(*(card["ranks"] for card in cards["cards"]))
        for found in _repeat(
            {
                tuple(sorted(faces))
                for one in SUITS
                for faces in product(
                    *(
                        _faces(rules, card["suit"], rank, trump, plain=plain, one=one)
                        for card, rank in zip(cards["cards"], ranks, strict=True)
                    )
                )
            },
            cards["repeat"],
        )
        if all(count <= copies.get(face, 0) for face, count in Counter(found).items())
    }


def _faces(
    rules: Data, suit: str, rank: str, trump: str | None, *, plain: str, one: str
) -> Iterable[str]:
    if suit == "bezique":
        return [card for card in rules["bezique_cards"][trump or "none"] if card[0] == rank]
    suits = {"any": SUITS, "trumps": trump or "", "plain": plain, "same": one}.get(suit, suit)
    return [rank + each for each in suits]


def _repeat(lists: set[tuple[str, ...]], times: int) -> Iterator[tuple[str, ...]]:
    for chosen in combinations_with_replacement(sorted(lists), times):
        yield tuple(sorted(card for cards in chosen for card in cards))


def settle(rules: Data, points: list[int], brisques: list[int]) -> tuple[list[int], list[int]]:
    """The totals compared and what each side receives, by the members of `match`."""
    match, settlement = rules["match"], rules["match"]["settlement"]
    to_settle = rules["brisques"]["count"] == "to_settle"
    with_brisques = [a + b for a, b in zip(points, brisques, strict=True)]
    totals = list(points)
    if to_settle and points[0] == points[1]:
        totals = with_brisques
    elif to_settle and min(points) < match["rubicon"]:
        loser = points.index(min(points))
        totals = with_brisques if with_brisques[loser] >= match["rubicon"] else totals
    receives = [0, 0] if settlement["draw"] == "nothing" else list(totals)
    if totals[0] == totals[1]:
        return totals, receives
    winner = totals.index(max(totals))
    saved = to_settle and totals == with_brisques != points and points[0] != points[1]
    rubiconed = totals[1 - winner] < match["rubicon"] and not saved
    by_points = rubiconed and settlement["rubicon_valued_by"] == "points_without_brisques"
    valued = points if by_points else totals
    rounded = [total // settlement["rounded_to"] * settlement["rounded_to"] for total in valued]
    exact = settlement["win_difference"] == "none" or (
        settlement["win_difference"] == "close" and rounded[0] == rounded[1]
    )
    receives[winner] = _worth(
        settlement["rubicon" if rubiconed else "win"],
        valued if exact and not rubiconed else rounded,
        winner,
        below_100=valued[1 - winner] < 100,
    )
    return totals, receives


def _worth(terms: Data, totals: list[int], winner: int, *, below_100: bool) -> int:
    worth = terms["winner_total"] * totals[winner] + terms["loser_total"] * totals[1 - winner]
    if terms["loser_total"] == -1:
        worth = max(worth, terms["least_difference"])
    small = terms["loser_below_100"] if below_100 else 0
    return int(terms["base"] + worth + terms["for_brisques"] + small)


def may_play(rules: Data, phase: int, hand: list[str], led: str, trump: str | None) -> set[str]:
    """The cards that may be played to the card led, by `must_play`."""
    order = rules["pack"]["ranks"]
    same_suit = {card for card in hand if card[1] == led[1]}
    groups = {
        "higher_of_suit_led": {c for c in same_suit if order.index(c[0]) < order.index(led[0])},
        "suit_led": same_suit,
        "trumps": {card for card in hand if card[1] == trump},
        "any": set(hand),
    }
    owed = rules["phases"][phase]["must_play"]["trumps_led" if led[1] == trump else "plain_led"]
    return next(groups[name] for name in owed if groups[name])


def marriage_points(rules: Data, meld: Data, cards: tuple[str, ...]) -> int:
    """What marriages score: each in a suit that comes twice scores more, unless they are too many."""
    kings = [card for card in cards if card[0] == "K"]
    doubled = sum(rules["pack"]["copies"][king[1]] > 1 for king in kings)
    more = rules["tableau"]["doubled_suit_points"] * doubled
    return int(
        meld["points"] + (more if len(kings) < rules["tableau"]["doubled_suit_below"] else 0)
    )


class EarlierMeld:
    """A meld scored before: its entry in the sheet and the very cards, each with a name of its own."""

    def __init__(self, meld: Data, cards: frozenset[str]) -> None:
        self.kind, self.family, self.level = meld["kind"], meld["class"], meld["level"]
        self.cards = cards


def forbidding_clauses(
    rules: Data, meld: Data, cards: frozenset[str], earlier: list[EarlierMeld], hand: set[str]
) -> set[str]:
    """The clauses of `reuse` that forbid a meld; what hangs on the trick just won is left out."""
    reuse = rules["reuse"]
    clauses = {
        each["clause"]
        for each in reuse["forbids"]
        if all(same(reuse[name], value) for name, value in each["given"].items())
        and each["class"] in (None, meld["class"])
    }
    by_meld = reuse["card_leaves_by"] == "played_or_melded"
    return {
        clause
        for clause in clauses & _FORBIDS.keys()
        if _FORBIDS[clause](meld, cards, earlier, hand, by_meld)
    }


def _standing(meld: Data, cards: frozenset[str], earlier: list[EarlierMeld]) -> list[EarlierMeld]:
    """The melds of the class with some of these cards, without those of which a later one has taken the place."""
    family = [each for each in earlier if each.family == meld["class"]]
    return [
        each
        for place, each in enumerate(family)
        if each.cards & cards and not any(each.cards & later.cards for later in family[place + 1 :])
    ]


def _of_kind(meld: Data, earlier: list[EarlierMeld]) -> list[EarlierMeld]:
    return [each for each in earlier if each.kind == meld["kind"]]


def _scored_in(earlier: Iterable[EarlierMeld]) -> set[str]:
    return {card for each in earlier for card in each.cards}


def _has_not_left(meld, cards, earlier, hand, by_meld):  # type: ignore[no-untyped-def]
    kind = _of_kind(meld, earlier)
    if meld["kind"] == "marriage" and cards <= _scored_in(kind):
        return False

    def is_left(card: str, old: EarlierMeld) -> bool:
        later = earlier[earlier.index(old) + 1 :]
        return card not in hand or (by_meld and card in _scored_in(later))

    return any(
        old.cards & cards and not any(is_left(card, old) for card in old.cards - cards)
        for old in kind
    )


def _is_not_restored(meld, cards, earlier, hand, by_meld):  # type: ignore[no-untyped-def]
    family = _scored_in(each for each in earlier if each.family == meld["class"])
    broken = [
        old
        for old in _standing(meld, cards, earlier)
        if old.kind == meld["kind"] and not old.cards <= hand
    ]
    return any(not (old.cards & hand <= cards) or (cards - old.cards) & family for old in broken)


def _is_used_in_class(meld, cards, earlier, hand, by_meld):  # type: ignore[no-untyped-def]
    return any(
        old.level >= meld["level"] and (old.kind != meld["kind"] or old.cards <= hand)
        for old in _standing(meld, cards, earlier)
    )


def _is_not_whole(meld, cards, earlier, hand, by_meld):  # type: ignore[no-untyped-def]
    return any(
        old.level < meld["level"] and not old.cards <= cards
        for old in _standing(meld, cards, earlier)
    )


def _has_nothing_new(meld, cards, earlier, hand, by_meld):  # type: ignore[no-untyped-def]
    lower = [
        each for each in earlier if each.family == meld["class"] and each.level < meld["level"]
    ]
    return cards <= _scored_in(lower)


_FORBIDS = {
    "once-ever": lambda meld, cards, earlier, hand, by_meld: bool(cards & _scored_in(earlier)),
    "same-set": lambda meld, cards, earlier, hand, by_meld: any(
        old.cards == cards for old in _of_kind(meld, earlier)
    ),
    "kind": lambda meld, cards, earlier, hand, by_meld: bool(
        cards & _scored_in(_of_kind(meld, earlier))
    ),
    "down": lambda meld, cards, earlier, hand, by_meld: any(
        old.family == meld["class"] and old.level > meld["level"] and old.cards & cards
        for old in earlier
    ),
    "nothing-new": _has_nothing_new,
    "not-left": _has_not_left,
    "not-played": _has_not_left,
    "class": _is_used_in_class,
    "not-whole": _is_not_whole,
    "not-restored": _is_not_restored,
}
