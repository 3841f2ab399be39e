"""The codes of what keeps a text from being read as a record: stable, documented, never reused."""

from records.validate.codes.code import FindingCode, Severity


def _codes(severity: Severity, *rows: tuple[str, str, str]) -> dict[str, FindingCode]:
    return {
        code: FindingCode(code=code, severity=severity, title=title, meaning=meaning)
        for code, title, meaning in rows
    }


_OF_THE_FILE = _codes(
    "unreadable",
    (
        "empty-file", "There is nothing to read",
        "The file, or the text given, is empty or holds only blank space.",
    ),
    (
        "not-utf8", "The text is not UTF-8",
        "A record is JSON in UTF-8. Either a byte is none, or an escape such as \\ud800 names half of a"
        " character, which UTF-8 cannot write.",
    ),
    (
        "not-json", "The text is not JSON",
        "The syntax of JSON is broken at the place named, so nothing after it can be read. NaN and"
        " Infinity are no JSON either.",
    ),
    (
        "record-too-large", "The record is larger than 8 MiB",
        "A line or a file of more than 8 MiB is skipped unread. A match of that size is several records.",
    ),
    (
        "too-deep", "Lists and objects are nested too deeply",
        "A record may nest 32 levels, the record itself counted. Only `ext` and `meta` can come near.",
    ),
    (
        "too-many-errors", "There are more errors than are listed",
        "After a thousand errors in one record the rest is not listed.",
    ),
    (
        "damaged-compression", "The compressed file is damaged or cut off",
        "The gzip or zstd stream cannot be expanded beyond this point. What came before was read.",
    ),
    (
        "expands-too-far", "The compressed file expands beyond 2 GiB",
        "Reading stops where a compressed file has yielded 2 GiB. What came before was read.",
    ),
)  # fmt: skip

_OF_THE_HEADER = _codes(
    "unreadable",
    (
        "wrong-format", "This is not a bezique-record",
        "The member `format` must be the text \"bezique-record\". Nothing else is read without it.",
    ),
    (
        "missing-version", "The record does not say its version",
        "The member `version` is required; write \"1.0\".",
    ),
    (
        "unsupported-version", "A version that cannot be read",
        "The version is a text such as \"1.0\". The major number before the dot must be 1: a new major"
        " number may change what members mean.",
    ),
    (
        "too-few-players", "Fewer than two players",
        "A record names every seat: two to six players.",
    ),
    (
        "too-many-players", "More than six players",
        "A record names every seat: two to six players.",
    ),
    (
        "name-too-long", "A name of more than 200 characters",
        "A player's name has at most 200 characters (Unicode code points).",
    ),
    (
        "bad-sides", "Sides that the seats cannot form",
        "Every player for himself, in the order of the seats (or `sides` left out), or partners who sit"
        " alternately: [[0,2],[1,3]], [[0,2,4],[1,3,5]], [[0,3],[1,4],[2,5]].",
    ),
    (
        "bad-time", "The start is not an RFC 3339 time",
        "`meta.started` is a text with date, time and zone, such as 2026-11-20T19:30:00Z.",
    ),
)  # fmt: skip

_OF_A_MEMBER = _codes(
    "unreadable",
    (
        "duplicate-member", "A member stands twice in one object",
        "JSON readers differ on which of two like-named members counts, so neither does.",
    ),
    (
        "missing-member", "A required member is missing",
        "The object lacks a member without which it means nothing.",
    ),
    (
        "unknown-member", "A member that the format does not know",
        "Probably misspelt. What a program adds of its own goes into `ext`. In lenient reading, and in a"
        " record of a newer minor version, this is a warning and the member is not read.",
    ),
    (
        "wrong-type", "A value of the wrong kind",
        "A text stands where a number belongs, a number where a list belongs, or the like.",
    ),
    (
        "not-an-integer", "A number that is not whole",
        "Every number of the format is an integer, written without fraction or exponent: 10, not 10.0 or"
        " 1e1. Only `ext` and `meta` may hold others.",
    ),
    (
        "out-of-range", "A number outside its range",
        "A seat that the record has not, a negative count or time, or an integer beyond 64 bits.",
    ),
    (
        "unknown-value", "A word that the format does not know there",
        "The member takes one of a few words, and this is none of them.",
    ),
    (
        "wrong-count", "A list of the wrong length",
        "The list has one entry for each side or each seat, and here it has more or fewer.",
    ),
    (
        "bad-extension-key", "An extension without a reverse domain",
        "The members of `ext` are named by reverse domain, such as org.example.table, so that two"
        " programs cannot collide.",
    ),
)  # fmt: skip

_OF_A_DEAL = _codes(
    "unreadable",
    (
        "too-many-deals", "More than 1,000 deals",
        "A record holds at most 1,000 deals.",
    ),
    (
        "too-many-events", "More than 5,000 events",
        "A deal, or a line, holds at most 5,000 events.",
    ),
    (
        "two-starts", "A deal starts both fresh and in the middle",
        "A deal is either dealt (`hands`, `turn_up`) or set up in mid-deal (`setup`), not both.",
    ),
    (
        "bad-card", "A text that is not a card",
        "A card is a rank (A T K Q J 9 8 7, in Zetema down to 2) and a suit (S H D C), in that order and in"
        " capitals, with a label (QS.1) where copies are told apart and ? for what is unknown. 10S is read"
        " as TS.",
    ),
    (
        "mixed-labels", "Some cards carry a label and others do not",
        "A record that labels any copy labels every card that has a duplicate, everywhere: in hands, stock,"
        " events and lines. Unseen cards carry none.",
    ),
    (
        "unknown-event-type", "An event type that the format does not know",
        "The `type` of an event is one of those that the specification lists.",
    ),
    (
        "unknown-meld", "A meld name that the format does not know",
        "Melds have fixed names, such as marriage or four_aces; whether one is royal or common is computed"
        " from its cards.",
    ),
    (
        "bad-anchor", "A note or line that points nowhere",
        "`at` is [deal] or [deal, event], counted from 0, and names what the record has. A line names an"
        " event; one past the last event is its end.",
    ),
)  # fmt: skip

_REMARKS = _codes(
    "note",
    (
        "newer-minor", "The record is of a newer minor version",
        "Minor versions only add. The record is read as far as this version knows it; members it does not"
        " know are warnings.",
    ),
    (
        "byte-order-mark", "The text starts with a byte order mark",
        "UTF-8 needs no byte order mark and JSON allows none; it is skipped.",
    ),
)  # fmt: skip

DECODING_CODES: dict[str, FindingCode] = {
    **_OF_THE_FILE, **_OF_THE_HEADER, **_OF_A_MEMBER, **_OF_A_DEAL, **_REMARKS
}  # fmt: skip
