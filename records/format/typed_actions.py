"""What people write that a seat does: the words for melds, sevens, plays, points, scores and the numbers of tricks."""

import re
from collections.abc import Mapping

from records.events import MELD_NAMES

_MARRIAGE = r"(?:marriage|marr?(?:\.|(?![^\W_]))|mariage|mariaż|mariáž)"
_BEZIQUE = r"(?:bezique|b[eé]sigue|besique|bezigue|bezik|bez(?:\.|(?![^\W_])))"
_FOUR = r"(?:four|4|vier|quatre)"
_OF_ONE_RANK = {
    "aces": r"(?:aces?|asse|as|a)", "tens": r"(?:tens?|10s?|zehnen|zehner|dix|t)", "kings": r"(?:kings?|könige|rois|k)",
    "queens": r"(?:queens?|damen|dames|q)", "jacks": r"(?:jacks?|buben|valets|j)",
}  # fmt: skip
_SYNONYMS = {"marriage": _MARRIAGE, "bezique": _BEZIQUE, "double": r"(?:double|dbl\.?|doppel)", "sequence": r"(?:sequence|seq(?:\.|(?![^\W_])))"}  # fmt: skip


def _words_of(name: str) -> str:
    """A pattern for what a meld is called."""
    first, *rest = name.split("_")
    if first == "four":
        return r"[\s_-]*".join([_FOUR, *rest[:-1], _OF_ONE_RANK[rest[-1]]])
    return r"[\s_-]*".join(_SYNONYMS.get(word, word) for word in (first, *rest))


_ACTION_WORDS: Mapping[str, str] = {
    **{_words_of(name): name for name in (*MELD_NAMES, "carte_blanche")},
    r"takes?(?:\s+(?:the\s+trick|it))?": "takes", r"wins?(?:\s+(?:the\s+trick|it))?": "takes",
    "declares?": "declare", "dix": "dix", "cuts?": "cut", "scores?": "score", "irregular": "irregular",
}  # fmt: skip
_ACTIONS = [
    (re.compile(rf"(?:{words})(?:s(?=[\s(]))?(?![^\W_])", re.IGNORECASE), name)
    for words, name in sorted(_ACTION_WORDS.items(), key=lambda item: -len(item[1]))
]
_ARTICLE = r"(?:(?:the|der|die|das|den|le|la|an?)\s+|l['’])"
ARTICLES = re.compile(r"(?:(?:the|der|die|das|den|le|la)\s+|l['’])(?=\S)", re.IGNORECASE)
"""An article before a card; a lone A is a seat."""
PLAYS = re.compile(
    rf"(?:(?:plays?|played|leads?|led|follows?|followed|answers?|answered|replies|throws?|threw|trumps?|ruffs?|spielt|joue)(?:\s+with)?)\s+{_ARTICLE}?",
    re.IGNORECASE,
)
WINS_WITH = re.compile(rf"(?:takes|wins|took|won)\s+with\s+{_ARTICLE}?", re.IGNORECASE)
DRAWS = re.compile(rf"(?:draws?|drew)\s+{_ARTICLE}?", re.IGNORECASE)
DISCARDS = re.compile(rf"discards?\s+{_ARTICLE}?", re.IGNORECASE)
_KIND_OF_MARRIAGE = r"(?P<kind>royal|trump|common|plain)\s+"
MELDS = re.compile(
    r"(?:melds?|melded|announces?|announced|scores?|scored|makes?|made|marks?|marked|meldet|annonce"
    rf"|(?P<open>declares|declared|shows?|showed))\s+(?:an?\s+|the\s+)?(?=(?:{_KIND_OF_MARRIAGE})?\w)",
    re.IGNORECASE,
)
MARRIAGES_OF_A_KIND = re.compile(rf"{_KIND_OF_MARRIAGE}(?={_MARRIAGE})", re.IGNORECASE)
MARRIAGES = re.compile(_MARRIAGE, re.IGNORECASE)
_SEVEN = r"(?:dix|seven|7|sieben|sept)(?:\s+of\s+[^\W\d_]+|[shdc♠♥♦♣])?(?![^\W_])"
_TURNED = r"(?:the\s+)?(?:turn[- _]?up|trump(?:\s+card)?|(?:10|[akqjt7-9])[shdc♠♥♦♣])(?![^\W_])"
DIX_IN_WORDS = re.compile(
    rf"(?:(?P<exchange>exch(?:ange[sd]?)?\.?|swap(?:s|ped)?)(?:\s+(?:the\s+|a\s+)?{_SEVEN}(?:\s+(?:for|against)\s+{_TURNED})?|\s*(?=[,;.]|\Z))"
    rf"|takes\s+{_TURNED}\s+(?:for|with)\s+(?:the\s+)?(?P<taken>{_SEVEN})"
    rf"|(?P<show>shows?|showed)\s+(?:the\s+|a\s+)?{_SEVEN}(?:\s+for\s+{_TURNED})?)",
    re.IGNORECASE,
)
FEW_DIGITS = r"\d{1,5}"
SCORE = (
    rf"(?:\s*\|\s*{FEW_DIGITS}(?:\s*[-:/|]\s*|\s+){FEW_DIGITS}|\s+(?:[\[(]\s*)?{FEW_DIGITS}\s*[-:/|]\s*{FEW_DIGITS}(?:\s*[\])])?"
    rf"|\s+{FEW_DIGITS}\s+{FEW_DIGITS}|\s+[a-f]\s*[:=]\s*{FEW_DIGITS},?\s+[a-f]\s*[:=]\s*{FEW_DIGITS})"
)
_MARKED_SCORE = rf"\s*[\[(]\s*{FEW_DIGITS}\s*[\])]"
LINE_END = r"\s*+[|.]?+\s*+(?:\Z|;|//|--(?=\s)|(?<=\s)#|\{)"
"""The end of a line, or the comment behind it."""
SCORES = re.compile(rf"(?:{SCORE}+|{_MARKED_SCORE})(?={LINE_END})", re.IGNORECASE)
POINTS = re.compile(
    r"\s*=\s*(?P<equals>-?\d+)|\s+(?:for\s+)?(?P<points>\d+)\s*(?:points?|pts?\.?|p\.?)(?!\w)"
    rf"|\s*\(\s*(?P<brackets>\d+)\s*\)|\s*\+\s*(?P<plus>\d+)(?![^\W_])|\s*[:,]\s*(?P<sign>\d{{2,4}})(?={LINE_END})"
    rf"|\s+(?P<bare>\d{{2,4}})(?={SCORE}*{LINE_END}|\s*,)",
    re.IGNORECASE,
)
DIX = re.compile(
    r"\s*(?:\(\s*)?(?:(?P<exchange>exch(?:ange[sd]?)?\.?|swap(?:s|ped)?)|(?P<show>show[ns]?|showed)|(?P<play>play(?:s|ed)?))(?![^\W_])",
    re.IGNORECASE,
)  # fmt: skip
DIX_ACTIONS = ("exchange", "show", "play")
_NUMBER_SIGN = r"(?:no\.?|nr\.?|n°|№)\s*"
TRICK_NUMBERS = re.compile(
    rf"(?:(?P<word>(?:trick|stich|pli|lev[ée]e|lewa|zdvih)\s*(?:{_NUMBER_SIGN})?|{_NUMBER_SIGN}|t(?=\d)|\()\s*)?"
    r"(\d{1,3})(?P<th>st|nd|rd|th)?\s*(\.\)|[.):/]|-(?=\s|[a-f]\s*:))?(?=\s|(?<=[.):/-]))\s*(?:\|\s*)?",
    re.IGNORECASE,
)
BULLETS = re.compile(r"\s*(?:\|\s*|[-*•]\s+)(?=\S)")


def action_at(text: str, at: int) -> tuple[str, int] | None:
    """The name of what is done there, and where it ends."""
    for pattern, name in _ACTIONS:
        if (found := pattern.match(text, at)) is not None:
            return name, found.end()
    return None
