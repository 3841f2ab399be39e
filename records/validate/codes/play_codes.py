"""The codes of what a replay finds: stable, documented, never reused."""

from records.validate.codes.code import FindingCode, Severity


def _codes(severity: Severity, *rows: tuple[str, str, str, str]) -> dict[str, FindingCode]:
    return {
        code: FindingCode(
            code=code, severity=severity, article=article, title=title, meaning=meaning
        )
        for code, article, title, meaning in rows
    }


PLAY_CODES: dict[str, FindingCode] = {
    **_codes(
        "illegal",
        (
            "wrong-number-of-hands", "deal", "The wrong number of hands is dealt",
            "A deal gives one hand to every player of the record.",
        ),
        (
            "wrong-hand-size", "deal", "A hand has the wrong number of cards",
            "The sheet says how many cards each player is dealt. Another number is legal only where an"
            " option (hand_size) says so.",
        ),
        (
            "wrong-stock-size", "deal", "The stock written has the wrong number of cards",
            "The stock is what the pack has left after the hands and the turn-up. The turn-up is not"
            " part of it.",
        ),
        (
            "turn-up-missing", "trumps", "No turn-up is recorded",
            "The turn-up fixes trumps; without it no trick can be judged. Write it, or say with"
            " `knowledge` that the record is partial.",
        ),
        (
            "turn-up-not-in-rules", "trumps", "A turn-up in a game that has none",
            "In this game trumps are made by a meld, and no card is turned up.",
        ),
        (
            "card-not-in-pack", "deal", "A card that the pack does not have",
            "The game's pack does not contain this card at all.",
        ),
        (
            "too-many-copies", "deal", "A card is dealt more often than the pack has it",
            "Hands, turn-up and stock together show more copies of a card than the packs contain.",
        ),
        (
            "card-twice", "deal", "A labelled card is in two places",
            "A label such as QS.1 names one physical card; it cannot be dealt twice.",
        ),
        (
            "event-after-end", "play", "A card is played after the deal is over",
            "All cards have been played, yet the record goes on with another.",
        ),
        (
            "event-not-in-rules", "play", "An event of another game of the family",
            "Carte blanche, a cut or a discard occurs in a game that does not have it.",
        ),
        (
            "out-of-turn", "play", "A card is played out of turn",
            "The winner of a trick leads to the next, the non-dealer to the first; the other replies."
            " The replay goes on with what was actually played.",
        ),
        (
            "card-not-held", "play", "A card is played that the seat cannot hold",
            "Under no reading of the record does the seat hold this card. Nothing after it in this deal"
            " is judged; the next deal is.",
        ),
        (
            "not-on-table", "melds", "A card is said to come from the table but none lies there",
            "`from` binds: it says which copy was played. A card lies on the table when it was melded or"
            " shown; all of them go back to the hand at the close.",
        ),
        (
            "not-in-hand", "melds", "A card is said to come from the hand but every copy is on the table",
            "`from` binds: it says which copy was played. Every copy that the seat holds lies melded.",
        ),
        (
            "must-follow-suit", "close", "A card of the suit led was held and not played",
            "After the close the second player follows suit if able.",
        ),
        (
            "must-beat", "close", "A higher card of the suit was held and a lower one played",
            "After the close the second player must win the trick if able, with a card of the suit led."
            " An identical card does not beat the first.",
        ),
        (
            "must-trump", "close", "A trump was held and another suit played",
            "After the close a player who cannot follow suit plays a trump if able.",
        ),
        (
            "draw-missing", "draw", "A card is led before both players have drawn",
            "While the stock lasts, the winner and then the loser of each trick draw a card. Under full"
            " knowledge a missing draw is illegal; afterwards the hand holds an unknown card.",
        ),
        (
            "draw-out-of-turn", "draw", "The loser of the trick draws before the winner",
            "The winner of the trick draws first.",
        ),
        (
            "draw-not-due", "draw", "A card is drawn when no draw is due",
            "One card is drawn by each player after each trick while the stock lasts, and at no other"
            " time.",
        ),
        (
            "wrong-card-drawn", "draw", "The card drawn is not the card that lay there",
            "The last card drawn is the turn-up, or the dix exchanged for it; where the record writes"
            " the stock, cards are drawn in its order.",
        ),
        (
            "no-such-card-left", "draw", "A card is drawn of which every copy is out",
            "All copies of the card have been dealt, turned up or drawn before. Nobody can draw another;"
            " nothing after it in this deal is judged.",
        ),
        (
            "meld-by-loser", "melds", "A meld by a player who did not win the trick",
            "Only the winner of the last trick melds.",
        ),
        (
            "meld-out-of-window", "melds", "A meld outside its window",
            "Melds are made after winning a trick and before drawing; after the close, before leading.",
        ),
        (
            "meld-after-close", "melds", "A meld after the close in a game without them",
            "In this game nobody melds once the stock is gone.",
        ),
        (
            "too-many-melds", "melds", "More melds than a trick won allows",
            "The sheet says how many melds may be scored after one trick.",
        ),
        (
            "meld-card-not-held", "melds", "A card is melded that the seat cannot hold",
            "Under no reading does the seat hold all the cards shown. Nothing after it in this deal is"
            " judged.",
        ),
        (
            "meld-not-in-rules", "melds", "A meld that the game does not have",
            "The sheet lists the melds of the game; this name is not among them.",
        ),
        (
            "wrong-cards-for-meld", "melds", "The cards shown are not the meld named",
            "A meld is made of exactly its cards under the name the format gives it.",
        ),
        (
            "meld-reuses-cards", "reuse", "A card scores again where it may not",
            "Whichever copies the cards are, some have scored before in a way that the sheet's rule of"
            " reuse does not allow again.",
        ),
        (
            "no-pending-melds", "pending", "A meld is shown without being scored",
            "Only some games let a player lay several melds and score them one a trick.",
        ),
        (
            "dix-not-in-rules", "dix", "A dix where the game does not score it so",
            "The sheet or its options do not give points for this act, or do not allow it.",
        ),
        (
            "dix-not-played", "dix", "A dix claimed for a seven that was not just played",
            "The event that claims a played dix follows the play of the seven of trumps by that seat.",
        ),
        (
            "dix-not-held", "dix", "A dix that the seat cannot hold",
            "The seat holds no seven of trumps. Nothing after it in this deal is judged.",
        ),
        (
            "dix-out-of-window", "dix", "A dix outside its window",
            "Exchange and show come after winning a trick, before drawing, unless the sheet allows any"
            " time.",
        ),
        (
            "nothing-to-exchange", "dix", "A dix is exchanged for nothing, or for a seven",
            "The turn-up has been drawn, or the card that lies there is itself a seven.",
        ),
        (
            "dix-spent", "dix", "A dix that has already scored",
            "Each seven of trumps scores once a deal: turned up, exchanged, shown or played.",
        ),
        (
            "not-blank", "carte_blanche", "Carte blanche is shown with a court card in hand",
            "Carte blanche is a hand without king, queen or jack. Aces are no court cards.",
        ),
        (
            "carte-blanche-too-late", "carte_blanche", "Carte blanche is shown when the chance is past",
            "The hand as dealt is shown before its owner's first card is played (in six-pack before the"
            " first lead); after that each card drawn that is no court card is shown before the next"
            " card is played. The chain ends for good at the first that is not.",
        ),
        (
            "cut-out-of-place", "cut", "A cut that is not the dealer's, or not first of all",
            "The dealer cuts once, before anything else happens.",
        ),
        (
            "impossible-cut", "cut", "A packet that cannot be cut",
            "A packet has at least one card and leaves at least one; a guess is not below zero.",
        ),
        (
            "discard-not-of-combination", "tableau", "The discard is not a card of the combination",
            "After a sequence, a flush, a flush sequence or an assembly the discard is one of its cards.",
        ),
        (
            "must-go-on", "tableau", "A card that completes another zetema is held back",
            "Of two players, one who has scored a zetema once the stock is empty goes on with cards that"
            " complete others while he holds any.",
        ),
        (
            "not-on-tableau", "melds", "A card is married from the tableau but does not lie there",
            "`from_tableau` binds: it says which of the cards come from the piles.",
        ),
        (
            "marriage-without-hand-card", "melds", "Marriages without a card from the hand",
            "At least one card of the marriages comes from the hand (by the option: one of each pair).",
        ),
        (
            "deal-cut-short", "play", "A deal stops in the middle and another follows",
            "Cards are still in hand when the record goes on with the next deal.",
        ),
    ),
    **_codes(
        "mismatch",
        (
            "wrong-dealer", "deal", "The deal did not pass in turn",
            "The deal passes to the next seat, clockwise.",
        ),
        (
            "deal-after-game-won", "game", "A deal after the game was won",
            "A side had reached the target with a clear lead before this deal.",
        ),
        (
            "trick-out-of-place", "play", "A trick is named where none was completed",
            "A `trick` event follows the two cards of its trick, once.",
        ),
        (
            "wrong-trick-winner", "play", "The wrong winner is named",
            "The replay computes who takes a trick and goes on with that.",
        ),
        (
            "wrong-meld-points", "melds", "The wrong points for a meld",
            "The meld is legal; the number beside it is not what the sheet gives.",
        ),
        (
            "wrong-dix-points", "dix", "The wrong points for a dix",
            "The number beside the dix is not what the sheet gives.",
        ),
        (
            "score-not-earned", "bonuses", "Points that were not earned",
            "The seat has not earned this bonus at this point, or the game does not have it.",
        ),
        (
            "scored-twice", "bonuses", "The same points twice",
            "The bonus was already claimed in this deal.",
        ),
        (
            "score-out-of-place", "bonuses", "Points claimed too late",
            "A turned-up seven is scored before the first card is played.",
        ),
        (
            "wrong-score-points", "bonuses", "The wrong points for a bonus",
            "The number claimed is not what the sheet gives.",
        ),
        (
            "wrong-brisques", "brisques", "The brisques claimed are not those taken",
            "The points claimed for aces and tens, added up over the deal, differ from those in the"
            " tricks taken.",
        ),
        (
            "wrong-deal-scores", "game", "The deal's scores do not add up",
            "`claims.scores` is what each side scored in this deal; the rules come to other numbers.",
        ),
        (
            "wrong-result-scores", "game", "The result's scores do not add up",
            "`result.scores` is the sum of the deals, by side.",
        ),
        (
            "wrong-winner", "game", "The wrong side is named winner",
            "`result.winner` is the side that reached the target with the higher total.",
        ),
        (
            "wrong-status", "game", "The record is not as finished as it says",
            "A game is complete when the deal in which a side reaches the target has been played out"
            " and one side leads.",
        ),
        (
            "wrong-settlement", "game", "The settlement does not come out",
            "`result.settlement` is what each side receives by the sheet's terms.",
        ),
        (
            "settlement-not-in-rules", "game", "A settlement in a game that has none",
            "Only the rubicon games and six-pack settle one deal as a game.",
        ),
    ),
    **_codes(
        "warning",
        (
            "line-not-lawful", "", "A line that could not have been played",
            "A line shows what might have been played instead; it is judged by the rules from its anchor"
            " on. A line never makes the game itself illegal.",
        ),
    ),
    **_codes(
        "note",
        (
            "irregularity", "", "An irregularity was recorded",
            "The table noted what went wrong and what was ruled. Legal in a record; the breach that it"
            " explains is listed as a note.",
        ),
        (
            "unfinished", "game", "The game is not finished",
            "Everything recorded is legal so far; the record ends before the game does.",
        ),
        (
            "undetermined", "", "The record leaves something open",
            "Unknown cards leave it open whether every event was legal, or a search through more"
            " readings than can be listed was given up. Nothing proves that one was not.",
        ),
    ),
}  # fmt: skip
