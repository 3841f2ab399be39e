"""Ten formats that nobody uses, written from real games: each says all that happened, in words of its own."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from tests.records.format.log_shapes import SIGNS

Game = dict[str, Any]


class Step(NamedTuple):
    """Something that happened: its kind, who did it, its cards, its points, and its name."""

    kind: str
    seat: int | None
    cards: list[str]
    points: int | None = None
    name: str = ""


def steps_of(deal: Game) -> Iterator[Step]:
    yield Step("deal", deal["dealer"], [])
    yield from (Step("hand", seat, hand) for seat, hand in enumerate(deal["hands"]))
    if "turn_up" in deal:
        yield Step("turn_up", deal["dealer"], [deal["turn_up"]])
    for event in deal["events"]:
        cards = event.get("cards") or ([event["card"]] if "card" in event else [])
        name = event.get("meld") or event.get("action") or event.get("for") or ""
        seat = event.get("seat", event.get("winner"))
        yield Step(event["type"], seat, cards, event.get("points"), name)
    yield Step("end", None, [])


def table_of(game: Game, head: str, sign: str, row: Callable[[int, Step], list[Any]]) -> str:
    """A table with a line a step."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=sign, lineterminator="\n")
    if head:
        writer.writerow(head.split())
    for number, deal in enumerate(game["deals"], start=1):
        writer.writerows(row(number, step) for step in steps_of(deal))
    return out.getvalue()


def ten(card: str) -> str:
    return card.replace("T", "10")


def english_table(game: Game) -> str:
    kinds = {"hand": "dealt", "turn_up": "turn-up", "play": "plays", "draw": "draws", "trick": "takes trick", "meld": "melds"}  # fmt: skip
    names = {"exchange": "exchange seven", "play": "seven played", "last_trick": "last trick"}

    def row(number: int, step: Step) -> list[Any]:
        who = "" if step.seat is None else ("Alice", "Bruno")[step.seat]
        return [1, number, who, kinds.get(step.kind, step.kind), " ".join(step.cards), names.get(step.name, step.name), step.points]  # fmt: skip

    return table_of(game, "game round player action cards what points", ",", row)


GERMAN_SUITS = {"S": "Pik", "H": "Herz", "D": "Karo", "C": "Kreuz"}
GERMAN_RANKS = {"A": "Ass", "K": "König", "Q": "Dame", "J": "Bube", "T": "Zehn", "9": "Neun", "8": "Acht", "7": "Sieben"}  # fmt: skip


def german_tabs(game: Game) -> str:
    kinds = {"deal": "gibt", "hand": "bekommt", "turn_up": "Trumpf", "play": "spielt", "draw": "zieht", "trick": "Stich", "meld": "meldet", "dix": "Tausch", "score": "schreibt", "end": "Ende"}  # fmt: skip
    names = {"marriage": "Marriage", "four_aces": "vier Asse", "four_kings": "vier Könige", "four_queens": "vier Damen", "four_jacks": "vier Buben", "double_bezique": "Doppel Bezique", "exchange": "tauscht", "last_trick": "letzter Stich", "brisques": "Brisquen", "play": "spielt sie", "turned_seven": "aufgeschlagen (turn)"}  # fmt: skip

    def row(number: int, step: Step) -> list[Any]:
        cards = ", ".join(f"{GERMAN_SUITS[c[1]]} {GERMAN_RANKS[c[0]]}" for c in step.cards)
        kind = "Sieben" if step.name == "play" else kinds[step.kind]
        who = "" if step.seat is None else ("Ida", "Otto")[step.seat]
        return [number, who, kind, cards, names.get(step.name, step.name), step.points]

    return table_of(game, "Runde Spieler Aktion Karten Was Punkte", "\t", row)


def json_events(game: Game) -> str:
    lines = [
        {"round": number, "type": step.kind, "seat": step.seat, "cards": step.cards, "name": step.name, "points": step.points}
        for number, deal in enumerate(game["deals"]) for step in steps_of(deal)
    ]  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


def json_objects(game: Game) -> str:
    """Cards as objects, keys of their own, and what is empty left out."""
    suits = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
    lines = []
    for deal in game["deals"]:
        for step in steps_of(deal):
            cards = [{"suit": suits[card[1]], "rank": ten(card[0])} for card in step.cards]
            line: Game = {"evt": step.kind.upper()}
            if step.seat is not None:
                line["actor"] = {"side": "EW"[step.seat]}
            if step.kind in ("hand", "meld"):
                line["cards"] = cards
            elif cards:
                line["card"] = cards[0]
            if step.points is not None:
                line["result"] = {"for": step.name, "points": step.points}
            lines.append(line)
    return "".join(json.dumps(line) + "\n" for line in lines)


def pipes(game: Game) -> str:
    """Suit signs in front, and no line that names the columns."""

    def row(number: int, step: Step) -> list[Any]:
        who = "?" if step.seat is None else "NS"[step.seat]
        cards = "+".join(SIGNS[card[1]] + ten(card[0]) for card in step.cards)
        return [f"D{number}", who, f"{step.kind} {step.name}".strip(), cards, step.points]

    return table_of(game, "", "|", row)


def pairs(game: Game) -> str:
    lines = []
    for number, deal in enumerate(game["deals"], start=1):
        for step in steps_of(deal):
            values = {"deal": number, "who": None if step.seat is None else f"p{step.seat + 1}", "do": step.kind, "card": ",".join(step.cards), "as": step.name, "pts": step.points}  # fmt: skip
            lines.append(" ".join(f"{name}={value}" for name, value in values.items() if value not in (None, "")))  # fmt: skip
    return "\n".join(lines) + "\n"


NUMBERED = [f"{rank}{suit}" for suit in "CDHS" for rank in "789JQKTA"]
"""The cards of a program that numbers them: another order than anybody would guess."""


def numbers(game: Game) -> str:
    def row(number: int, step: Step) -> list[Any]:
        cards = " ".join(str(NUMBERED.index(card)) for card in step.cards)
        who = "" if step.seat is None else ("anna", "bert")[step.seat]
        return [number, who, step.kind, cards, step.name, step.points]

    return table_of(game, "round player event cards detail points", ";", row)


FRENCH_SEVENS = {"exchange": "échange", "show": "montre", "play": "joue"}
FRENCH_SUITS = {"S": "pique", "H": "cœur", "D": "carreau", "C": "trèfle"}
FRENCH_RANKS = {"A": "as", "K": "roi", "Q": "dame", "J": "valet", "T": "dix", "9": "neuf", "8": "huit", "7": "sept"}  # fmt: skip


def french_sentences(game: Game) -> str:
    """Sentences, with remarks in brackets."""
    names = {"marriage": "un mariage", "four_aces": "quatre as", "four_kings": "quatre rois", "four_queens": "quatre dames", "four_jacks": "quatre valets", "bezique": "un bésigue", "double_bezique": "double bésigue", "sequence": "sequence"}  # fmt: skip
    lines = ["# une partie de bésigue"]
    for deal in game["deals"]:
        for step in steps_of(deal):
            who = "" if step.seat is None else ("Luc", "Zoé")[step.seat]
            cards = ", ".join(f"{FRENCH_RANKS[c[0]]} de {FRENCH_SUITS[c[1]]}" for c in step.cards)
            lines.append({
                "deal": f"{who} donne", "hand": f"{who} reçoit {cards}", "turn_up": f"{who} retourne {cards}",
                "play": f"{who} joue {cards}", "draw": f"{who} pioche {cards}", "trick": f"{who} ramasse le pli",
                "meld": f"{who} annonce {names.get(step.name)} ({cards}) pour {step.points}",
                "dix": f"{who} {FRENCH_SEVENS.get(step.name)} le sept pour {step.points}",
                "score": f"{who} marque {step.points} pour {'le dernier pli' if step.name == 'last_trick' else 'ses ' + step.name}",
                "end": "Fin de la donne",
            }[step.kind])  # fmt: skip
    return "\n".join(lines) + "\n"


def french_totals(game: Game) -> str:
    """French letters, and what each player has by now."""
    letters = {"K": "R", "Q": "D", "J": "V", "T": "10"}
    suits = {"S": "P", "H": "C", "D": "K", "C": "T"}
    totals: dict[tuple[int, int | None], int] = {}

    def row(number: int, step: Step) -> list[Any]:
        if step.points is not None:
            totals[number, step.seat] = totals.get((number, step.seat), 0) + step.points
        total = "" if step.points is None else totals[number, step.seat]
        cards = " ".join(letters.get(c[0], c[0]) + suits[c[1]] for c in step.cards)
        return [number, "" if step.seat is None else step.seat + 1, f"{step.kind} {step.name}".strip(), cards, total]  # fmt: skip

    return table_of(game, "donne joueur action cartes total", ";", row)


def a_trick_a_line(game: Game) -> str:
    """Hands and stock first, then a line a trick with what was shown after it."""
    lines: list[Game] = []
    for number, deal in enumerate(game["deals"]):
        stock = [event["card"] for event in deal["events"] if event["type"] == "draw"]
        stock = stock[:-1] if "turn_up" in deal else stock
        lines.append({"what": "deal", "round": number, "dealer": "ab"[deal["dealer"]], "hands": {"a": deal["hands"][0], "b": deal["hands"][1]}, "trumpCard": deal.get("turn_up"), "stock": stock})  # fmt: skip
        for event in deal["events"]:
            if event["type"] == "play" and len(lines[-1].get("cards", "12")) > 1:
                lines.append({"what": "trick", "round": number, "leader": "ab"[event["seat"]], "cards": [event["card"]], "melds": []})  # fmt: skip
            elif event["type"] == "play":
                lines[-1]["cards"].append(event["card"])
            elif event["type"] == "trick":
                lines[-1]["winner"] = "ab"[event["winner"]]
            elif event["type"] in ("meld", "dix"):
                name = event.get("meld") or f"seven {event['action']}"
                lines[-1]["melds"].append({"name": name, "cards": event.get("cards", []), "worth": event["points"]})  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


class Invented(NamedTuple):
    """A format, how it is written, and what a reader answers to the questions of its draft: a line by its name."""

    write: Callable[[Game], str]
    answers: Mapping[str, str] = {}
    kinds: tuple[str, ...] = ("play", "draw", "meld", "dix", "score")


INVENTED = {
    "english table": Invented(english_table),
    "german tabs": Invented(german_tabs),
    "json events": Invented(json_events),
    "json objects": Invented(json_objects),
    "pipes": Invented(pipes),
    "pairs": Invented(pairs),
    "numbers": Invented(numbers, {"names": f"names = {json.dumps(NUMBERED)}"}),
    "french sentences": Invented(french_sentences),
    "french totals": Invented(french_totals),
    "a trick a line": Invented(a_trick_a_line, kinds=("play", "meld", "dix")),
}
