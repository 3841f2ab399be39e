"""The game that a text is of, as people type it: who sits where, by which rules, which deal; in tags, or in lines without them.

What the lines before have said is kept, because cards and names mean something only by it.
"""

import re
from collections.abc import Sequence

from records.cards import SUIT_NAMES
from records.format.notation import SEAT_LETTERS, quote
from records.format.text_places import is_json
from records.format.typed_actions import LINE_END, TRICK_NUMBERS
from records.format.typed_cards import RANK_WORDS, SeveralMeanings, card_at, suit_at
from records.format.typed_lines import JSON_SIGNS, JSON_TEXT, LineWriter, NotUnderstood, unquoted
from records.format.written_dates import WrittenDate, read_date
from records.rules.compiled import meld_requirements
from records.rules.registry import SHEETS_BY_ID, named_sheet
from records.rules.vocabulary import RuleSheet

# What the lines have said so far.

_PLAYER_TAG = re.compile(rf"\s*\[player [a-f] ({JSON_TEXT.pattern})")


class TypedSeats:
    """The names of the players, by their seats, and the patterns that find them in a line."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.are_letters_free = False
        """Whether no tag says which letter means whom, so that one may also be the first of a name."""
        self._compile()

    @property
    def next_letter(self) -> str:
        """The letter of the first seat without a player; empty if every seat has one."""
        return SEAT_LETTERS[len(self.names) : len(self.names) + 1]

    def read(self, line: str) -> None:
        """Learn what a line in the notation says."""
        player = _PLAYER_TAG.match(line)
        if player is not None and (name := unquoted(player[1])) is not None:
            self.add(name)

    def add(self, name: str) -> str:
        """Give a player the next seat, if there is one; returns the tag that says so, without its brackets."""
        letter = self.next_letter
        if letter:
            self.names.append(name)
            self._compile()
        return f"player {letter} {quote(name)}"

    def letter_of(self, name: str) -> str | None:
        """The letter of the seat of a player; None if there is none or more than one of that name."""
        found = [
            place for place, each in enumerate(self.names) if each.casefold() == name.casefold()
        ]
        return SEAT_LETTERS[found[0]] if len(found) == 1 else None

    def seat_named(self, who: str) -> str | None:
        """The letter of a seat that is given by it or by the name of its player; None if nobody sits there."""
        letters = SEAT_LETTERS[: len(self.names)]
        return who.lower() if len(who) == 1 and who.lower() in letters else self.letter_of(who)

    def actor_at(self, text: str, at: int) -> tuple[str, int] | None:
        """The seat that acts there, and where what names it ends, with the colon behind it."""
        found = self._actors.match(text, at)
        if found is None:
            return None
        letter = self._seat_of(found["who"] or found["inside"], at)
        if letter is None or (not found["sign"] and card_at(text, at) is not None):
            return None
        return letter, found.end()

    def taker_at(self, text: str, at: int) -> tuple[str, int] | None:
        """The seat that is written behind a trick because it took it, and where that ends."""
        found = self._takers.match(text, at)
        letter = self._seat_of(found["who"], found.start("who")) if found is not None else None
        return None if found is None or letter is None else (letter, found.end())

    def _seat_of(self, who: str, at: int) -> str | None:
        """The letter of a seat that is named by it or by its player."""
        if len(who) > 1:
            return self.letter_of(who)
        if self.are_letters_free:
            self._need_one_meaning(who, at)
        return who.lower()

    def _need_one_meaning(self, letter: str, at: int) -> None:
        """Raise SeveralMeanings if a letter may mean one player by the seat and another by the name."""
        seated = self.names[SEAT_LETTERS.index(letter.lower())]
        meant = [name for name in self.names if name[:1].casefold() == letter.casefold()]
        if meant and meant != [seated]:
            raise SeveralMeanings(at, at + 1, tuple(dict.fromkeys([seated, *meant])))

    def _compile(self) -> None:
        names = sorted({name for name in self.names if len(name) > 1}, key=len, reverse=True)
        letters = SEAT_LETTERS[: len(self.names)] or SEAT_LETTERS
        who = "|".join([f"[{letters}]", *map(re.escape, names)])
        self._actors = re.compile(
            rf"(?P<who>{who})(?:['’]s)?(?:\s*(?P<sign>[:=]|\.(?=\s)|(?=[+-]\s*\S))\s*|\s+(?=\S))"
            rf"|[(\[]\s*(?P<inside>{who})\s*[)\]]\s*:?\s*(?=\S)",
            re.IGNORECASE,
        )
        self._takers = re.compile(
            rf"(?:\s*(?:(?P<open>[(\[])\s*(?:won\s+by\s+)?|(?P<sign>(?:[-=]+>|\u2192|=|(?:won|taken)\s+by)\s*))|\s+)(?P<who>{who})"
            rf"(?:['’]s(?:\s+trick)?)?(?(open)\s*[)\]])(?=(?(open)|(?(sign)|(?={LINE_END}|\s*[|;])))"
            rf"(?:{LINE_END}|\s*[,;|]|\s+(?:{who})(?:\s*[:=.]|\s+\w)))",
            re.IGNORECASE,
        )


RULES_TAG = re.compile(r'\[rules "?([^"\]\s]+)')
_OPTION_TAG = re.compile(r"\s*\[(?:option|json sheet)\b")
_DEAL_TAG = re.compile(r"\s*\[deal\b")
_TURN_UP_TAG = re.compile(r"\s*\[turn_up (?:10|\w)([SHDC])")


class TypedGame:
    """The rules, and how far the game has come.

    `dealer` and `turn_up` are the seat and the card of a deal that is to come, if a line has said them without a tag.
    """

    def __init__(self) -> None:
        self.may_wait = self.has_only_tricks = False
        """Whether melds may wait to score, and whether nobody draws, discards or melds."""
        self.deals = 0
        self.is_dealt = False
        """Whether a deal has begun since the last line that says who plays what."""
        self.dealer = self.turn_up = ""
        self._trump = ""
        self._melds = frozenset[str]()
        self._sheet: RuleSheet | None = None

    def read(self, line: str) -> None:
        """Learn what a line in the notation says."""
        if (rules := RULES_TAG.match(line)) is not None:
            sheet = SHEETS_BY_ID.get(rules[1])
            self._sheet = sheet
            self.has_only_tricks = sheet is not None and sheet.rules.tableau is None
            self.may_wait = sheet is None or sheet.rules.pending
            self._melds = frozenset(row.name for row in sheet.rules.melds) if sheet else frozenset()
        elif _OPTION_TAG.match(line) is not None:
            self._sheet = None  # its melds may be others
        elif _DEAL_TAG.match(line) is not None:
            self._trump = ""
            self.deals += 1
            self.is_dealt = True
        elif (turned := _TURN_UP_TAG.match(line)) is not None:
            self._trump = turned[1]

    def trump_in_words(self) -> str:
        """The suit of the card turned up, in words; empty if none is known."""
        return SUIT_NAMES.get(self._trump or self.turn_up[-1:], "")

    def cards_of(self, name: str, points: int | None, kind: str = "") -> list[str]:
        """What the cards of a meld can be by the rules as published: of a marriage of a kind, and of a meld with such points."""
        if self._sheet is None:
            return []
        found = {
            " ".join(card for card, number in needed for _ in range(number))
            for needed, row in meld_requirements(self._sheet, self._trump or None)
            if row.name == name
            and points in (None, row.points)
            and (not kind or (needed[0][0][1] == self._trump) == (kind in ("royal", "trump")))
        }
        return sorted(found)

    def meld_of(self, cards: Sequence[str]) -> str:
        """What a pair or four of a kind is called here; empty for other cards."""
        ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
        names = [f"four_{word}s" for word, rank in RANK_WORDS.items() if ranks == {rank}]
        if len(cards) == 2:
            pairs = {"KQ": ["marriage"] if len(suits) == 1 else [], "JQ": ["bezique", "marjolet"]}
            names = pairs.get("".join(sorted(ranks)), [])
        elif len(cards) != 4:
            names = []
        return next((name for name in names if name in self._melds), "")


# Tags.

_TAG = re.compile(
    r"\s*\[\s*(?P<name>[A-Za-z][A-Za-z_ -]*?)(?P<gap>\s+|\s*[:=]\s*|(?=\s*(?:\]|\Z)))"
)
_HEADER = re.compile(
    r"\s*(?P<name>rules|game|spiel|jeu|players?|spieler|joueurs|event|site|ort|lieu|date|datum|round|runde|claims)\s*[:=]\s*(?=\S)",
    re.IGNORECASE,
)
"""A tag without brackets."""
_TAG_NAMES = {
    "rule": "rules", "game": "rules", "players": "player", "options": "option", "turnup": "turn_up", "trumps": "trump",
    "spiel": "rules", "jeu": "rules", "spieler": "player", "joueurs": "player", "ort": "site", "lieu": "site", "datum": "date",
    "runde": "round", "hands": "hand", "claim": "claims", "dealer": "deal", "results": "result", "sheet": "rules",
}  # fmt: skip
_OCCASION = ("event", "site", "round", "date", "started", "place")
"""Tags that say something of the occasion, as those of chess do."""
_CARD_TAGS = ("turn_up", "trick", "spent_dixes", "tableau")
_SEAT_TAGS = ("deal", "setup", "seat")
_EDITION = re.compile(r"\s+edition\s+(\d+)\s*\Z", re.IGNORECASE)
_PLAYER_TAIL = re.compile(
    r'(\s+id\s+"(?:[^"\\]|\\.)*")?(\s+(?:person|program))?\s*\Z', re.IGNORECASE
)
_NO_NAME = re.compile(r"(?:[a-f](?:\s|\Z)|\Z)", re.IGNORECASE)
"""The letter of another seat, or nothing."""
_YES = {"yes": "true", "no": "false", "on": "true", "off": "false"}
_LISTED = re.compile(r"\s*[,;&]\s*|\s+(?:and|v|vs|-)\.?\s+", re.IGNORECASE)
_TWO_SCORES = re.compile(r"(\d+)\s*[-:/]\s*(\d+)")


def is_tag(line: str) -> bool:
    """Whether a line is a tag, as it stands or as people type one in brackets."""
    return _TAG.match(line) is not None


def rewrite_tag(out: LineWriter, seats: TypedSeats) -> bool:
    """Rewrite a line that is a tag; false for any other. Raises NotUnderstood and SeveralMeanings."""
    tag = out.take(_TAG) or out.take(_HEADER)
    if tag is not None:
        _TagLine(out, seats, tag).rewrite()
    return tag is not None


class _TagLine:
    """Rewrites a line that is a tag."""

    def __init__(self, writer: LineWriter, seats: TypedSeats, found: re.Match[str]) -> None:
        self.out, self.seats = writer, seats
        name = re.sub("[ -]", "_", found["name"].lower())
        self.name = _TAG_NAMES.get(name, name)
        start, end = found.end(), len(writer.source.rstrip())
        closed = writer.source.endswith("]", start, end)
        self.end = end - closed if start <= end - closed else start
        self.value = writer.source[start : self.end].strip()
        self.start = start
        self.begin = writer.source.find("[") if found.re is _TAG else found.start("name")
        self.is_list = name in ("players", "spieler", "joueurs")

    def rewrite(self) -> None:
        """Rewrite the line; raises NotUnderstood and SeveralMeanings."""
        out, value = self.out, self.value
        if self.name in _OCCASION:
            self._tell(self.name, value)
        elif self.name == "meta":
            member, _, rest = value.partition(" ")
            self._tell(member.strip('"'), rest.strip() or '""')
        elif self.name == "rules":
            self._rules()
        elif self.is_list and (names := _LISTED.split(value))[1:]:
            self._players(names)
        elif self.name == "player":
            self._player()
        elif self.name == "claims" and (scores := _TWO_SCORES.fullmatch(value)) is not None:
            self._put(f"claims {scores[1]} {scores[2]}", "word")
        elif self.name == "option":
            *words, last = value.split() or [""]
            self._put(f"option {' '.join([*words, _YES.get(last.lower(), last)])}", "word")
        elif self.name in _SEAT_TAGS:
            self._put(f"{self.name} {self.seats.letter_of(value) or value.lower()}", "seat")
        elif self.name == "trump":
            suit = suit_at(f"{value} ", 0)
            self._put(f"trump {suit[0] if suit else value.upper()}", "card")
        elif self.name in (*_CARD_TAGS, "hand", "captured") or (
            self.name == "stock" and not value.isdigit()
        ):
            self._card_tag()
        else:
            self._put(f"{self.name} {value}".strip())
        out.at = len(out.source)

    def _put(self, text: str, kind: str = "tag") -> None:
        """Write the whole tag; what differs of it is noted as of this kind."""
        out = self.out
        out.at = self.begin
        out.write(f"[{text}]", len(out.source.rstrip()), kind)

    def _tell(self, member: str, value: str) -> None:
        """A member of `meta`, with its value as JSON."""
        text = unquoted(value)
        if member in ("started", "date") and text is not None:
            self._date(text)
        else:
            is_value = value.startswith(JSON_SIGNS) or is_json(value)
            self._put(f"meta {member} {value if is_value else quote(value)}")

    def _date(self, text: str) -> None:
        if tags := _date_tags(text, self.out):
            self._put("]\n[".join(tags), "date")
        else:
            self._put(f"meta {'started' if 'T' in text else 'date'} {quote(text)}")

    def _rules(self) -> None:
        edition = _EDITION.search(self.value)
        name = self.value[: edition.start()] if edition else self.value
        sheet = named_sheet(name)
        if sheet is None:
            raise NotUnderstood
        self._put(f"rules {sheet}" + (f" edition {edition[1]}" if edition else ""), "word")

    def _player(self) -> None:
        tail = _PLAYER_TAIL.search(self.value)
        name = self.value[: tail.start()] if tail else self.value
        end = tail[0].rstrip() if tail else ""
        if letter := self.seats.next_letter:
            name = re.sub(rf"\A{letter}\s*[:.]?\s+(?=\S)", "", name, flags=re.IGNORECASE)
        self._put(self._seat(name.strip()) + end)

    def _players(self, names: Sequence[str]) -> None:
        self._put("]\n[".join([self._seat(name) for name in names]))

    def _seat(self, written: str) -> str:
        """Give a player the next seat, and return the tag that says so; raises NotUnderstood for what is no name."""
        name = unquoted(written)
        if not self.seats.next_letter or name is None or '"' in name or _NO_NAME.match(name):
            raise NotUnderstood
        return self.seats.add(name)

    def _card_tag(self) -> None:
        out = self.out
        out.at = self.begin
        out.write(f"[{self.name} ", self.start, "tag")
        if self.name in ("hand", "captured"):
            actor = self.seats.actor_at(out.source, out.at)
            if actor is None:
                raise NotUnderstood
            out.write(f"{actor[0]} ", actor[1], "seat")
        out.write_cards()
        if out.source[out.at : self.end].strip():
            raise NotUnderstood
        out.add("]")


def _date_tags(text: str, out: LineWriter) -> list[str]:
    """The tags for a date that stands in a line; none if it is no date. Raises SeveralMeanings if it may be several."""
    readings = read_date(text)
    if len(readings) > 1:
        at = out.source.index(text)
        raise SeveralMeanings(at, at + len(text), tuple(reading.iso() for reading in readings))
    return _tags_of(readings[0]) if readings else []


def _tags_of(written: WrittenDate) -> list[str]:
    """The tags that say when a match was: a moment with its zone, or a day, and the time by some clock."""
    if written.clock is not None and written.offset:
        return [f'meta started "{written.iso()}"']
    tags = [f'meta date "{written.day.isoformat()}"']
    return tags if written.clock is None else [*tags, f'meta time "{written.clock:%H:%M}"']


# Lines without tags: a title, who deals, what is turned up, how a deal ended.

_TITLE_PARTS = re.compile(r"\s*[,;]\s*")
_TITLE_PLAYERS = re.compile(r"(.+?)\s+(?:-|–|—|v|vs|v\.|vs\.|against|and|&)\s+(.+)", re.IGNORECASE)
_TITLE_TURN_UP = re.compile(
    r"(?:the\s+)?(?:turn(?:ed)?[- _]?up|trumps?(?:\s+card)?|retourne|aufgedeckt)\s*[:=]?\s*",
    re.IGNORECASE,
)
_TITLE_ORDER = ("rules", "players", *(f"players {letter}" for letter in SEAT_LETTERS), "date")
_WHO_DEALS = r"(?:dealer|geber|donneur|deals?)\s*[:=]?\s*(?P<name>[^\W\d].*)|(?P<who>[^\W\d].*?)\s+(?:deals|dealt|gibt|donne)"
_DEALER_BEHIND = re.compile(r"\s*\((?:dealer|deals|geber|donneur)\)\Z", re.IGNORECASE)
_DEAL_NUMBER = r"(?:deal|hand|donne)\s*(?:no\.?|nr\.?|#)?\s*\d{1,3}"
_DEALS = re.compile(rf"(?:{_DEAL_NUMBER}\s*[:.-]?\s*)?[(\[]?(?:{_WHO_DEALS})?[)\]]?", re.IGNORECASE)
_NEW_DEAL = re.compile(rf"{_DEAL_NUMBER}(?!\w)|{_WHO_DEALS}\Z", re.IGNORECASE)
_FINAL_SCORES = re.compile(
    r"(?:final\s+)?(?:scores?|totals?|points|results?|ergebnis|punkte)\s*[:=]?\s*(\d+)\s*(?:[-:/,]|\s)\s*(\d+)",
    re.IGNORECASE,
)
_LONGEST_HEAD = 300
"""Characters of a line that says who plays what."""


def rewrite_head(out: LineWriter, seats: TypedSeats, game: TypedGame) -> bool:
    """Rewrite a line that says who plays what, who deals, which card is turned up, or how a deal ended; false for any other.

    Raises NotUnderstood and SeveralMeanings.
    """
    return len(out.source.strip()) <= _LONGEST_HEAD and _HeadLine(out, seats, game).rewrite()


class _HeadLine:
    """Rewrites a line that says such a thing without brackets."""

    def __init__(self, out: LineWriter, seats: TypedSeats, game: TypedGame) -> None:
        self.out, self.seats, self.game = out, seats, game
        self.text = out.source.strip()

    def rewrite(self) -> bool:
        if self.game.is_dealt and (scores := self._final_scores()):
            self.out.write(f"[claims {scores}]", len(self.out.source), "word")
            return True
        if self.game.is_dealt and not _NEW_DEAL.match(self.text):
            return self._turned()
        found = [self._head_of(part) for part in _title_parts(self.text)]
        heads = [head for head in found if head is not None]
        if not found or len(heads) < len(found):
            return False
        if len({name for name, _ in heads}) < len(heads):
            raise NotUnderstood
        self.game.is_dealt = False
        self._write(dict(heads))
        return True

    def _write(self, heads: dict[str, list[str]]) -> None:
        """Write the tags of such a line in their order; it may say only what the next deal is to have."""
        out = self.out
        lines = [f"[{tag}]" for name in _TITLE_ORDER for tag in heads.get(name, ())]
        if lines:
            out.write("\n".join(lines), len(out.source), "tag")
        else:
            out.leave_out(len(out.source))

    def _turned(self) -> bool:
        """Write the tag of the card that is turned up, below that of its deal; false if the line says no such card."""
        if self._head_of(self.text) != ("turn_up", []):
            return False
        self.out.write(f"[turn_up {self.game.turn_up}]", len(self.out.source), "tag")
        self.game.turn_up = ""
        return True

    def _head_of(self, part: str) -> tuple[str, list[str]] | None:
        """What a part of such a line says: its subject, and its tags; None if it says nothing of that kind."""
        if (deals := _DEALS.fullmatch(part)) is not None:
            who = deals["who"] or deals["name"] or ""
            dealer = self.seats.seat_named(who.rstrip(")] ")) if who else ""
            self.game.dealer = dealer or ""
            return None if dealer is None else ("dealer", [])
        if (turned := _TITLE_TURN_UP.match(part)) is not None:
            card = card_at(part, turned.end())
            if card is not None and card[1] == len(part):
                self.game.turn_up = card[0]
                return "turn_up", []
        if self.game.is_dealt or _NEW_DEAL.match(part):
            return None
        names, seated = _title_names(part, self.seats)
        return self._seat(names, seated=seated) if names else _title_tags(part, self.out)

    def _seat(self, names: list[str], *, seated: bool) -> tuple[str, list[str]]:
        """Give the players whom a part of a line names their seats; `seated` says that it gives them letters."""
        tags = list[str]()
        for written in names:
            name = written
            if (deals := _DEALER_BEHIND.search(written)) is not None:
                name = written[: deals.start()]
                self.game.dealer = self.seats.next_letter
            tags.append(self.seats.add(name))
        self.seats.are_letters_free = not seated
        return f"players {tags[0][7]}" if seated else "players", tags

    def _final_scores(self) -> str:
        """The points of the first deal as a line below it says them; empty if it says none."""
        if self.game.deals != 1:
            return ""
        if (scores := _FINAL_SCORES.fullmatch(self.text)) is not None:
            return f"{scores[1]} {scores[2]}"
        parts = [each.rpartition(" ") for each in _TITLE_PARTS.split(self.text)]
        letters = [self.seats.letter_of(name.rstrip(" :=")) for name, _, _ in parts]
        are_points = all(points.isdecimal() for _, _, points in parts)
        in_order = letters == [*SEAT_LETTERS[: len(self.seats.names)]]
        return " ".join(points for _, _, points in parts) if are_points and in_order else ""


def write_deal(out: LineWriter, seats: TypedSeats, game: TypedGame) -> None:
    """Write the tags of a deal that has none: the seat before the one that leads has dealt. Raises NotUnderstood."""
    if not seats.names:
        raise NotUnderstood
    number = out.take(TRICK_NUMBERS)
    dealer = game.dealer
    if not dealer:
        actor = seats.actor_at(out.source, number.end() if number else 0)
        if actor is None:
            raise NotUnderstood
        dealer = SEAT_LETTERS[(SEAT_LETTERS.index(actor[0]) - 1) % len(seats.names)]
    turned = [f"turn_up {game.turn_up}"] if game.turn_up else []
    tags = [f"deal {dealer}", "knowledge public", *turned]
    out.write("".join(f"[{tag}]\n" for tag in tags), 0, "tag")
    game.is_dealt, game.dealer, game.turn_up = True, "", ""


def _title_parts(text: str) -> list[str]:
    """The parts of a line that says who plays what; behind the name of a game may stand a colon."""
    game, colon, rest = text.partition(":")
    parts = [game, rest.strip()] if colon and named_sheet(game) else [text]
    return [piece for part in parts for piece in _TITLE_PARTS.split(part) if piece]


def _title_names(part: str, seats: TypedSeats) -> tuple[list[str], bool]:
    """The players that a part of a line names, in the order of the seats, and whether it gives them letters."""
    if (letter := seats.next_letter) and (
        seated := re.fullmatch(rf"(?:player\s+)?{letter}\s*[:=]\s*(\S.*)", part, re.IGNORECASE)
    ):
        return [seated[1]], True
    if seats.names or read_date(part) or (players := _TITLE_PLAYERS.fullmatch(part)) is None:
        return [], False
    return [players[1].strip(), players[2].strip()], False


def _title_tags(part: str, out: LineWriter) -> tuple[str, list[str]] | None:
    """The rules or the date that a part of a line says; None if it says neither."""
    if (sheet := named_sheet(part)) is not None:
        return "rules", [f"rules {sheet}"]
    tags = _date_tags(part, out)
    return ("date", tags) if tags else None
