"""The fields of a rule sheet, read back from its published rules."""

from typing import Any

LETTERS = {"trumps": "t", "plain": "p", "any": "x", "bezique": "b", "same": "m"}
ANY_NUMBER = 99


def rule_sheet_fields(rules: dict[str, Any]) -> dict[str, Any]:
    """As `dataclasses.asdict` gives them, with words for the members of enumerations."""
    suits = rules["pack"]["copies"]
    copies = min(suits.values())
    return {
        "players": tuple(rules["players"]),
        "partners": _partners(rules["partners"]),
        "pack": {
            "ranks": "".join(rules["pack"]["ranks"]),
            "copies": copies,
            "doubled_suits": "".join(suit for suit in suits if suits[suit] > copies),
            "runs": "".join(rules["pack"]["row"] or []),
        },
        "hand": {int(players): cards for players, cards in rules["hand"].items()},
        "trumps": _trumps(rules["trumps"]),
        "dix": rules["dix"],
        "carte_blanche": _carte_blanche(rules["carte_blanche"]),
        "cut": rules["cut"],
        "tableau": _tableau(rules["tableau"]),
        "phases": tuple(
            {
                "name": phase["name"],
                "steps": tuple(phase["steps"]),
                "follow": phase["follow"],
                "melds": ANY_NUMBER if phase["melds"] is None else phase["melds"],
                "until": phase["until"],
            }
            for phase in rules["phases"]
        ),
        "melds": tuple(
            {
                "name": meld["name"],
                "words": meld["words"],
                "cards": _pattern(meld["cards"]),
                "points": meld["points"],
                "kind": meld["kind"],
                "family": meld["class"],
                "level": meld["level"],
            }
            for meld in rules["melds"]
        ),
        "melds_from": rules["play"].get("melds_from", "held"),
        "bezique_cards": _bezique_cards(rules["bezique_cards"]),
        "pending": "yes" if rules["pending"] else "no",
        "bonuses": tuple(
            {
                "name": bonus["name"],
                "when": bonus["tricks"],
                "to": bonus["to"],
                "points": bonus["points"],
            }
            for bonus in rules["bonuses"]
        ),
        "brisques": _brisques(rules["brisques"]),
    }


def _partners(partnerships: list[dict[str, int]]) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {}
    for each in partnerships:
        found[each["players"]] = (*found.get(each["players"], ()), each["side"])
    return found


def _trumps(trumps: dict[str, Any]) -> dict[str, Any]:
    match trumps["by"]:
        case "turn_up":
            return {"dealer_seven": trumps["dealer_seven"]}
        case "first_meld":
            return {"kinds": tuple(trumps["melds"]), "by": trumps["when"]}
    return {}


def _carte_blanche(rule: dict[str, Any] | None) -> dict[str, Any] | None:
    return rule and {
        "points": rule["points"],
        "courts": "".join(rule["courts"]),
        "before_first_lead": rule["first"] == "before_first_lead",
    }


def _tableau(rule: dict[str, Any] | None) -> dict[str, Any] | None:
    return rule and {
        "full": rule["full"],
        "zetemas": rule["zetemas"],
        "draw_up_to": {int(players): cards for players, cards in rule["draw_up_to"].items()},
        "marriage_hand_cards": rule["marriage_hand_cards"],
        "imperial_points": rule["doubled_suit_points"],
        "imperial_below": rule["doubled_suit_below"],
        "chain": rule["chain"],
    }


def _pattern(cards: dict[str, Any]) -> str:
    if cards["form"] == "shape":
        words = ["run"] * cards["in_a_row"] + ["suit"] * cards["one_suit"]
        return " ".join([str(cards["size"]), *words])
    texts = []
    for card in cards["cards"]:
        ranks = "".join(card["ranks"])
        letter = LETTERS.get(card["suit"], card["suit"])
        texts.append((f"[{ranks}]" if len(ranks) > 1 else ranks) + letter)
    numbered = cards["repeat"] > 1 or "m" in {text[-1] for text in texts}
    return " ".join(texts) if not numbered else f"{cards['repeat']} * {' '.join(texts)}"


def _bezique_cards(cards: dict[str, list[str]] | None) -> str:
    by_trump = cards is not None and cards["S"] != cards["none"]
    return "by_trump" if by_trump else "fixed"


def _brisques(brisques: dict[str, Any] | None) -> dict[str, Any]:
    if brisques is None:
        return {"ranks": "", "points": 0, "count": "never"}
    return brisques | {"ranks": "".join(brisques["ranks"])}
