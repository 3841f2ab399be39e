"""The codes of wrong claims and of remarks on legal play: stable, documented, never reused."""

from records.validate.codes.code import Row, make_codes

_CLAIM_ROWS: tuple[Row, ...] = (
    (
        "wrong-dealer", "deal", "The wrong player deals",
        "{player} deals, but it is {other}'s deal.",
        "The deal passes to the next seat, clockwise.",
    ),
    (
        "deal-after-game-won", "game", "A deal after the game was over",
        "{clause} before this deal, {found}.",
        "Before this deal the match was over: a side had reached the target and led, or the one deal that makes a"
        " match had been played.",
        {"won": "{winner} had won the game", "drawn": "The game had ended in a draw"},
    ),
    (
        "trick-out-of-place", "play", "A trick is claimed where none was completed",
        "{player} is named the winner of a trick, but {clause}.",
        "A `trick` event follows the two cards of its trick, and there is only one.",
        {
            "no-trick": "no trick has just been completed",
            "again": "the winner of this trick has already been named",
        },
    ),
    (
        "wrong-trick-winner", "play", "The wrong winner of a trick is named",
        "{winner} wins the trick {cards}, not {player}.",
        "The replay computes who wins each trick and goes on with that winner.",
    ),
    (
        "wrong-meld-points", "melds", "The wrong points for a meld",
        "{player} claims {points} for {meld}; the rules give {expected}.",
        "The sheet gives other points for the meld, or none for cards that form no such meld.",
    ),
    (
        "wrong-dix-points", "dix", "The wrong points for a dix",
        "{player} claims {points} for the dix; the rules give {expected}.",
        "The sheet gives other points for the dix.",
    ),
    (
        "score-not-earned", "bonuses", "Points that were not earned",
        "{player} claims points for {score}, but {clause}.",
        "The player has not earned this bonus at this point, or the game does not have it.",
        {"nobody": "has not earned any", "other": "{other} earned them"},
    ),
    (
        "scored-twice", "bonuses", "The same points are scored twice",
        "{player} scores {score} twice.",
        "The bonus was already claimed in this deal.",
    ),
    (
        "score-out-of-place", "bonuses", "Points claimed too late",
        "{player} scores {score} too late, after the first card was played.",
        "A turned-up seven is scored before the first card is played.",
    ),
    (
        "wrong-score-points", "bonuses", "The wrong points for a bonus",
        "{player} claims {points} for {score}; the rules give {expected}.",
        "The sheet gives other points for the bonus.",
    ),
    (
        "wrong-brisques", "brisques", "The wrong points for brisques",
        "{player} claims {points} for brisques {clause}, but has taken {expected}.",
        "The points claimed for aces and tens, added up over the deal, differ from those in the tricks taken.",
        {"over": "in all", "so-far": "so far"},
    ),
    (
        "wrong-deal-scores", "game", "The scores of a deal are wrong",
        "The record scores this deal {found}; the rules give {expected}.",
        "`claims.scores` is what the deal adds to the scores of the match; the rules give other numbers.",
    ),
    (
        "wrong-result-scores", "game", "The final scores are wrong",
        "The record ends the game at {found}; the deals add up to {expected}.",
        "`result.scores` is what each side has scored in all deals together.",
    ),
    (
        "wrong-winner", "game", "The wrong winner of the game is named",
        "The record names {found} as the winner; by the rules it is {expected}.",
        "`result.winner` is the side with the higher total once the target is reached, or the side that the settlement"
        " names.",
    ),
    (
        "wrong-status", "game", "The wrong status of the game",
        "The record calls the game {found}, but {clause}.",
        "A match is complete once a deal has ended in which a side reached the target and leads, or once the one deal"
        " that makes a match is over.",
        {"complete": "it is complete", "unfinished": "no side has won it at the end of a deal"},
    ),
    (
        "wrong-settlement", "game", "The wrong settlement",
        "The record settles the game {found}; the rules give {expected}.",
        "`result.settlement` is what each side receives under the rules of the sheet.",
    ),
    (
        "settlement-not-in-rules", "game", "A settlement in a game that has none",
        "The record claims a settlement, but this game is a race to a number of points and has none.",
        "Only the games with a rubicon, in which one deal makes a match, have a settlement.",
    ),
)  # fmt: skip

_WARNING_ROWS: tuple[Row, ...] = (
    (
        "line-not-lawful", "", "A line that breaks a rule",
        "A line proposed here breaks a rule: {breach}",
        "A line shows what might have been played instead, and is judged by the rules from its anchor on. A"
        " line never makes the game itself illegal.",
    ),
)  # fmt: skip

_NOTE_ROWS: tuple[Row, ...] = (
    (
        "lines-not-judged", "", "Lines that would cost too much to judge",
        "From here on, {lines} not judged: at most {limit} events are replayed to judge the lines of one record.",
        "In some deals the events before a line must be replayed for that line alone, because the rules look at what"
        " follows. Send fewer lines to have them all judged.",
    ),
    (
        "irregularity", "", "A recorded irregularity",
        "Irregularity, {player}: {words}.",
        "The players noted what went wrong and what was ruled. This is legal in a record; the breach that it"
        " explains becomes a note.",
    ),
    (
        "nothing-withdrawn", "melds", "A withdrawal without effect",
        "Irregularity, {player}: {words}. It takes nothing back, as {clause}.",
        "A `withdrawn_meld` takes back the last meld of its player, as long as nobody has played, drawn or"
        " discarded since. This one takes back nothing: no card, no point, and no right to meld.",
        {
            "none": "{player} has no meld to take back",
            "late": "play has gone on since the meld",
        },
    ),
    (
        "unfinished", "game", "The record ends before the game does",
        "The record ends before the game does.",
        "Everything recorded is legal so far, but nobody has won the game yet.",
    ),
    (
        "undetermined", "", "The record shows too little to decide",
        "It stays open whether every event was legal: {clause}.",
        "Because of what the record does not show, or because there are too many readings to search, it stays"
        " open whether every event was legal. Nothing proves that one was not. The place is the first event"
        " that leaves it open. The records of one file or request share what may be searched, so the records before"
        " this one may have left too little for it.",
        {
            "missing": "the record does not show {missing}",
            "scores": "of this deal the record shows only the scores",
            "search": "there are too many readings to search",
            "shared": "the records before this one have used up what the file or request may cost, and there are too"
            " many readings to search with what is left; checked alone, this record may be decided",
            "unexamined": "the records before this one have used up what the request may cost, and it was not"
            " examined; sent alone or uncompressed, it is",
        },
    ),
    (
        "too-many-completions", "", "Not every way to fill in the record could be examined",
        "Not every way to fill in what this deal leaves open {clause}.",
        "A partial deal is illegal if no way to fill it in is legal, and legal if every way is. Here there are"
        " too many ways to examine all of them at a bounded cost, so the verdict stays open. At the level"
        " `plays`, where melds may be missing anywhere, none is examined. Deals of the record that follow may"
        " be affected, too.",
        {
            "given-up": "could be examined",
            "unsearched": "can be examined, because melds may be missing anywhere; none was",
            "shared": "could be examined, because the records before this one have used up what the file or request"
            " may cost; checked alone, this record gets more",
        },
    ),
)  # fmt: skip

CLAIM_CODES = {
    **make_codes("mismatch", *_CLAIM_ROWS),
    **make_codes("warning", *_WARNING_ROWS),
    **make_codes("note", *_NOTE_ROWS),
}
