"""Errors in what a program believes its rulebook to say: fields of the sheet with other values."""

from records.rules.vocabulary import (
    BrisqueCount,
    GameEnd,
    LeavesBy,
    To,
    When,
    Window,
)
from tests.records.conformance.planted.planting import Planted, field, wrong_points

M, B, R, Z = "marjolet", "bezique", "rubicon-bezique", "zique"

POINTS: list[Planted] = [
    *wrong_points(M, {
        "four aces": 80, "four tens": 100, "four kings": 80, "four queens": 60, "trump marriage": 20,
        "common marriage": 40, "marjolet with the trump queen": 20, "marjolet with another queen": 40,
    }),
    *wrong_points(B, {
        "four aces": 80, "four kings": 60, "four queens": 80, "four jacks": 60, "royal marriage": 20,
        "common marriage": 40, "trump sequence": 150, "bezique": 50, "double bezique": 400,
    }),
    *wrong_points(R, {
        "four aces": 80, "four kings": 60, "four queens": 80, "four jacks": 60, "trump marriage": 20,
        "common marriage": 40, "trump sequence": 150, "plain sequence": 250, "bezique": 50,
        "double bezique": 350, "triple bezique": 1000, "quadruple bezique": 3000,
    }),
    *wrong_points(Z, {
        "four aces": 80, "four kings": 60, "four queens": 80, "four jacks": 60, "royal marriage": 20,
        "common marriage": 40, "zique": 40, "royal zique": 500, "royal sequence": 150,
        "common sequence": 250,
    }),
]  # fmt: skip

Row = tuple[str, str, str, str, object]

MELDS_AND_CLOSE: dict[str, list[Row]] = {
    M: [
        ("one-meld", "who melds", "One meld scores after a trick.", "stock.melds", 1),
        ("melds-after-close", "who melds", "Melds score after the close.", "close.melds", None),
        ("kinds", "reuse", "The rule of reuse is that of Bezique with enhanced rules.", "reuse.law", "R-KIND"),
    ],
    B: [
        ("melds-after-close", "who melds", "Melds score after the close.", "close.melds", 1),
        ("sequence-then-marriage", "reuse", "King and queen of a sequence may still marry.",
         "reuse.sequence_then_marriage", True),
        ("singles-then-double", "reuse", "Two beziques scored singly make a double as well.",
         "reuse.singles_then_double", True),
        ("double-then-single", "reuse", "Cards of a double bezique make a single one later.",
         "reuse.double_then_single", True),
    ],
    R: [
        ("no-melds-after-close", "who melds", "Melds do not score after the close.", "close.melds", 0),
        ("no-sequence-then-marriage", "reuse", "King and queen of a sequence may not marry.",
         "reuse.sequence_then_marriage", False),
        ("no-singles-then-double", "reuse", "Two beziques scored singly make no double.",
         "reuse.singles_then_double", False),
        ("no-double-then-single", "reuse", "Cards of a double bezique make no single one.",
         "reuse.double_then_single", False),
        ("leaves-by-play", "reuse", "A card leaves a meld only by being played.", "reuse.card_leaves_by",
         LeavesBy.PLAYED),
        ("kinds", "reuse", "No card scores twice in one kind of meld.", "reuse.law", "R-KIND"),
        ("sequence-makes-no-trumps", "trumps", "Only a marriage makes trumps.", "trumps.melds",
         ("marriage",)),
        ("marriage-makes-no-trumps", "trumps", "Only a sequence makes trumps.", "trumps.melds",
         ("sequence",)),
    ],
    Z: [
        ("no-melds-after-close", "who melds", "Melds do not score after the close.", "close.melds", 0),
        ("no-sequence-then-marriage", "reuse", "King and queen of a sequence may not marry.",
         "reuse.sequence_then_marriage", False),
        ("no-singles-then-double", "reuse", "Two ziques scored singly make no royal zique.",
         "reuse.singles_then_double", False),
        ("no-double-then-single", "reuse", "Cards of a royal zique make no zique.",
         "reuse.double_then_single", False),
        ("dix-exchange", "sevens", "The seven of trumps may be exchanged.", "dix.exchange",
         Window.AFTER_TRICK_WON),
        ("dealer-seven", "sevens", "The dealer scores 10 for a seven turned up.", "trumps.dealer_seven",
         10),
        ("dix-played", "sevens", "A seven of trumps played may be claimed.", "dix.show",
         Window.AT_ANY_TIME),
    ],
}  # fmt: skip

SEVENS: list[Row] = [
    ("dealer-seven", "sevens", "The dealer scores nothing for a seven turned up.", "trumps.dealer_seven", 0),
    ("dix-points", "sevens", "A seven scores 20.", "dix.points", 20),
    ("dix-not-played", "sevens", "A seven that is played scores nothing.", "dix.played", False),
    ("dix-after-close", "sevens", "A seven played after the close scores nothing.", "dix.in_last_tricks",
     False),
    ("dix-every-time", "sevens", "A seven that has scored scores again.", "dix.once_per_card", False),
    ("no-exchange", "sevens", "The seven may not be exchanged.", "dix.exchange", Window.NEVER),
]  # fmt: skip
SEVENS_OF: dict[str, list[Row]] = {
    M: [("dix-shown", "sevens", "A seven scores when it is shown.", "dix.show", Window.AFTER_TRICK_WON)],
    B: [("dix-not-shown", "sevens", "A seven scores nothing when it is shown.", "dix.show", Window.NEVER),
        ("exchange-is-the-meld", "sevens", "An exchange uses up the meld of the trick.",
         "dix.exchange_is_the_meld", True)],
}  # fmt: skip

RANKS: Row = (
    "ten-low",
    "taking tricks",
    "The ten ranks below the jack.",
    "pack.ranks",
    tuple("AKQJT987"),
)
LAST: list[Row] = [
    ("last-trick-before-close", "last trick", "The last trick is the last before the close.",
     "last_trick.tricks", When.LAST_STOCK_TRICK),
    ("last-trick-to-loser", "last trick", "The last trick scores for the loser.", "last_trick.to", To.LOSER),
]  # fmt: skip
LAST_OF: dict[str, list[Row]] = {
    M: [
        ("last-trick-points", "last trick", "The last trick scores 20.", "last_trick.points", 20),
        ("tenth-trick-to-winner", "last trick", "The tenth trick scores for its winner.", "tenth_trick.to",
         To.WINNER),
        ("no-tenth-trick", "last trick", "The tenth trick scores nothing.", "tenth_trick.points", 0),
        ("all-tricks-points", "last trick", "All last tricks score 40.", "all_last_tricks.points", 40),
    ],
    B: [("last-trick-points", "last trick", "The last trick scores 20.", "last_trick.points", 20)],
    R: [("last-trick-points", "last trick", "The last trick scores 10.", "last_trick.points", 10)],
    Z: [("last-trick-points", "last trick", "The last trick scores 50.", "last_trick.points", 50)],
}  # fmt: skip
BRISQUES: list[Row] = [
    ("aces-only", "brisques", "Only aces are brisques.", "brisques.ranks", ("A",)),
    ("kings-too", "brisques", "Aces, tens and kings are brisques.", "brisques.ranks", tuple("ATK")),
    ("no-brisques", "brisques", "Brisques do not count.", "brisques.count", BrisqueCount.NEVER),
    ("brisque-points", "brisques", "A brisque is worth 5.", "brisques.points", 5),
]  # fmt: skip
GAME: dict[str, list[Row]] = {
    M: [("target", "match", "The match is won with 400 points.", "match.target.2", 400),
        ("stops-at-target", "match", "The target is 1,000.", "match.target.2", 1000)],
    B: [("target", "match", "The match is won with 500 points.", "match.target.2", 500),
        ("high-target", "match", "The match is won with 1,500 points.", "match.target.2", 1500)],
    Z: [("target", "match", "The match is won with 500 points.", "match.target.2", 500),
        ("high-target", "match", "The match is won with 1,000 points.", "match.target.2", 1000)],
    R: [("rubicon-900", "settlement", "The rubicon is at 900 points.", "match.rubicon", 900),
        ("blanche-points", "carte blanche", "Carte blanche scores 100.", "carte_blanche.points", 100),
        ("blanche-aces", "carte blanche", "A hand with an ace is no carte blanche.",
         "carte_blanche.courts", tuple("AKQJ")),
        ("blanche-jacks", "carte blanche", "Jacks do not spoil carte blanche.",
         "carte_blanche.courts", tuple("KQ")),
        ("blanche-before-lead", "carte blanche", "Carte blanche is too late after the first lead.",
         "carte_blanche.first", "before_first_lead"),
        ("brisques-at-the-end", "brisques", "Brisques always count.", "brisques.count",
         BrisqueCount.AT_THE_END)],
}  # fmt: skip

ROWS: dict[str, list[Row]] = {
    sheet: [
        RANKS, *MELDS_AND_CLOSE[sheet], *LAST, *LAST_OF[sheet], *GAME[sheet],
        *(SEVENS if sheet in SEVENS_OF else ()), *SEVENS_OF.get(sheet, ()),
        *(BRISQUES if sheet != R else ()),
    ]
    for sheet in (M, B, R, Z)
}  # fmt: skip

SHEET_ERRORS: list[Planted] = [
    *POINTS,
    *(
        Planted(sheet, name, kind, says, field(path, value))
        for sheet, rows in ROWS.items()
        for name, kind, says, path, value in rows
    ),
]
AT_ONCE = GameEnd.AT_ONCE
