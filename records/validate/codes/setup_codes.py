"""The codes of positions that cannot have come about: stable, documented, never reused."""

from records.validate.codes.code import Row, make_codes

_SETUP_ROWS: tuple[Row, ...] = (
    (
        "setup-not-in-rules", "deal", "A position with something that the game does not have",
        "The position has {member}, which this game does not have.",
        "The member belongs to another game of the family: only Zetema has a tableau, only games with tricks"
        " have a trick, brisques and a dix, and only some have pending melds.",
    ),
    (
        "trumps-not-turned-up", "trumps", "Trumps that are not the suit of the turn-up",
        "Trumps are {trumps} in this position, but {card} is turned up.",
        "The turn-up fixes trumps, and a seven exchanged for it is of the same suit.",
    ),
    (
        "no-meld-on-table", "melds", "Cards on the table that are no meld",
        "{player} has {cards} on the table as {meld}, but {clause}.",
        "What lies on the table in a position is what is left of a meld: with the cards that have been played it"
        " must form the meld of that name, by the trumps of the position.",
        {
            "not-in-rules": "this game does not have that meld",
            "no-meld": "no such meld has these cards",
            "empty": "a meld that lies there has a card left",
        },
    ),
    (
        "uneven-hands", "deal", "A position with uneven hands",
        "{player} has {cards} and {other} {others}, but {clause}.",
        "Both players hold equally many cards, in the hand and on the table together, except that one who has led"
        " to the trick holds one fewer.",
        {
            "even": "before a lead both hold equally many",
            "led": "the player who has led holds one fewer",
        },
    ),
    (
        "hand-too-large", "deal", "A position with more cards in a hand than the game gives",
        "{player} has {cards}; in this game nobody ever has more than {expected}.",
        "Nobody ever holds more cards than are dealt, the cards on the table counted. Fewer are allowed, before the"
        " close too: a problem may leave out cards, as many on both sides.",
    ),
    (
        "impossible-stock", "deal", "A position with a stock that cannot be",
        "The stock of this position has {cards}, but {clause}.",
        "The cards that are neither in hands nor on the table, in the trick, turned up or captured are in the stock"
        " or have been won. Both players draw after a trick, so the stock, with the turn-up under it, is of an even"
        " number. A problem may leave out cards, an even number of the stock, and the turn-up.",
        {
            "left": "only {most} can be left of the pack",
            "turned-up": "both players draw, so there is an odd number of cards above a turn-up",
            "even": "both players draw, and nothing is turned up, so it is an even number",
        },
    ),
    (
        "impossible-trick", "play", "A position with a trick that cannot be",
        "{player} is to act, {clause}.",
        "A trick in progress has one card, its lead. A player who has just won a trick has not been led to yet.",
        {
            "completed": "but the trick has {cards}, and the second card completes a trick",
            "led": "having just won a trick, but a card has been led already",
        },
    ),
    (
        "impossible-captures", "play", "A position with captured cards that cannot be",
        "{player} has captured {cards}, but {clause}.",
        "A trick has two cards, so everybody has captured an even number; where melds are made of captured cards,"
        " those in melds count too. A player who has just won a trick has captured two cards at least, the last two listed.",
        {
            "odd": "tricks have two cards each",
            "just-won": "the two cards of the trick just won must be there",
        },
    ),
    (
        "impossible-brisques", "brisques", "A position with brisques that cannot have been taken",
        "The position counts {brisques}, but {clause}.",
        "Brisques taken are not in hands, on the table, in the trick, turned up or in the stock, and there are not"
        " more of them than cards won. Where captured cards are listed, their brisques are the brisques taken.",
        {
            "most": "at most {most} can have been taken",
            "captured": "{player} has captured {most}",
        },
    ),
    (
        "impossible-spent-dix", "dix", "A spent dix that is none",
        "The position has {card} as a dix that has scored, but {clause}.",
        "A spent dix is a seven of trumps that a player holds.",
        {"not-dix": "the dix is {dix}", "not-held": "nobody holds so many"},
    ),
    (
        "impossible-pile", "tableau", "A pile with too many cards",
        "The pile of rank {rank} has {cards}; the fifth card completes a pile, and it leaves the game.",
        "Zetema: a pile has at most four cards.",
    ),
)  # fmt: skip

SETUP_CODES = make_codes("illegal", *_SETUP_ROWS)
