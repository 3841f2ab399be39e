"""Every finding code of the project: stable, documented, never reused."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from records.errors import RULES_MESSAGES
from records.record import MAX_DIGITS
from records.validate.finding import Finding, Place, Severity

# Habits: what a code says of several findings at once, in a few words.
#
# Where a clause makes another habit, it has words of its own. A code that is not here is told by its title.

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
    "draw-out-of-turn": {
        "first": "The loser of the trick draws first",
        "turn": "A player draws before another whose turn it is",
    },
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
        "trumps": "A meld is named whose cards would need other trumps",
        "option": "A meld is named whose cards form it only by an option",
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
    "impossible-deal-scores": "The scores of a deal cannot be",
    "line-not-lawful": "A line breaks a rule",
    "irregularity": "The players noted an irregularity",
}
"""By code, the habit in words, without a full stop; by clause where its clauses are different habits."""


# What a finding code is: its severity, the article of the rules it belongs to, and its words.


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingCode:
    """One documented code; `article` is a rule sheet's article, empty where none applies.

    `message` is the template of a finding's sentence, with named places such as `{player}`. Where one part of
    the sentence reads in several ways, it is the place `{clause}`, and `clauses` has the ways by name.
    """

    code: str
    severity: Severity
    title: str
    message: str
    meaning: str
    article: str = ""
    clauses: Mapping[str, str] = field(default_factory=dict)

    def sentence(self, clause: str = "", **facts: object) -> str:
        """The message with these facts in its places; raises KeyError if one is missing."""
        if clause:
            facts["clause"] = self.clauses[clause].format_map(facts)
        return self.message.format_map(facts)

    def finding(self, at: Place, clause: str = "", **facts: object) -> Finding:
        """A finding of this code, with its sentence."""
        message = self.sentence(clause, **facts)
        return Finding(code=self.code, severity=self.severity, at=at, message=message)

    def habit(self, clause: str = "") -> str:
        """What several findings of this code and clause are, without a full stop: `The loser of the trick draws first`."""
        words = HABITS.get(self.code, self.title)
        return words if isinstance(words, str) else words.get(clause, self.title)

    def habit_sentence(self, clause: str = "", *, count: int, place: str) -> str:
        """The habit with the number of findings and the place of the first: `..., first in deal 2`."""
        times = "twice" if count == 2 else f"{count:,} times"
        first = f", first {place}" if place else ""
        return f"{self.habit(clause)}: {times}{first}."


Row = tuple[str, str, str, str, str] | tuple[str, str, str, str, str, Mapping[str, str]]
"""A code of the replay: code, article, title, message, meaning, and the message's clauses if it has any."""


def make_codes(severity: Severity, *rows: Row) -> dict[str, FindingCode]:
    """Codes of one severity by their names."""
    return {
        code: FindingCode(
            code=code,
            severity=severity,
            article=article,
            title=title,
            message=message,
            meaning=meaning,
            clauses=clauses[0] if clauses else {},
        )
        for code, article, title, message, meaning, *clauses in rows
    }


# The codes of wrong claims and of remarks on legal play.

POSSIBLE_CLAUSES = {
    "step": "every number of points in this game is a multiple of {unit}",
    "least": "what is known of the play brings the sides at least {least}",
    "together": "playing to the end brings {expected}",
    "tied": "a tie lets the brisques count, and then play brings {expected}",
    "most": "play can bring {expected}",
}
"""Why the scores of a deal cannot be."""
RESULT_CLAUSES = POSSIBLE_CLAUSES | {
    "least": "the deals, as far as they are known, bring the sides at least {least}"
}
"""Why the scores of a match cannot be: those of some of its deals may be known."""

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
        "The player has not earned this bonus at this point, or the game, with the options chosen, does not have it.",
        {
            "nobody": "has not earned any",
            "other": "{other} earned them",
            "not-in-rules": "this game gives no points for that",
            "to-settle": "here they count only to break a tie or to save the loser from the rubicon",
        },
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
        "{player} {clause}.",
        "The sheet gives other points for the bonus; or the points claimed for brisques are not those of the number of"
        " brisques that the same event counts.",
        {
            "points": "claims {points} for {score}; the rules give {expected}",
            "count": "counts {brisques} and claims {points} for them; so many are worth {expected}",
        },
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
        "impossible-deal-scores", "game", "Scores of a deal that cannot be",
        "The record scores this deal {found}, but {clause}.",
        "The record leaves open what the deal adds to the scores, and yet no deal that agrees with it can add what"
        " `claims.scores` says: because of the melds, brisques and bonuses that are known, or because no deal of this game"
        " brings so little, so much, or such a number.",
        POSSIBLE_CLAUSES,
    ),
    (
        "impossible-result-scores", "game", "Final scores that cannot be",
        "The record ends the game at {found}, but {clause}.",
        "Some deals leave open what they add to the scores, and yet they cannot add up to what `result.scores` says:"
        " because of the scores of the other deals, of the melds, brisques and bonuses that are known, or because deals of"
        " this game do not bring so little, so much, or such numbers.",
        RESULT_CLAUSES,
    ),
    (
        "wrong-winner", "game", "The wrong winner of the game is named",
        "The record names {found} as the winner; {clause} it is {expected}.",
        "`result.winner` is the side with the higher total once the target is reached, or the side that the settlement"
        " names. Where the deals leave the totals open, the result is held against itself: the winner against its"
        " scores, or else against its settlement. No side wins with fewer points than another, whatever the target.",
        {
            "rules": "by the rules",
            "scores": "by the scores it gives, {scores},",
            "settlement": "by the settlement it gives, {settlement},",
        },
    ),
    (
        "wrong-status", "game", "The wrong status of the game",
        "The record calls the game {found}, but {clause}.",
        "A match is complete once a deal has ended in which a side reached the target and leads, or once the one deal"
        " that makes a match is over.",
        {
            "complete": "it is complete",
            "unfinished": "no side has won it at the end of a deal",
            "scores": "by the scores it gives, {scores}, no side has won it",
        },
    ),
    (
        "wrong-settlement", "game", "The wrong settlement",
        "The record settles the game at {found}; {clause} {expected}.",
        "`result.settlement` is what each side receives under the rules of the sheet. Where the deals leave the totals"
        " open, it is held against the scores of the result.",
        {"rules": "the rules give", "scores": "by the scores it gives, {scores}, it is"},
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
        " that leaves it open. `cut-short` comes only in an identification, whose variants share what a search may cost.",
        {
            "missing": "the record does not show {missing}",
            "scores": "of this deal the record shows only the scores",
            "no-deals": "the record has no deals, only the result of the game",
            "search": "there are too many readings to search",
            "cut-short": "there are too many readings to search with the steps that are left for this variant",
        },
    ),
    (
        "too-many-completions", "", "Not every way to fill in the record could be examined",
        "Not every way to fill in what this deal leaves open {clause}.",
        "A partial deal is illegal if no way to fill it in is legal, and legal if every way is. Here there are"
        " too many ways to examine all of them at a bounded cost, so the verdict stays open. At the level"
        " `plays`, where melds may be missing anywhere, none is examined. Deals of the record that follow may"
        " be affected, too. `cut-short` comes only in an identification, whose variants share what a search may cost.",
        {
            "given-up": "could be examined",
            "unsearched": "can be examined, because melds may be missing anywhere; none was",
            "more-players": "can be examined where more than two play tricks; none was",
            "cut-short": "could be examined with the steps that are left for this variant",
        },
    ),
)  # fmt: skip

CLAIM_CODES = {
    **make_codes("mismatch", *_CLAIM_ROWS),
    **make_codes("warning", *_WARNING_ROWS),
    **make_codes("note", *_NOTE_ROWS),
}


# The codes of what keeps a text from being read as a record.

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
            "other": "it begins as {encoding}, and does not go on so",
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
            "web-page": "it is a web page; download the record from it, or copy the text of the game and paste that",
            "table": "it looks like a table; `bezique convert` makes records of a table, by a mapping that says what is in it",
            "other-text": "it begins neither like a record in JSON nor like the notation",
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
        "unknown-lead", "", "Nothing tells who plays a card led",
        "Nothing tells who leads this card: its seat is not written, and the cards do not show who took the trick before.",
        "A text in the notation may leave out the seat of a card led where the rules know who leads. Where a card of the trick"
        " before is unknown they do not: write the seat, as in a:QS.",
    ),
    (
        "several-readings", "", "A text in the notation can be read in several ways",
        "Line {line}, column {column}: “{written}” may mean {readings}.",
        "People write some things in one way and mean another: 5/3/2026 is a day in March or in May. Nothing is"
        " guessed: write what is meant in its place.",
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
        "damaged-compression", "", "The compressed file or archive cannot be read to its end",
        "The compressed file is {clause}.",
        "A file in gzip, zstd, bzip2 or xz, or an archive in tar or ZIP, cannot be read beyond this point. Everything before"
        " it was read.",
        {
            "damaged": "damaged here, or packed in an unusual way: copy or pack it once more",
            "cut-off": "cut off here",
            "long-name": "an archive with a name of more than {limit} bytes: give the file a short name",
            "locked": "locked with a password: pack the files without one",
            "too-deep": "inside {limit} others: take it out of them",
            "too-many-files": "an archive of more than {limit} files, or one whose list of files is too long: pack fewer in each",
            "no-files": "an archive without files",
        },
    ),
    (
        "not-text", "", "The file holds no text",
        "The file holds no text: it is {kind}.",
        "Records are texts. The first bytes of this file say that it is something else.",
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
        {
            "missing": "it has no member `format`",
            "other": "its `format` is {found}",
            "rulebook": "it is a rulebook. Name it with --rules where records are read, or write it into the records (`rules.sheet`)",
        },
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
    (
        "bad-sheet", "", "The rulebook inside the record cannot be played by",
        "{says}",
        "`rules.sheet` is a rulebook of one's own: whole, without what follows from the rest of it, and with the id that"
        " `rules.id` has. The sentence says what is wrong with it, as `bezique rules check` does.",
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
        "A seat that the record does not have, a negative count or time, or an integer beyond 64 bits; in `ext` and"
        f" `meta` an integer of more than {MAX_DIGITS:,} digits.",
        {
            "seat": "the record has {players} players, in seats {expected}",
            "side": "the record has {sides} sides, numbered {expected}",
            "member": "`{member}` can be {expected}",
            "size": "an integer of `ext` or `meta` has at most {limit} digits, and a fraction is below 1.8e308",
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
            "deal": "Deal {deal}, counted from 0, does not exist; the record has {deals}",
            "event": "Event {event}, counted from 0, does not exist; deal {deal} has {events}",
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
    (
        "other-encoding", "", "The file is in another encoding than UTF-8, and was read",
        "The file is in {encoding}, and was read as that.",
        "The first bytes of the file tell UTF-16 or UTF-32, by a mark or by zeros. What is stored is the record in UTF-8.",
    ),
    (
        "read-as", "", "The text is not written as the notation wants it, and was understood",
        "{clause}{more}.",
        "Small letters, suit signs, words, curly quotes, other blanks, a date in words: what can mean only one thing is"
        " understood, and the first of each kind is told. `bezique convert --to notation` writes the text as the notation"
        " wants it.",
        {
            "sign": "Line {line}, column {column}: {written} was read as {read}",
            "text": "Line {line}, column {column}: “{written}” was read as {read}",
            "left_out": "Line {line}, column {column}: “{written}” was passed over",
            "added": "Line {line} lacks {read}, which was read as if it stood there",
        },
    ),
)  # fmt: skip

DECODING_CODES: dict[str, FindingCode] = {
    **_OF_THE_FILE, **_OF_THE_HEADER, **_OF_A_MEMBER, **_OF_A_DEAL, **_REMARKS
}  # fmt: skip


# The codes of broken rules.

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
        "{player} draws {clause}.",
        "The winner of the trick draws first, and where more than two play, the others follow in turn to the left.",
        {
            "first": "first, but {winner} won the trick and should have",
            "turn": "before {winner}, whose turn it is",
        },
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
            "full-hand": "no card is due in this turn",
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
        "The deal stops {clause} with cards still in hand, and another deal follows.",
        "The record goes on with the next deal although players still hold cards. Cards played are written at every level of"
        " `knowledge` but `scores`, so those that are missing were not played.",
        {
            "tricks": "after {tricks}",
            "first": "before its first trick is complete",
            "events": "after {events}",
        },
    ),
)  # fmt: skip

_MELD_ROWS: tuple[Row, ...] = (
    (
        "meld-by-loser", "melds", "A meld by a player who did not win the trick",
        "{player} melds, but {winner} won the trick; only {melder} melds.",
        "Only the winner of the last trick melds, or a partner where the rulebook lets partners meld.",
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
        {
            "no-meld": "the cards do not match",
            "other": "these cards form {formed}",
            "trumps": "they form one only if {trumps} are trumps",
            "option": "they form one only if the option {option}",
        },
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


# The codes of rules that cannot be resolved, so that nothing can be replayed.

_ROWS = (
    (
        "unknown-sheet", "There is no rule sheet of this name",
        "`rules.id` names one of the rule sheets, such as bezique or zetema; the finding lists them.",
    ),
    (
        "unknown-edition", "The rule sheet has no such edition",
        "`rules.edition` counts from 1. A record without it is judged by the only edition there is.",
    ),
    (
        "unknown-option", "The rule sheet has no such option",
        "Each sheet has the options that make sense for its game; the finding lists them.",
    ),
    (
        "bad-option-value", "A value that the option cannot have",
        "An option has one of a few values, or a whole number within limits. true is not 1, and 8 is not"
        " \"8\".",
    ),
    (
        "contradictory-options", "Two options set one thing differently",
        "Two options that are given may set one value of the sheet, as `long_game` and `target` do, if they set it alike."
        " A number that is given sets its value also where that is the default; a word, true or false sets only what"
        " its value changes.",
    ),
)  # fmt: skip

RULES_CODES: dict[str, FindingCode] = {
    code: FindingCode(
        code=code,
        severity="unreadable",
        title=title,
        message=RULES_MESSAGES[code],
        meaning=meaning,
    )
    for code, title, meaning in _ROWS
} | {
    "wrong-number-of-players": FindingCode(
        code="wrong-number-of-players",
        severity="unreadable",
        article="deal",
        title="The game is not played by this number of players",
        message="{sheet} is a game for {players} players; the record has {found}.",
        meaning="The rule sheet says how many can play. Most games of the family are for two.",
    ),
    "sides-not-in-rules": FindingCode(
        code="sides-not-in-rules",
        severity="unreadable",
        article="deal",
        title="The game has no partners, or not so many on a side",
        message="In {sheet}, {players} players {clause}; the record has sides of {found}.",
        meaning="The rule sheet says which sides may be formed. Everybody may always play alone.",
        clauses={
            "none": "play alone",
            "some": "play alone or in sides of {sizes}",
        },
    ),
}


# The codes of positions that cannot have come about.

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
            "more-even": "players who have played equally many cards to a trick hold equally many",
            "more-led": "a player who has played to the trick holds one fewer",
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
            "more-turned-up": "all players draw, so with the turn-up they share it evenly",
            "more-even": "all players draw, and nothing is turned up, so they share it evenly",
        },
    ),
    (
        "impossible-trick", "play", "A position with a trick that cannot be",
        "{player} is to act, {clause}.",
        "A trick in progress has one card, its lead. A player who has just won a trick has not been led to yet.",
        {
            "completed": "but the trick has {cards}, and the second card completes a trick",
            "more-completed": "but the trick has {cards}, and the last card completes a trick",
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
            "more-odd": "tricks have as many cards as there are players",
            "more-just-won": "the cards of the trick just won must be there",
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
        {
            "not-dix": "the dix is {dix}",
            "not-held": "nobody holds it",
            "too-many": "of the {count} named only {held} can be held",
        },
    ),
    (
        "impossible-pile", "tableau", "A pile with too many cards",
        "The pile of rank {rank} has {cards}; the fifth card completes a pile, and it leaves the game.",
        "Zetema: a pile has at most four cards.",
    ),
)  # fmt: skip

SETUP_CODES = make_codes("illegal", *_SETUP_ROWS)


__all__ = ["FINDING_CODES", "FORBIDDING_CODES", "FindingCode"]

FINDING_CODES: dict[str, FindingCode] = {
    **DECODING_CODES, **RULES_CODES, **ILLEGAL_CODES, **SETUP_CODES, **CLAIM_CODES
}  # fmt: skip

FORBIDDING_CODES = frozenset(
    code for code, row in FINDING_CODES.items() if row.severity in ("illegal", "mismatch")
)
"""The codes of what the rules forbid, and of what is said wrongly: a move with one of them is not made."""
