"""The codes of what keeps a text from being read as a record: stable, documented, never reused."""

from records.validate.codes.code import FindingCode, make_codes

_OF_THE_FILE = make_codes(
    "unreadable",
    (
        "empty-file", "", "There is nothing to read",
        "There is nothing to read.",
        "The file or the text is empty or has only white space.",
    ),
    (
        "not-utf8", "", "The text is not UTF-8",
        "The text is not UTF-8: {clause}.",
        "A record is JSON in UTF-8. Either a byte is not valid in UTF-8, or an escape such as \\ud800 stands"
        " for half of a character, which UTF-8 cannot write.",
        {
            "byte": "byte {byte} is not valid",
            "utf-16": "it is UTF-16",
            "surrogate": "it has half of a character (a lone surrogate)",
        },
    ),
    (
        "not-json", "", "The text is not JSON",
        "This is not JSON: {clause}.",
        "The text breaks the syntax of JSON at the place named, so nothing after that place can be read. NaN"
        " and Infinity are not JSON either.",
        {
            "more-text": "the record ends, but more text follows at {where}; a file of several records has one"
            " record per line and is named .jsonl",
            "cut-off": "the text breaks off at {where}, in the middle of the record",
            "syntax": "{problem} at {where}",
            "constant": "{found} is not a JSON number",
        },
    ),
    (
        "not-notation", "", "The text breaks the grammar of the notation",
        "Line {line}, column {column}: expected {wanted}, found {there}.",
        "The text begins as a record in the notation does, and this line of it cannot be read. Reading goes on with"
        " the next line, so that the mistakes of all lines are found; the grammar is in the specification.",
    ),
    (
        "record-too-large", "", "The record is larger than 8 MiB",
        "The record has more than {limit} bytes and was not read.",
        "A line or a file of more than 8 MiB is skipped. Split a match of that size into several records.",
    ),
    (
        "too-deep", "", "Lists and objects are nested too deeply",
        "Lists and objects are nested more than {limit} levels deep {where}.",
        "A record may nest 32 levels, itself included. Only `ext` and `meta` can come near that.",
    ),
    (
        "too-many-errors", "", "There are more errors than are listed",
        "There are more than {limit} errors; the others are not listed.",
        "At most a thousand errors of one record are listed.",
    ),
    (
        "damaged-compression", "", "The compressed file is damaged, cut off or a ZIP archive",
        "The compressed file is {clause}.",
        "The gzip or zstd stream cannot be expanded beyond this point. Everything before it was read. Nothing of a"
        " ZIP archive is read.",
        {
            "damaged": "damaged here: {error}",
            "cut-off": "cut off here",
            "zip": "a ZIP archive, which is not read: take the records out of it, or compress them with gzip or zstd",
        },
    ),
    (
        "expands-too-far", "", "The compressed file expands too far",
        "The compressed file expands to more than {limit} bytes; the rest was not read.",
        "Reading stops when a compressed file has expanded to 200 times its size and one MiB, or to 2 GiB. Everything"
        " before that was read. Records shrink to a twentieth, so only a file made for the purpose expands so far.",
    ),
)  # fmt: skip

_OF_THE_HEADER = make_codes(
    "unreadable",
    (
        "wrong-format", "", "This is not a bezique-record",
        "This is not a bezique-record: {clause}.",
        "The member `format` must be the text \"bezique-record\". Without it nothing else is read.",
        {"missing": "it has no member `format`", "other": "its `format` is {found}"},
    ),
    (
        "missing-version", "", "The record does not give its version",
        "The record lacks the member `version`.",
        "The member `version` is required; write \"1.0\".",
    ),
    (
        "unsupported-version", "", "This version cannot be read",
        "Version {found} cannot be read here; version {major} can, such as \"{expected}\".",
        "The version is a text such as \"1.0\". The major number before the dot must be 1: a new major"
        " number may change what members mean.",
    ),
    (
        "too-few-players", "", "Fewer than two players",
        "`{member}` has {entries}; it needs {limit}.",
        "A record names every seat: two to six players.",
    ),
    (
        "too-many-players", "", "More than six players",
        "`{member}` has {entries}; it may have {limit}.",
        "A record names every seat: two to six players.",
    ),
    (
        "name-too-long", "", "A name of more than 200 characters",
        "The name has {found} characters; it may have {expected}.",
        "A player's name has at most 200 characters (Unicode code points).",
    ),
    (
        "bad-sides", "", "The seats cannot form these sides",
        "{players} players cannot form these sides; partners sit alternately.",
        "Either every player plays alone, in the order of the seats (or `sides` is left out), or partners sit"
        " alternately: [[0,2],[1,3]], [[0,2,4],[1,3,5]], [[0,3],[1,4],[2,5]].",
    ),
    (
        "bad-time", "", "The start is not an RFC 3339 time",
        "{found} is not a date and time with a time zone.",
        "`meta.started` is a text with date, time and zone, such as 2026-11-20T19:30:00Z.",
    ),
)  # fmt: skip

_OF_A_MEMBER = make_codes(
    "unreadable",
    (
        "duplicate-member", "", "A member appears twice in one object",
        "{found} appears twice in one object.",
        "JSON readers disagree on which of two members of the same name counts, so neither does.",
    ),
    (
        "missing-member", "", "A required member is missing",
        "{object} lacks the member `{expected}`.",
        "The object lacks a member that the format requires.",
    ),
    (
        "unknown-member", "", "A member that the format does not know",
        "{object} cannot have a member {found}.",
        "It is probably misspelt. What a program adds of its own goes into `ext`. In lenient reading, and in a"
        " record of a newer minor version, this is a warning and the member is not read.",
    ),
    (
        "wrong-type", "", "A value of the wrong type",
        "{subject} should be {type}, not {actual}.",
        "For example, a text stands where a number belongs, or a number where a list belongs.",
    ),
    (
        "not-an-integer", "", "A number that is not a whole number",
        "{found} is not written as a whole number.",
        "Every number of the format is an integer, written without fraction or exponent: 10, not 10.0 or"
        " 1e1. Only `ext` and `meta` may hold others.",
    ),
    (
        "out-of-range", "", "A number out of range",
        "{number} is out of range: {clause}.",
        "A seat that the record does not have, a negative count or time, or an integer beyond 64 bits.",
        {
            "seat": "the record has {players} players, in seats {expected}",
            "side": "the record has {sides} sides, numbered {expected}",
            "member": "`{member}` can be {expected}",
            "size": "a number has at most 64 bits",
        },
    ),
    (
        "unknown-value", "", "A word that the format does not know here",
        "{found} is not a valid `{member}`.",
        "The member takes one of a few words, and this is not one of them.",
    ),
    (
        "wrong-count", "", "A list of the wrong length",
        "`{member}` has {entries}; it needs {expected}, one for each {each}.",
        "The list needs one entry for each side or each seat.",
    ),
    (
        "list-too-long", "", "A list with too many entries",
        "`{member}` has {entries}; it may have {limit}.",
        "A record has at most 1,000 lines and 10,000 notes, and any other list without a limit of its own at most"
        " 512 entries: more than the cards of the largest pack.",
    ),
    (
        "bad-extension-key", "", "An extension without a reverse domain",
        "{found} is not a reverse domain.",
        "The members of `ext` are named by reverse domain, such as org.example.table, so that the names of two"
        " programs never clash.",
    ),
)  # fmt: skip

_OF_A_DEAL = make_codes(
    "unreadable",
    (
        "too-many-deals", "", "More than 1,000 deals",
        "`{member}` has {entries}; it may have {limit}.",
        "A record has at most 1,000 deals.",
    ),
    (
        "too-many-events", "", "More than 5,000 events",
        "`{member}` has {entries}; it may have {limit}.",
        "A deal or a line has at most 5,000 events, and all lines together at most 20,000.",
    ),
    (
        "two-starts", "", "A deal starts both afresh and in the middle",
        "The deal has both a `setup` and a `{member}`; it can start in only one way.",
        "A deal is either dealt (`hands`, `turn_up`) or set up in the middle (`setup`), not both.",
    ),
    (
        "bad-card", "", "A text that is not a card",
        "{found} is not a card.",
        "A card is a rank (A T K Q J 9 8 7, in Zetema down to 2) and a suit (S H D C), in that order and in"
        " capitals, with a label (QS.1) where copies are told apart and ? for what is unknown. 10S is read"
        " as TS.",
    ),
    (
        "mixed-labels", "", "Some cards have a label and others do not",
        "{clause}, but other cards of the record do.",
        "A record that labels any copy must label every card that has a duplicate, everywhere: in hands, stock,"
        " events and lines. Unseen cards have no label.",
        {
            "one": "{found} does not have a label",
            "several": "{found} and {others} here do not have a label",
        },
    ),
    (
        "unknown-event-type", "", "An event type that the format does not know",
        "{found} is not a type of event.",
        "The `type` of an event is one of those in the specification.",
    ),
    (
        "unknown-meld", "", "A meld name that the format does not know",
        "{found} is not a valid `{member}`.",
        "Melds have fixed names, such as marriage or four_aces. Whether a marriage is royal or common follows"
        " from its cards.",
    ),
    (
        "bad-anchor", "", "A note or a line that points nowhere",
        "{clause}.",
        "`at` is [deal] or [deal, event], counted from 0, and must point to a deal or an event of the record."
        " A line starts at an event or just after the last one.",
        {
            "deal": "Deal {deal} does not exist; the record has {deals}",
            "event": "Event {event} does not exist; deal {deal} has {events}",
            "line": "A line starts at an event, so its `at` is [deal, event]",
            "length": "`{member}` has {entries}; it needs [deal] or [deal, event]",
        },
    ),
)  # fmt: skip

_REMARKS = make_codes(
    "note",
    (
        "newer-minor", "", "The record has a newer minor version",
        "The record has version {found}; it is read as version {expected}, which may not know all of it.",
        "Minor versions only add to the format. The record is read as far as this version knows it; members"
        " that it does not know get a warning.",
    ),
    (
        "byte-order-mark", "", "The text starts with a byte order mark",
        "The text starts with a byte order mark, which is skipped.",
        "UTF-8 needs no byte order mark and JSON does not allow one, so it is skipped.",
    ),
)  # fmt: skip

DECODING_CODES: dict[str, FindingCode] = {
    **_OF_THE_FILE, **_OF_THE_HEADER, **_OF_A_MEMBER, **_OF_A_DEAL, **_REMARKS
}  # fmt: skip
