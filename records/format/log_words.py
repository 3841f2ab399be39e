"""What the words of a log may mean: kinds of events, columns, melds and scores in English, French and German."""

import re
from collections.abc import Sequence

from records.events import MELD_NAMES
from records.format.typed_actions import action_at

# What the words of a log may mean.

_KINDS: Sequence[tuple[str, str]] = (
    ("carte_blanche", r"carte blanche"),
    ("score", r"(?:scor|marque|schreibt|bonus).*(?:turn|\blast|dernier|letzt|brisque)"),
    ("dix", r"\bdix\b|seven|\bsept\b|sieben|\b7\b|exchang|tausch|[eé]chang|swap"),
    ("nothing", r"chat|says|\bdit\b|sagt|comment|hello|pause|sighs|login|logout"),
    ("score", r"bonus|last trick|dernier|letzte|brisque|scor|marque|schreibt"),
    ("result", r"\bend|final|result|\bover\b|\bfin\b|\bende\b"),
    ("meld", r"meld|declar|annonc|marriage|mariage|b[eé]zique|sequence|\bshow|\bcombo|\bzeigt"),
    (
        "trick",
        r"trick|\btakes?\b|\bwins?\b|\bwon\b|\bpli\b|stich|lev[eé]e|ramasse|gewinnt|remporte",
    ),
    ("turn_up", r"turn|trump|retourne|atout|trumpf|upcard|aufgedeckt"),
    ("hand", r"\bhand|\bmain\b|blatt|dealt|receive|\bgets\b|bekommt|re[cç]oit"),
    ("deal", r"\bdeal|donne|\bgeber|\bgibt\b|shuffle|new[ _]?(?:round|hand)|neue"),
    ("draw", r"draw|\bpick|pioche|zieht|zieh|\btire\b|stock|talon|nimmt"),
    ("play", r"play|lead|follow|joue|spiel|pose\b|legt|card|karte|\bcarte"),
)
"""By kind of event, words that name it in English, French and German; of several the first counts."""
_HINTS = {
    "seat": r"^(?:who|player|seat|by|actor|p|spieler|wer|joueur|qui|gracz|user|side|from|s)$|player|spieler|joueur|seat|leader",
    "winner": r"winner|wins|taker|gewinner|gagnant|takes|won",
    "dealer": r"dealer|geber|donneur",
    "points": r"^(?:p|pts?|points?|score|punkte|value|worth|total|sum|stand|marque)$|points|punkte|total|score",
    "total": r"total|sum|stand|cumul|running|score",
    "game": r"game|match|partie|table|^id$|tisch|session",
    "deal": r"^deal|round|donne|runde|manche|giro|hand_?(?:no|nr|number)|^hand$",
    "turn_up": r"^up|turn|trump|retourne|atout|trumpf",
    "stock": r"stock|talon|deck|pioche",
}
"""By what a column may be, names that columns of that kind have."""
_SCORES = (
    ("last_trick", r"last|dernier|letzt"), ("brisques", r"brisque|aces|asse|\bas\b"), ("turned_seven", r"turn|retourn"),
    ("tenth_trick", r"tenth|dixi"),
)  # fmt: skip
_DIX = (
    ("exchange", r"exch|tausch|chang|swap"),
    ("show", r"show|zeig|montre"),
    ("play", r"play|jou|spiel|leg"),
)


NOBODY_WORDS = {"?", "-", ".", "*"}


def kind_of(words: str) -> str | None:
    """The kind of event that some words name; None if they name none."""
    said = words.lower().replace("_", " ")
    return next((kind for kind, pattern in _KINDS if re.search(pattern, said)), None)


def _word_among(words: str, names: Sequence[tuple[str, str]]) -> str | None:
    return next((name for name, pattern in names if re.search(pattern, words.lower())), None)


def name_in(words: str, kind: str) -> str | None:
    """What a meld, a dix or a score is called in the format, if these words say it."""
    if kind == "meld":
        return meld_in(words, whole=True)
    if kind == "dix":
        found = _word_among(words, _DIX)
        return found or ("show" if kind_of(words) == "dix" else None)
    return _word_among(words, _SCORES)


_SMALL_WORDS = r"\b(?:an?|the|un|une|ein|eine|royal|trump|common|plain|in|of|de|trumps|melds?|meldet|annonce|declares?|declared)\b"


def meld_in(words: str, *, whole: bool = False) -> str | None:
    """The meld that some words name, wherever it stands in them, or if it is all that they say but for small words."""
    said = words.lower().replace("_", " ")
    found = []
    for start in re.finditer(r"(?<![^\W_])(?=\w)", said):
        named = action_at(said, start.start())
        if named is not None and named[0] in MELD_NAMES:
            rest = said[: start.start()] + said[named[1] :]
            is_all = not re.search(r"[^\W\d_]", re.sub(_SMALL_WORDS, "", rest))
            found.append((named[1] - start.start(), named[0], is_all))
    best = max(found, default=None)
    return None if best is None or (whole and not best[2]) else best[1]


def fits_hint(path: str, what: str) -> bool:
    """Whether a column is called what columns of this kind are called."""
    return re.search(_HINTS[what], path.rsplit(".", 1)[-1].lower()) is not None
