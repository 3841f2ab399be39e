"""What a code says of several findings at once: a habit of a program or of a player, in a few words.

Where a clause makes another habit, it has words of its own. A code that is not here is told by its title.
"""

from collections.abc import Mapping

HABITS: Mapping[str, str | Mapping[str, str]] = {
    "wrong-hand-size": "The wrong number of cards is dealt",
    "card-not-in-pack": "A card is named that the pack does not have",
    "too-many-copies": "The deal has more copies of a card than the pack",
    "card-twice": "A labelled card is in two places",
    "event-after-end": "Play goes on after the deal is over",
    "event-not-in-rules": {
        "Play": "A card is played to a trick, in a game without tricks",
        "Trick": "A trick is taken, in a game without tricks",
        "Declare": "A meld is shown to score later, in a game without pending melds",
        "Dix": "A dix is scored, in a game that has none",
        "CarteBlanche": "Carte blanche is shown, in a game that has none",
        "Cut": "The pack is cut for points, in a game that has no such cut",
        "Discard": "A card is discarded, in a game without discards",
    },
    "out-of-turn": {
        "lead": "The wrong player leads",
        "reply": "A player plays out of turn",
        "discard": "A player discards out of turn",
        "combine": "A player melds out of turn",
    },
    "card-not-held": {
        "play": "A player plays a card they do not hold",
        "discard": "A player discards a card they do not hold",
    },
    "not-on-table": {
        "in-hand": "A card is played from the table but lies in the hand",
        "taken-back": "After the close a card is played from the table, though all melded cards went back to the hand",
    },
    "not-in-hand": "A card is played from the hand but lies on the table",
    "must-follow-suit": "A player does not follow suit, though able to",
    "must-beat": "A player does not beat the card led, though able to",
    "must-trump": "A player does not trump, though able to",
    "draw-missing": {
        "play": "A player plays before the cards due are drawn",
        "discard": "A player discards before drawing",
        "combine": "A player melds before drawing",
    },
    "draw-out-of-turn": "The loser of the trick draws first",
    "draw-not-due": {
        "no-stock": "A player draws though the stock is empty",
        "no-trick": "A player draws before the trick is complete",
        "again": "A player draws twice",
        "other-turn": "A player draws in the turn of another",
        "full-hand": "A player draws though no card is due",
    },
    "wrong-card-drawn": {
        "turn-up": "The last card drawn is not the turn-up",
        "stock": "A card is drawn that is not the next of the recorded stock",
    },
    "no-such-card-left": "A card is drawn of which no copy is left",
    "deal-cut-short": "A deal stops in the middle and another follows",
    "no-legal-completion": "A deal cannot have been played by the rules, whatever the cards it does not show",
    "meld-by-loser": "A player melds without having won the trick",
    "meld-out-of-window": {
        "over": "A player melds after the deal is over",
        "first": "A player melds before the first trick",
        "draw": "A player melds at another time than after winning a trick and before drawing",
        "lead": "A player melds at another time than after winning a trick and before leading",
    },
    "meld-after-close": "A player melds after the close",
    "too-many-melds": {
        "trick": "A player melds more after one trick than is allowed",
        "exchange": "A player exchanges the seven of trumps as well, which counts as a meld",
        "turn": "A player melds more than one combination in a turn",
    },
    "meld-card-not-held": {
        "held": "A player melds without holding all the cards",
        "captured": "A player melds without having captured all the cards",
        "tableau": "A player marries cards that are neither in the hand nor in the tableau",
        "named": "A player marries cards that are neither in the hand nor among those named from the tableau",
    },
    "meld-not-in-rules": "A player scores a meld that this game does not have",
    "wrong-cards-for-meld": {
        "no-meld": "A meld is named whose cards do not match",
        "other": "A meld is named whose cards form another",
    },
    "meld-reuses-cards": "Cards score again in a meld in which they may not",
    "no-pending-melds": "A meld is shown to score later, in a game without pending melds",
    "not-on-tableau": "A player marries cards from the tableau that do not lie there",
    "marriage-without-hand-card": "A player marries cards of the tableau without one from the hand",
    "discard-not-of-combination": "After a combination, a player does not discard one of its cards",
    "must-go-on": "After a zetema, a player does not go on with one that is ready",
    "dix-not-in-rules": {
        "exchange": "A player exchanges the seven of trumps, which this game does not allow",
        "show": "A player shows the seven of trumps for points, in a game that gives none",
        "play": "A player claims points for playing the seven of trumps, in a game that gives none",
        "close": "A player claims a dix after the close, when it no longer scores",
    },
    "dix-not-played": "A player claims a dix without having just played the seven of trumps",
    "dix-not-held": "A player scores a dix without holding the seven of trumps",
    "dix-out-of-window": "A player scores a dix at the wrong time",
    "nothing-to-exchange": {
        "drawn": "A player exchanges the seven of trumps after the turn-up was drawn",
        "seven": "A player exchanges the seven of trumps for another seven",
    },
    "dix-spent": "A seven of trumps scores a second time",
    "not-blank": "A player shows carte blanche with a court card in the hand",
    "carte-blanche-too-late": "A player shows carte blanche too late",
    "wrong-dealer": "The wrong player deals",
    "deal-after-game-won": "Another deal is played after the game was over",
    "trick-out-of-place": {
        "no-trick": "The winner of a trick is named where none was completed",
        "again": "The winner of a trick is named twice",
    },
    "wrong-trick-winner": "The wrong player is named as the winner of a trick",
    "wrong-meld-points": "A meld is scored with the wrong points",
    "wrong-dix-points": "A dix is scored with the wrong points",
    "score-not-earned": "Points are claimed that the player has not earned",
    "scored-twice": "The same points are scored twice",
    "score-out-of-place": "Points are claimed too late",
    "wrong-score-points": "A bonus is scored with the wrong points",
    "wrong-brisques": {
        "over": "The brisques of a deal are counted wrong",
        "so-far": "More brisques are counted than were taken so far",
    },
    "wrong-deal-scores": "The scores of a deal are wrong",
    "line-not-lawful": "A line breaks a rule",
    "irregularity": "The players noted an irregularity",
}
"""By code, the habit in words, without a full stop; by clause where its clauses are different habits."""
