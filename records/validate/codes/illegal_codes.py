"""The codes of broken rules: stable, documented, never reused."""

from records.validate.codes.code import Row, make_codes

_DEAL_ROWS: tuple[Row, ...] = (
    (
        "wrong-number-of-hands", "deal", "The wrong number of hands is dealt",
        "The deal has {hands} for {expected} players.",
        "A deal gives one hand to every player of the record. A deal without `hands` leaves them open, whatever its"
        " `knowledge`, and has no finding for it.",
    ),
    (
        "wrong-hand-size", "deal", "A hand has the wrong number of cards",
        "{player} is dealt {cards}; this game deals {expected}.",
        "The sheet says how many cards each player is dealt. Another number is legal only if an option"
        " (hand_size) says so.",
    ),
    (
        "wrong-stock-size", "deal", "The recorded stock has the wrong number of cards",
        "The stock has {cards}; it should have {expected}.",
        "The stock is what is left of the pack once the hands are dealt and a card is turned up. It does not"
        " include that card.",
    ),
    (
        "turn-up-missing", "trumps", "No turn-up is recorded",
        "No turn-up is recorded, so the trump suit is unknown.",
        "The turn-up fixes trumps; without it no trick can be judged. Add it, or use `knowledge` to say that"
        " the record is partial. A deal without `hands` or with a `setup` has no such finding.",
    ),
    (
        "turn-up-not-in-rules", "trumps", "A turn-up in a game without one",
        "The record turns up {card}; this game has no turn-up.",
        "In this game a meld makes trumps, or there are none, and no card is turned up.",
    ),
    (
        "card-not-in-pack", "deal", "A card that is not in the pack",
        "{clause}, which is not in this game's pack.",
        "The game's pack does not have this card, or not so many copies of it: two packs have a queen of hearts"
        " QH.1 and QH.2, and no QH.3. If such a card is played, drawn, melded or discarded that was not dealt,"
        " the rest of the deal is not judged.",
        {
            "deal": "The deal has {card}",
            "play": "{player} plays {card}",
            "draw": "{player} draws {card}",
            "meld": "{player} melds {card}",
            "show": "{player} shows {card}",
            "discard": "{player} discards {card}",
        },
    ),
    (
        "too-many-copies", "deal", "More copies of a card than the pack has",
        "The deal has {clause}.",
        "Hands, turn-up and stock together show more copies of a card than the packs have, or more cards of a suit"
        " or a rank, unknown ones among them.",
        {
            "copies": "{found} copies of {card}; this game's pack has {copies}",
            "like": "{found} cards of which each is {card}; this game's pack has {copies}",
            "mixed": "unknown cards of suits and ranks for which too few cards are left",
        },
    ),
    (
        "card-twice", "deal", "A labelled card is in two places",
        "The deal has {card} in two places at once.",
        "A label such as QS.1 names one physical card, which cannot be dealt twice.",
    ),
)  # fmt: skip

_PLAY_ROWS: tuple[Row, ...] = (
    (
        "event-after-end", "play", "An event after the end of the deal",
        "{player} {clause} after the deal is over.",
        "All cards have been played, or the deal has been declared a misdeal, but the record goes on.",
        {"play": "plays {card}", "discard": "discards {card}", "combine": "melds {meld}", "misdeal": "goes on"},
    ),
    (
        "event-not-in-rules", "play", "An event that belongs to another game",
        "{player} {clause}, which this game does not have.",
        "The event belongs to another game of the family. In Zetema that means tricks, pending melds, a dix,"
        " carte blanche and a cut; in a game with tricks a discard, and carte blanche or a cut if the sheet has none. A dix"
        " in a game with tricks that has none is `dix-not-in-rules`, a pending meld `no-pending-melds`.",
        {
            "Play": "plays to a trick",
            "Trick": "takes a trick",
            "Declare": "shows a pending meld",
            "Dix": "scores a dix",
            "CarteBlanche": "shows carte blanche",
            "Cut": "makes a cut",
            "Discard": "makes a discard",
        },
    ),
    (
        "out-of-turn", "play", "A play out of turn",
        "{player} {clause}.",
        "The winner of a trick leads to the next one, and the player who did not deal leads to the first; then"
        " the other player follows. The replay goes on with what was actually played.",
        {
            "lead": "plays {card}, but it is {other}'s lead",
            "reply": "plays {card}, but it is {other}'s turn to play",
            "discard": "discards {card}, but it is {other}'s turn",
            "combine": "melds {meld}, but it is {other}'s turn",
        },
    ),
    (
        "card-not-held", "play", "A player plays a card they do not hold",
        "{player} {clause} but does not hold it.",
        "However the record is read, the player does not hold this card. The rest of the deal is not judged; the"
        " next deal is.",
        {"play": "plays {card}", "discard": "discards {card}"},
    ),
    (
        "not-on-table", "melds", "A card played from the table is not there",
        "{player} plays {card} from the table, but {clause}.",
        "`from` says which copy was played. A card lies on the table after it was melded or shown; at the"
        " close all of them go back to the hand.",
        {
            "in-hand": "it is in the hand",
            "taken-back": "at the close all melded cards went back to the hand",
        },
    ),
    (
        "not-in-hand", "melds", "A card played from the hand lies on the table",
        "{player} plays {card} from the hand, but it lies on the table.",
        "`from` says which copy was played. Every copy that the player holds lies melded on the table.",
    ),
    (
        "must-follow-suit", "close", "Failed to follow suit",
        "{player} plays {card} on {led} but must follow suit with {allowed}.",
        "After the close the second player must follow suit if able.",
    ),
    (
        "must-beat", "close", "Failed to beat the card led",
        "{player} plays {card} on {led} but must beat it with {allowed}.",
        "After the close the second player must win the trick with a card of the suit led if able. An"
        " identical card does not beat the first.",
    ),
    (
        "must-trump", "close", "Failed to trump",
        "{player} plays {card} on {led} but has no {suit} and must trump with {allowed}.",
        "After the close a player who cannot follow suit must play a trump if able.",
    ),
    (
        "draw-missing", "draw", "A missing draw",
        "{player} {clause}.",
        "While the stock lasts, the winner of each trick and then the loser draw a card before the next lead. If"
        " the record shows every card, a missing draw is illegal; after it the hand has an unknown card.",
        {
            "play": "plays {card}, but {others} must draw first",
            "discard": "discards {card} but must draw {draws} first",
            "combine": "melds {meld} but must draw {draws} first",
        },
    ),
    (
        "draw-out-of-turn", "draw", "The loser of the trick draws before the winner",
        "{player} draws first, but {winner} won the trick and should have.",
        "The winner of the trick draws first.",
    ),
    (
        "draw-not-due", "draw", "A draw that is not due",
        "{player} draws {card}, but {clause}.",
        "After each trick each player draws one card while the stock lasts, and at no other time.",
        {
            "no-stock": "the stock is empty",
            "no-trick": "nobody draws before the trick is complete",
            "again": "has already drawn; it is {other}'s turn to draw",
            "other-turn": "it is {other}'s turn to draw",
            "full-hand": "{other} has no card to draw in this turn",
        },
    ),
    (
        "wrong-card-drawn", "draw", "The wrong card is drawn",
        "{player} draws {card}, but {clause}.",
        "The last card drawn is the turn-up, or the dix exchanged for it. Where the record has the stock, cards"
        " are drawn in its order.",
        {
            "turn-up": "the last card to draw is the turn-up, {top}",
            "stock": "the recorded stock has {top} on top",
        },
    ),
    (
        "no-such-card-left", "draw", "No copy of this card is left to draw",
        "{player} draws {card}, but {clause}.",
        "All copies of the card have been dealt, turned up or drawn before, or those left are cards that the"
        " record gives only by suit or rank. The rest of the deal is not judged.",
        {
            "out": "every copy of it is already out",
            "wanted": "every copy left is one of the cards that the record gives only by suit or rank",
        },
    ),
    (
        "deal-cut-short", "play", "A deal stops in the middle and another follows",
        "The deal stops after {tricks} with cards still in hand, and another deal follows.",
        "The record goes on with the next deal although players still hold cards.",
    ),
)  # fmt: skip

_MELD_ROWS: tuple[Row, ...] = (
    (
        "meld-by-loser", "melds", "A meld by a player who did not win the trick",
        "{player} melds, but {winner} won the trick; only the winner of a trick melds.",
        "Only the winner of the last trick melds.",
    ),
    (
        "meld-out-of-window", "melds", "A meld at the wrong time",
        "{player} melds {clause}.",
        "A player melds after winning a trick: before drawing, or after the close before leading.",
        {
            "over": "after the deal is over",
            "first": "before the first trick; melds come after winning a trick",
            "draw": "at the wrong time; the winner of a trick melds before drawing",
            "lead": "at the wrong time; the winner of a trick melds before leading",
        },
    ),
    (
        "meld-after-close", "melds", "A meld after the close in a game that allows none",
        "{player} melds {meld} after the close, which this game does not allow.",
        "In this game nobody melds once the stock is empty.",
    ),
    (
        "too-many-melds", "melds", "More melds than allowed",
        "{player} {clause}.",
        "The sheet says how many melds may score after one trick, or in one turn.",
        {
            "trick": "melds {meld} as well, but a trick won allows {allowed}",
            "exchange": "exchanges the seven of trumps as well; that counts as a meld here, and a trick won"
            " allows {allowed}",
            "turn": "melds {meld} as well, but a turn allows only one combination",
        },
    ),
    (
        "meld-card-not-held", "melds", "A meld with a card that the player does not hold",
        "{player} melds {meld} without {clause}.",
        "However the record is read, the player does not have all the cards of the meld. The rest of the deal"
        " is not judged.",
        {
            "held": "holding {cards}",
            "captured": "having captured {cards}",
            "tableau": "having {cards} in the hand or in the tableau",
            "named": "having {cards} in the hand or among the cards named from the tableau",
        },
    ),
    (
        "meld-not-in-rules", "melds", "A meld that the game does not have",
        "{player} melds {meld}, which this game does not have.",
        "The sheet lists the melds of the game, and this one is not among them.",
    ),
    (
        "wrong-cards-for-meld", "melds", "The wrong cards for a meld",
        "{player} melds {cards} as {meld}, but {clause}.",
        "Every meld has exactly the cards that the sheet gives under its name.",
        {"no-meld": "the cards do not match", "other": "these cards form {formed}"},
    ),
    (
        "meld-reuses-cards", "reuse", "A card scores again when it may not",
        "{player} melds {meld} with {cards}, but {clause}.",
        "In every reading, cards of the meld have scored before, and a clause of the rule of reuse does not let them"
        " score again here. The sentence names the clause, the cards and the earlier melds that hold in every reading;"
        " `since` is the first of these melds.",
        {
            "same-set": "the same cards scored in {earlier}, and a set of cards scores the same meld only once",
            "kind": "{used} scored in {earlier}, and no card scores twice in melds of one kind",
            "down": "{used} scored in {earlier}, and no card that has scored in a higher meld of its class scores"
            " in a lower one",
            "nothing-new": "all these cards scored in {earlier}, and a higher meld of the class needs a card that"
            " has not scored in it",
            "not-left": "{used} scored in {earlier}, and no other card of that meld has been played or has scored since",
            "not-played": "{used} scored in {earlier}, and no other card of that meld has been played",
            "class": "{used} scored in {earlier}, and a card scores once in its class, unless a bezique grows or"
            " a meld that lost a card to a trick is restored",
            "not-whole": "{used} scored in {earlier}, and a bigger bezique must contain the earlier one, whole",
            "not-restored": "{used} scored in {earlier}, and a broken meld is restored only with all its cards that"
            " are left and with cards new to the class",
            "no-card-won": "none of them was won in the trick just taken, and a meld needs one that was",
            "served": "{used}, just won, already served in {earlier}, and a card just won serves in only one meld"
            " after its trick",
            "once-ever": "{used} scored in {earlier}, and by the option chosen a card serves in only one meld of the"
            " deal",
            "copies": "whichever copies these are, some scored in {earlier} and may not score again in this meld",
            "captured": "whichever copies these are, either none is of the trick just won, or some have served"
            " before and may not serve again",
        },
    ),
    (
        "no-pending-melds", "pending", "A pending meld in a game without them",
        "{player} shows {meld} to score later; in this game a meld scores when it is shown.",
        "Only some games let a player show several melds and score one of them after each trick.",
    ),
    (
        "not-on-tableau", "melds", "A card married from the tableau is not there",
        "{player} marries cards from the tableau that do not lie there: {cards}.",
        "`from_tableau` says which of the cards come from the piles.",
    ),
    (
        "marriage-without-hand-card", "melds", "Marriages without a card from the hand",
        "{player} marries cards of the tableau without {clause} from the hand.",
        "At least one card of the marriages comes from the hand (by option, one of each pair).",
        {"one": "any card", "each-pair": "a card of each pair"},
    ),
    (
        "discard-not-of-combination", "tableau", "The discard is not a card of the combination",
        "{player} discards {card}, but after a combination must discard one of its cards: {cards}.",
        "After a sequence, a flush, a flush sequence or an assembly, the discard is one of its cards.",
    ),
    (
        "must-go-on", "tableau", "A player must go on and complete another zetema",
        "{player} discards {card}, but after a zetema must go on with {cards}, which completes another.",
        "With two players, once the stock is empty, a player who has scored a zetema goes on with cards that"
        " complete other piles as long as there are any.",
    ),
)  # fmt: skip

_DIX_ROWS: tuple[Row, ...] = (
    (
        "dix-not-in-rules", "dix", "A dix that the game does not score",
        "{player} {clause}.",
        "The sheet or its options give no points for this, or do not allow it.",
        {
            "exchange": "exchanges the seven of trumps, which this game does not allow",
            "show": "shows the seven of trumps, which does not score in this game",
            "play": "claims a dix for playing the seven of trumps, which does not score in this game",
            "close": "claims a dix after the close, when it no longer scores by the option chosen",
        },
    ),
    (
        "dix-not-played", "dix", "A dix claimed for a seven that was not just played",
        "{player} claims a dix for playing the seven of trumps but has not just played it.",
        "A dix for a played seven is claimed right after the player has played the seven of trumps.",
    ),
    (
        "dix-not-held", "dix", "A dix that the player does not hold",
        "{player} {act} {card} but {clause}.",
        "The player does not hold a seven of trumps. The rest of the deal is not judged.",
        {"not-held": "does not hold it", "not-dix": "the dix is {dix}"},
    ),
    (
        "dix-out-of-window", "dix", "A dix at the wrong time",
        "{player} {act} the seven of trumps {clause}.",
        "A dix is exchanged or shown after winning a trick and before drawing, unless the sheet allows any"
        " time.",
        {
            "over": "after the deal is over",
            "no-trick": "without having just won a trick",
            "close": "after the close, when nobody melds any more",
        },
    ),
    (
        "nothing-to-exchange", "dix", "There is no card to exchange the dix for",
        "{player} exchanges the seven of trumps, but {clause}.",
        "The turn-up has been drawn, or is itself a seven.",
        {"drawn": "the turn-up has been drawn", "seven": "the turn-up is itself a seven"},
    ),
    (
        "dix-spent", "dix", "A dix that has already scored",
        "{player} claims a dix, but that seven has already scored.",
        "Each seven of trumps scores once per deal: turned up, exchanged, shown or played.",
    ),
)  # fmt: skip

_OPENING_ROWS: tuple[Row, ...] = (
    (
        "not-blank", "carte_blanche", "Carte blanche with a court card in hand",
        "{player} shows carte blanche but holds {cards}.",
        "Carte blanche is a hand without king, queen or jack. Aces are not court cards.",
    ),
    (
        "carte-blanche-too-late", "carte_blanche", "Carte blanche is shown too late",
        "{player} shows carte blanche too late. The dealt hand is shown before {limit}, and each card drawn"
        " after that before the next card is played.",
        "The hand as dealt is shown before its owner's first card is played (in Six-Pack Bezique before the"
        " first lead). After that, each card drawn that is not a court card is shown before the next card is"
        " played. The first one not shown ends the chance.",
    ),
    (
        "cut-out-of-place", "cut", "A cut by another player or too late",
        "{player} cuts here, but only the dealer cuts, once and before anything else.",
        "The dealer cuts once, before anything else happens.",
    ),
    (
        "impossible-cut", "cut", "An impossible cut",
        "{player} cuts {cards} from a pack of {pack}, which is impossible.",
        "A packet has at least one card and leaves at least one; a guess is at least zero.",
    ),
)  # fmt: skip

_COMPLETION_ROWS: tuple[Row, ...] = (
    (
        "no-legal-completion", "", "No way to fill in the record is legal",
        "No way to fill in what the record leaves open {clause}.",
        "A partial deal is legal if what it leaves open can be filled in so that every event is legal. Every"
        " way was examined. None agrees with what the record shows of the deal, or none makes all events"
        " up to this one legal.",
        {
            "event": "makes everything legal up to this event",
            "deal": "agrees with all that it shows of this deal",
        },
    ),
)  # fmt: skip

ILLEGAL_CODES = make_codes(
    "illegal",
    *_DEAL_ROWS,
    *_PLAY_ROWS,
    *_MELD_ROWS,
    *_DIX_ROWS,
    *_OPENING_ROWS,
    *_COMPLETION_ROWS,
)
