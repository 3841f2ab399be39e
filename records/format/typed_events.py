"""A line of events as people type it: numbers of tricks, cards, what seats do, their melds, and what stands between."""

import json
import re
from array import array

from records.events import MELD_NAMES
from records.format.typed_actions import (
    ARTICLES,
    BULLETS,
    DISCARDS,
    DIX,
    DIX_ACTIONS,
    DIX_IN_WORDS,
    DRAWS,
    MARRIAGES,
    MARRIAGES_OF_A_KIND,
    MELDS,
    PLAYS,
    POINTS,
    SCORES,
    TRICK_NUMBERS,
    WINS_WITH,
    action_at,
)
from records.format.typed_cards import SeveralMeanings, card_at, need_one_card, suit_at
from records.format.typed_game import TypedGame, TypedSeats
from records.format.typed_lines import JSON_TEXT, LineWriter, NotUnderstood, after_blanks

_TIME = re.compile(r"\d+ms(?=[\s)]|\Z)")
_COMMENT = re.compile(r"\s*(?:;|//|(?<=\s)#|(?<=\s)--(?=\s))")
_SEPARATOR = re.compile(
    r"\s*(?:[,|/&\u2192>]|[-=]>)\s*(?:and\s+|then\s+)*|\s+[-x]\s+|\s*\.(?=\s|\Z)\s*|\s+(?:and|then|und|et)\s+(?:then\s+)?",
    re.IGNORECASE,
)
_BY = re.compile(r"by\s+(?=\")")


def rewrite_events(out: LineWriter, seats: TypedSeats, game: TypedGame) -> None:
    """Rewrite a line of events; raises NotUnderstood and SeveralMeanings."""
    _EventLine(out, seats, game).rewrite()


class _EventLine:
    """Rewrites a line, item by item; `plays` counts the cards that were played in it so far."""

    def __init__(self, out: LineWriter, seats: TypedSeats, game: TypedGame) -> None:
        self.out, self.seats, self.game = out, seats, game
        self.melds = _MeldWriter(out, game)
        self.plays = 0

    def rewrite(self) -> None:
        out = self.out
        out.skip_blanks()
        if (bullet := out.take(BULLETS)) is not None:
            out.leave_out(bullet.end())
        self._number()
        self._items()
        if "".join(out.parts).rstrip(" .").isdigit():
            # A number alone is nothing.
            out.parts, out.columns = [], array("L")

    def _number(self) -> None:
        out = self.out
        if (number := out.take(TRICK_NUMBERS)) is None:
            return
        rest, sign = number.end(), number["word"] or number["th"] or number[4]
        if not sign and card_at(out.source, out.at) and not self._acts_at(rest):
            return  # the ten of a suit
        if (
            sign
            or out.source[rest : rest + 1] in ("", "(", "{", '"')
            or self.seats.actor_at(out.source, rest)
            or card_at(out.source, rest)
        ):
            out.write(f"{number[2]}. ", rest, "word" if sign != "." else "")

    def _items(self) -> None:
        """Everything up to the end, or to a comment: what stands behind a semicolon is one if it is not understood."""
        out = self.out
        start, semicolon = out.at, None
        while out.at < len(out.source):
            comment = out.take(_COMMENT)
            if comment is not None and comment[0].strip() == ";":
                semicolon = out.place()
                out.write(" ", comment.end())
            elif comment is not None:
                out.leave_out(len(out.source))
                return
            try:
                self._part(start)
            except (NotUnderstood, SeveralMeanings) as error:
                doubted = isinstance(error, SeveralMeanings) and out.source[error.end - 1] != "?"
                if semicolon is None or doubted:
                    raise
                out.return_to(semicolon)
                out.leave_out(len(out.source))

    def _part(self, start: int) -> None:
        """The next score, taker or item, with what stands before it."""
        out = self.out
        if (scores := out.take(SCORES)) is not None:
            out.leave_out(scores.end())
            return
        if self.plays and (taker := self.seats.taker_at(out.source, out.at)) is not None:
            out.write(f" {taker[0]}:takes", taker[1], "word")
            return
        if (between := out.take(_SEPARATOR)) is not None and out.at > start:
            out.write(" " if out.parts else "", between.end())
        out.skip_blanks()
        if out.at < len(out.source) and out.take(_COMMENT) is None:
            self._item()

    def _item(self) -> None:
        out = self.out
        sign = out.source[out.at]
        if sign == '"' and (text := out.take(JSON_TEXT)) is not None:
            out.write(text[0], text.end())
        elif sign in "([" and self._acts_at(out.at):
            self._act(*self.seats.actor_at(out.source, out.at))  # type: ignore[misc]
        elif sign in "()":
            out.write(sign, out.at + 1)
        elif sign == "{":
            self._braces()
        elif (time := out.take(_TIME)) is not None:
            out.write(time[0], time.end())
        elif (by := out.take(_BY)) is not None:
            out.write("by ", by.end())
        elif (actor := self.seats.actor_at(out.source, out.at)) is not None:
            self._act(*actor)
        elif (card := card_at(out.source, out.at)) is not None:
            out.write(*card, "card")
            self.plays += 1
        else:
            need_one_card(out.source, out.at)
            raise NotUnderstood

    def _acts_at(self, at: int) -> bool:
        """Whether somebody does something there."""
        actor, source = self.seats.actor_at(self.out.source, at), self.out.source
        return actor is not None and bool(card_at(source, actor[1]) or action_at(source, actor[1]))

    def _braces(self) -> None:
        """An extension, which names its domain, or a comment, as chess writes it."""
        out = self.out
        try:
            value, end = json.JSONDecoder().raw_decode(out.source, out.at)
            is_extension = bool(value) and all("." in name for name in value)
        except (ValueError, RecursionError):
            is_extension, end = False, out.at
        if is_extension:
            out.write(out.source[out.at : end], end)
            return
        end = out.source.find("}", out.at) + 1
        if not end:
            raise NotUnderstood
        out.leave_out(end)

    # What a seat does.

    def _act(self, seat: str, end: int) -> None:
        """What a seat does: a play, a draw, a discard, or something that has a name."""
        sign, end = self._sign_at(end)
        source = self.out.source
        if (article := ARTICLES.match(source, end)) is not None:
            end = article.end()
        if sign == ":" and (self.melds.write_in_words(seat, end) or self._win(seat, end)):
            return
        card = card_at(source, end)
        if sign == ":" and card is None:
            end = self.melds.find_meld(end)
            card = card_at(source, end)
        action = action_at(source, end) if sign == ":" and card is None else None
        if action is None and card is None:
            need_one_card(source, end)
            raise NotUnderstood
        if action is None and ":" not in source[self.out.at : end]:
            self._need_one_deed(seat, end)
        self.out.write(f"{seat}{sign}", end, "seat")
        if action is not None:
            self.melds.write(*action)
        elif card is not None:
            self.out.write(*card, "card")
            self.plays += sign == ":"

    def _sign_at(self, end: int) -> tuple[str, int]:
        """The sign of what a seat does, behind what names the seat, and where the sign or a verb ends."""
        source = self.out.source
        sign = source[end : end + 1]
        if sign in ("+", "-"):
            end += 1
        else:
            sign, end = self._verb_at(end)
        end = after_blanks(source, end)
        if sign == "-" and self.game.has_only_tricks and source[end - 1].isspace():
            sign = ":"  # a dash between a seat and its card: nobody discards in this game
        return sign, end

    def _verb_at(self, at: int) -> tuple[str, int]:
        """The sign of what is done with a card, by the verb that stands there or without one, and where the verb ends."""
        discarded = ":" if self.game.has_only_tricks else "-"
        for pattern, sign in ((PLAYS, ":"), (DRAWS, "+"), (DISCARDS, discarded)):
            if (verb := pattern.match(self.out.source, at)) is not None:
                return sign, verb.end()
        return ":", at

    def _win(self, seat: str, end: int) -> bool:
        """A card that takes the trick, behind the words that say so; false without them."""
        out = self.out
        if (words := WINS_WITH.match(out.source, end)) is None:
            return False
        if (card := card_at(out.source, words.end())) is None:
            raise NotUnderstood
        out.write(f"{seat}:", words.end(), "seat")
        out.write(*card, "card")
        out.add(f" {seat}:takes")
        self.plays += 1
        return True

    def _need_one_deed(self, seat: str, at: int) -> None:
        """Raise SeveralMeanings for cards behind a whole trick that may be a meld, or played one after the other."""
        cards, end = _cards_at(self.out.source, at)
        name = self.game.meld_of(cards)
        if name and self.plays == len(self.seats.names) == 2:
            laid = " ".join(cards)
            raise SeveralMeanings(self.out.at, end, (f"{seat}:{name}({laid})", f"{seat}:{laid}"))


def _cards_at(text: str, at: int) -> tuple[list[str], int]:
    """The cards with blanks between them that begin there, and where the last of them ends."""
    cards, end = list[str](), at
    while (card := card_at(text, at)) is not None:
        cards.append(card[0])
        end = card[1]
        at = after_blanks(text, end)
    return cards, end


# What has a name.

MOST_READINGS_OF_A_MELD = 6
"""A meld that is named without its cards is asked about if the rules leave so many."""
_OPENED = re.compile(r"\s*\(\s*")
_BEFORE_CARDS = re.compile(r"\s*[:=]?\s*(?:\()?\s*(?:of|in|with|de)?\s*", re.IGNORECASE)
_FROM = re.compile(r"\s*from\s+(?=\S)", re.IGNORECASE)


class _MeldWriter:
    """Writes what has a name, behind the seat that does it."""

    def __init__(self, out: LineWriter, game: TypedGame) -> None:
        self.out, self.game = out, game
        self._kind = ""
        """Of a marriage: `royal`, `trump`, `common` or `plain`, or nothing that was said."""

    def write_in_words(self, seat: str, end: int) -> bool:
        """Write the seat, and an exchange or a marriage of a suit that is told in words; false for anything else."""
        if (dix := DIX_IN_WORDS.match(self.out.source, end)) is not None:
            written, after = f"dix({'show' if dix['show'] else 'exchange'})", dix.end()
        elif (suit := self._suit_of_marriage(end)) is not None:
            written, after = f"marriage(K{suit[0]} Q{suit[0]})", suit[1]
        else:
            return False
        self.out.write(f"{seat}:", end, "seat")
        self.out.write(written, after, "word")
        self._points()
        return True

    def _suit_of_marriage(self, at: int) -> tuple[str, int] | None:
        """The suit of a marriage that is named before it, as in a diamond marriage, and where both end."""
        source = self.out.source
        verb = MELDS.match(source, at)
        suit = suit_at(source, verb.end() if verb else at)
        if suit is None:
            return None
        married = MARRIAGES.match(source, after_blanks(source, suit[1]))
        return (
            (suit[0], married.end()) if married and suit_at(source, married.end()) is None else None
        )

    def find_meld(self, at: int) -> int:
        """Where the name of a meld begins, behind a verb and the kind of a marriage; elsewhere the same place."""
        source, start = self.out.source, at
        verb = MELDS.match(source, at)
        at = verb.end() if verb else at
        self._kind = ""
        if (kind := MARRIAGES_OF_A_KIND.match(source, at)) is not None:
            at, self._kind = kind.end(), kind["kind"].lower()
        named = action_at(source, at)
        if named is None or named[0] not in (*MELD_NAMES, "carte_blanche"):
            return start
        if verb and verb["open"] and self.game.may_wait:
            raise SeveralMeanings(start, verb.end("open"), ("melds", "declare"))
        return at

    def write(self, name: str, end: int) -> None:
        """Write the name of an action, which ends there, and what belongs to it."""
        out = self.out
        start = out.at
        out.write(name, end, "word")
        if name == "dix":
            self._dix(start)
        elif name in MELD_NAMES:
            self._meld_cards(name, start)
        elif name == "declare" and out.take(_OPENED) is None:
            self._declared()
        elif name in ("declare", "cut", "score", "irregular"):
            self._brackets()
        if name not in ("takes", "declare", "cut"):
            self._points()

    def _dix(self, start: int) -> None:
        out = self.out
        found = out.take(DIX)
        if found is None:
            readings = tuple(f"dix({action})" for action in DIX_ACTIONS)
            raise SeveralMeanings(start, out.at, readings)
        action = next(action for action in DIX_ACTIONS if found[action])
        out.write(f"({action}", found.end(), "word")
        end = after_blanks(out.source, out.at)
        if (card := card_at(out.source, end)) is not None:
            out.add(" ")
            out.at = end
            out.write(*card, "card")
        self._close()

    def _meld_cards(self, name: str, start: int) -> None:
        out = self.out
        opened = out.take(_BEFORE_CARDS)
        end = opened.end() if opened else out.at
        if name == "marriage" and (suit := suit_at(out.source, end)) is not None:
            out.write(f"(K{suit[0]} Q{suit[0]}", suit[1], "card")
            self._close()
            return
        if card_at(out.source, end) is None:
            self._cards_by_the_rules(name, start)
            return
        out.add("(")
        out.at = end
        self._cards()
        if (laid := out.take(_FROM)) is not None:
            out.write(" from ", laid.end())
            self._cards()
        self._close()

    def _cards_by_the_rules(self, name: str, start: int) -> None:
        """The cards of a meld that is named alone: those that the rules leave, or a question where they leave a few."""
        out = self.out
        points = self._points_at()
        cards = self.game.cards_of(name, int(points[0]) if points else None, self._kind)
        if not 1 <= len(cards) <= MOST_READINGS_OF_A_MELD:
            raise NotUnderstood
        if len(cards) > 1:
            raise SeveralMeanings(start, out.at, tuple(f"{name}({each})" for each in cards))
        out.tell("word", start, f"{name}({cards[0]})")
        out.add(f"({cards[0]})")

    def _cards(self) -> None:
        """Cards, with blanks or commas between them; raises NotUnderstood without one."""
        if not self.out.write_cards():
            raise NotUnderstood

    def _declared(self) -> None:
        """The meld that is shown, and its cards, without brackets."""
        out = self.out
        out.add("(")
        out.at = after_blanks(out.source, out.at)
        named = action_at(out.source, out.at)
        if named is None or named[0] not in MELD_NAMES:
            raise NotUnderstood
        out.write(f"{named[0]} ", named[1], "word")
        self._cards()
        self._close()

    def _brackets(self) -> None:
        """What stands in brackets, as it is."""
        out = self.out
        opened = out.take(_OPENED)
        close = out.source.find(")", out.at)
        if opened is None or close < 0:
            raise NotUnderstood
        out.add("(")
        out.at = opened.end()
        out.write(out.source[out.at : close].strip(), close)
        self._close()

    def _close(self) -> None:
        """Write the bracket that closes, whether one stands there or not."""
        out = self.out
        end = after_blanks(out.source, out.at)
        if out.source.startswith(")", end):
            out.at = end + 1
        out.add(")")

    def _points(self) -> None:
        if (points := self._points_at()) is not None:
            self.out.write(f"={points[0]}", points[1], "word")

    def _points_at(self) -> tuple[str, int] | None:
        """The points that stand here, and where they end."""
        found = self.out.take(POINTS)
        return (next(filter(None, found.groups())), found.end()) if found is not None else None
