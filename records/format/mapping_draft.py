"""A mapping proposed for a log: how it is laid out, which columns are cards, seats and points, and what its words may mean.

What is not sure is asked in a comment of the draft that begins with `# ?`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from records.events import MELD_NAMES, SCORE_NAMES
from records.format.card_forms import LogCards
from records.format.log_layout import QUESTION, LogSample, has_value, paths_in, read_sample
from records.format.log_mapping import toml_key, toml_value
from records.format.log_words import NOBODY_WORDS, fits_hint, kind_of, meld_in, name_in
from records.format.typed_actions import DIX_ACTIONS


def draft_mapping(logs: Sequence[tuple[str, bytes]]) -> str:
    """A mapping in TOML for logs of one kind, each with its name; raises ConversionError for what is no text."""
    log = read_sample(logs)
    return "\n".join(_Draft(log).lines()) + "\n"


# Sentences: what they have in common, and what differs.


class _Sentences(NamedTuple):
    """The rows of sentences as if they had columns, and the pattern of each as the column `line`."""

    rows: list[dict[str, Any]]
    patterns: list[str]


_SPANS = {"who": r"\w+", "card": ".+?", "cards": ".+", "points": r"\d+"}


def _part_sentences(rows: Sequence[Mapping[str, Any]], cards: LogCards) -> _Sentences:
    texts = [str(row["line"]).strip() for row in rows]
    firsts = Counter(text.split()[0].strip(":,") for text in texts)
    names = {
        name for name, often in firsts.items() if often >= 0.1 * len(texts) and name[:1].isalpha()
    }
    words = sorted(
        (re.escape(card) for card in cards.found.cards if card != "?"), key=len, reverse=True
    )
    one = rf"(?<!\w)(?:{'|'.join(words) or '(?!)'})(?!\w)"
    several = rf"{one}(?:(?:\s*[,|;+/]\s*|\s+(?:and |et |und )?){one})+"
    spans = re.compile(
        rf"(?P<cards>{several})|(?P<card>{one})|(?P<points>(?<![\w.])\d+(?![\w.]))", re.I
    )
    found: list[dict[str, Any]] = []
    patterns: list[str] = []
    for text in texts:
        columns: dict[str, Any] = {}
        pattern = ""
        first = text.split()[0].strip(":,")
        start = 0
        if first in names:
            columns["who"] = first
            pattern, start = r"(?P<who>\w+)", len(first)
        for span in spans.finditer(text, start):
            name = str(span.lastgroup)
            if name in columns:
                continue
            pattern += re.escape(text[start : span.start()]) + f"(?P<{name}>{_SPANS[name]})"
            columns[name], start = span[name], span.end()
        pattern += re.escape(text[start:])
        found.append(columns)
        patterns.append(re.sub(r"\\([ -])", r"\1", pattern))
    return _Sentences(found, patterns)


# The draft.


class _Group(NamedTuple):
    """Rows that one rule is to read: what they say, what they must fit, their name group, and their values."""

    words: str
    when: Mapping[str, str]
    name: str
    rows: list[dict[str, Any]]


class _Draft:
    """Finds out what the columns of a log are, and writes the mapping line by line."""

    def __init__(self, log: LogSample) -> None:
        self.log = log
        self.cards = LogCards(log.rows)
        self.words: dict[str, str | None] = {}
        self.has_dealer = self.has_deal = False
        self.asked: list[str] = []
        if log.form.format == "lines":
            self.rows, patterns = _part_sentences(log.rows, self.cards)
        else:
            self.rows = [dict(paths_in(row, self.cards.members)) for row in log.rows]
        self.paths = [
            path for path in dict.fromkeys(p for row in self.rows for p in row) if path != "comment"
        ]
        self.many = {path: self._count_cards(path) for path in self.paths}
        self.seat_paths = self._find_seats()
        named = (str(value) for path in self.seat_paths for value in self._values(path))
        self.seats = [seat for seat in dict.fromkeys(named) if seat not in NOBODY_WORDS][:6]
        self.kind_path = self._find_kind_path()
        self.begins = {what: self._find_begins(what) for what in ("game", "deal")}
        if log.form.format == "lines":
            self.groups = self._group_sentences(patterns)
        else:
            self.groups = self._group_rows()

    def _values(self, path: str) -> list[Any]:
        return [row[path] for row in self.rows if has_value(row.get(path))]

    def _count_cards(self, path: str) -> float:
        """How many cards a column has where it has any, on average; 0 where it has mostly something else."""
        counts = [self.cards.count(value) for value in self._values(path)]
        cards = [count for count in counts if count is not None]
        numbered = self.cards.names and not re.search(
            r"card|kart|cart|^c$|hand|talon|stock|up$|lead|reply", path.lower()
        )
        return (
            0
            if not cards or numbered or len(cards) < 0.8 * len(counts)
            else sum(cards) / len(cards)
        )

    def _find_seats(self) -> list[str]:
        """The columns that say who did it."""
        found = []
        for path in self.paths:
            values = self._values(path)
            texts = {str(value) for value in values if not isinstance(value, (list, dict))}
            if (
                self.many[path]
                or not texts
                or len(texts) > 6
                or any(isinstance(v, (list, dict)) for v in values)
            ):
                continue
            if any(fits_hint(path, what) for what in ("seat", "winner", "dealer")):
                found.append(path)
        if not found:
            found = sorted(filter(self._may_be_seats, self.paths), key=self._count_changes)[-1:]
        return sorted(found, key=lambda path: not fits_hint(path, "seat"))

    def _may_be_seats(self, path: str) -> bool:
        """Whether a column has two values, a sign for nobody aside."""
        texts = {str(value) for value in self._values(path)} - NOBODY_WORDS
        return not self.many[path] and len(texts) == 2

    def _count_changes(self, path: str) -> int:
        return sum(one != other for one, other in pairwise(self._values(path)))

    def _find_kind_path(self) -> str | None:
        """The column that says what happened: the one most of whose words name a kind of event."""
        best: tuple[float, str] | None = None
        for path in self.paths:
            words = {str(value).split(" ")[0] for value in self._values(path)}
            if self.many[path] or path in self.seat_paths or not words or len(words) > 40:
                continue
            known = sum(kind_of(word) is not None for word in words) / len(words)
            filled = len(self._values(path)) / len(self.rows)
            if known > 0.4 and filled > 0.8 and (best is None or known > best[0]):
                best = known, path
        return None if best is None else best[1]

    def _find_begins(self, what: str) -> str | None:
        """The column that tells games or deals apart: its values come in blocks."""
        for path in self.paths:
            values = [str(value) for value in self._values(path)]
            is_taken = self.many[path] or path in self.seat_paths or path == self.kind_path
            if is_taken or not fits_hint(path, what) or len(values) < 0.9 * len(self.rows):
                continue
            blocks = 1 + sum(one != other for one, other in pairwise(values))
            if blocks <= max(2, len(values) // 10):
                return path
        return None

    # Rows of one kind

    def _group_rows(self) -> list[_Group]:
        if self.kind_path is None:
            return [_Group("", {}, "", self.rows)]
        said = [str(row.get(self.kind_path) or "") for row in self.rows]
        by_first: dict[str, set[str]] = {}
        for words in said:
            by_first.setdefault(words.split(" ")[0], set()).add(words)
        groups: dict[str, _Group] = {}
        for words, row in zip(said, self.rows, strict=True):
            first = words.split(" ")[0]
            is_open = len(by_first[first]) > 1 and any(" " in each for each in by_first[first])
            pattern = rf"{_escape(first)} ?(?P<name>.*)" if is_open else _escape(words)
            group = groups.setdefault(
                pattern,
                _Group(
                    words if not is_open else first,
                    {self.kind_path: pattern},
                    "name" if is_open else "",
                    [],
                ),
            )
            group.rows.append({**row, "name": words[len(first) :].strip()} if is_open else row)
        return list(groups.values())

    def _group_sentences(self, patterns: Sequence[str]) -> list[_Group]:
        groups: dict[str, _Group] = {}
        for pattern, row in zip(patterns, self.rows, strict=True):
            words = re.sub(r"\(\?P<\w+>[^)]*\)|\\", "", pattern)
            groups.setdefault(pattern, _Group(words, {"line": pattern}, "", [])).rows.append(row)
        # What says more is tried first: “plays the seven for 10” before “plays” and a card.
        return sorted(groups.values(), key=lambda group: -len(group.words))

    # The lines of the mapping

    def lines(self) -> Iterator[str]:
        rules = [line for group in self.groups for line in self._rule(group)]
        yield "# A draft: answer what is asked behind a question mark, and try it with --explain all."
        yield ""
        yield from self._log_lines()
        yield from self._game_lines()
        yield from self.cards.lines()
        yield ""
        if self.seats:
            yield "[seats]"
            yield from (
                f"{toml_key(seat)} = {number}" for number, seat in enumerate(sorted(self.seats))
            )
            yield ""
        if self.words:
            yield "[words]"
            if None in self.words.values():
                yield f"# Words of the format: {', '.join((*MELD_NAMES, *SCORE_NAMES, *DIX_ACTIONS))}."
            for word, meant in self.words.items():
                if meant is None:
                    yield f"{QUESTION} What does “{word}” mean?"
                yield f"{toml_key(word)} = {toml_value(meant or word)}"
            yield ""
        yield from rules

    def _log_lines(self) -> Iterator[str]:
        form = self.log.form
        yield "[log]"
        yield f"format = {toml_value(form.format)}"
        yield from self.log.questions
        for name in ("delimiter", "columns", "comment"):
            if value := getattr(form, name):
                yield f"{name} = {toml_value(value)}"
        yield ""

    def _game_lines(self) -> Iterator[str]:
        yield "[game]"
        if self.begins["game"]:
            yield f"begins = {toml_value('$' + self.begins['game'])}"
        yield f"{QUESTION} Which rulebook? `bezique rules` lists them, and their options."
        yield 'rules = { id = "bezique" }'
        names = sorted(self.seats) or ["First", "Second"]
        if not all(len(name) > 1 and name[0].isalpha() for name in names):
            yield f"{QUESTION} What are the players called?"
            names = [f"Seat {name}" for name in names]
        yield f"players = {toml_value(names)}"
        yield ""
        begins = None if self.has_deal else self.begins["deal"]
        if begins or not self.has_dealer:
            yield "[deal]"
            if begins:
                yield f"begins = {toml_value('$' + begins)}"
            dealers = [path for path in self.seat_paths if fits_hint(path, "dealer")]
            if dealers:
                yield f"dealer = {toml_value('$' + dealers[0])}"
            elif not self.has_dealer:
                yield f"{QUESTION} Who deals?"
                yield f"dealer = {toml_value(names[0] if not self.seats else sorted(self.seats)[0])}"
            yield ""

    def _rule(self, group: _Group) -> Iterator[str]:
        fields = _Fields.of(self, group)
        kind = _kind_in(group.words, fields)
        parts = list(self._parts(kind, group, fields))
        yield "[[line]]"
        yield from self.asked
        self.asked = []
        if not parts:
            yield f"{QUESTION} What does this mean? For now it is passed over."
            counted = fields.score if fields.seat and "total" in fields.score else {}
            parts = [_template("nothing", **({"seat": fields.seat} if counted else {}), **counted)]
        if group.when:
            yield f"when = {toml_value(group.when)}"
        if len(parts) == 1:
            yield f"write = {parts[0]}"
        else:
            yield from ("write = [", *(f"  {part}," for part in parts), "]")
        yield ""

    def _parts(self, kind: str | None, group: _Group, fields: "_Fields") -> Iterator[str]:
        """What a rule writes, as TOML; nothing where that is not known."""
        seat = {"seat": fields.seat} if fields.seat else {}
        score = fields.score
        if kind == "nothing":
            yield _template("nothing")
        elif kind in ("deal", "hand", "turn_up") or (fields.hands and kind is None):
            yield from self._deal_parts(kind, group, fields)
        elif fields.tricks or (kind == "trick" and fields.cards):
            lead = fields.seat or "@winner"
            yield _template("plays", seat=lead, cards=fields.tricks or fields.cards)
            if fields.winner and not self._is_leader(group, fields.winner, lead):
                yield _template("trick", winner=fields.winner)
            yield from self._list_parts(group, fields)
        elif kind in ("play", "draw") and fields.card:
            yield _template(kind, **seat, card=fields.card)
        elif kind == "carte_blanche" and fields.seat:
            yield _template("carte_blanche", seat=fields.seat, **fields.score)
        elif kind == "trick" and (fields.winner or fields.seat):
            yield _template("trick", winner=fields.winner or fields.seat)
        elif kind in ("meld", "dix", "score"):
            yield from self._scored_parts(kind, group, fields)
        elif kind == "result" and len(fields.numbers) == 2:
            yield _template("facts", claims={"scores": [f"${path}" for path in fields.numbers]})
        elif kind == "result" and (pair := fields.pair_of_numbers(group)):
            yield pair
        elif score and not fields.card and not fields.cards:
            return

    def _is_leader(self, group: _Group, winner: str, lead: str) -> bool:
        """Whether the seat that is said to win is always the one that leads; then it is asked who that is."""
        one, other = winner.strip("$?"), lead.strip("$?")
        is_same = len(group.rows) > 6 and all(row.get(one) == row.get(other) for row in group.rows)
        if is_same:
            self.asked.append(
                f"{QUESTION} “{one}” is always the seat that leads: so the rules tell who takes the trick. Is that right?"
            )
        return is_same

    def _part_of_stock(self, group: _Group, fields: "_Fields") -> str:
        """The column of the stock, without its last card where that is the turn-up once more."""
        column = str(fields.stock)
        paths = [
            *fields.hands,
            column.strip("$?"),
            *((fields.turn_up or fields.card or "").strip("$?"),),
        ]
        counts = [self.cards.count(group.rows[0].get(path)) or 0 for path in paths]
        if sum(counts) % 32 != 1:
            return column
        self.asked.append(
            f"{QUESTION} There is a card too many: is the last one of “{column.strip('$?')}” the turn-up?"
        )
        return f"{column.strip('?')}.:-1"

    def _deal_parts(self, kind: str | None, group: _Group, fields: "_Fields") -> Iterator[str]:
        facts: dict[str, Any] = {}
        by_seat = all(path.rsplit(".", 1)[-1] in self.seats for path in fields.hands)
        if kind != "hand" and (fields.turn_up or fields.card):
            facts["turn_up"] = fields.turn_up or fields.card
        if fields.stock:
            facts["stock"] = self._part_of_stock(group, fields)
        if kind == "deal":
            dealer = fields.dealer or (fields.seat if by_seat else None)
            self.has_deal = True
            self.has_dealer = self.has_dealer or dealer is not None
            yield _template("deal", **({"dealer": dealer} if dealer else {}), **facts)
        elif facts:
            yield _template("facts", **facts)
        for path in fields.hands:
            seat = path.rsplit(".", 1)[-1] if by_seat else fields.seat
            if seat:
                yield _template("hand", seat=seat, cards=f"${path}")

    def _scored_parts(self, kind: str, group: _Group, fields: "_Fields") -> Iterator[str]:
        """A meld, a dix or a score whose name is in a column, in a group of the pattern, or in the words of the line."""
        by_words = meld_in(group.words) if kind == "meld" else name_in(group.words, kind)
        names = {str(row[fields.name]) for row in group.rows if has_value(row.get(fields.name))}
        are_named = any(name_in(name, kind) for name in names)
        if not names or (by_words and not are_named):
            if by_words or kind == "dix":
                yield self._scored(kind, by_words or "show", fields)
            return
        kinds = {name: self._know_word(name, kind) for name in sorted(names)}
        column = f"${fields.name}"
        rules = []
        for other in dict.fromkeys(kinds.values()):
            if other != kind:
                pattern = "|".join(_escape(name) for name in kinds if kinds[name] == other)
                written = self._scored(other, column, fields)
                rules.append(
                    f"{{ when = {toml_value({fields.name: pattern})}, write = {written} }}"
                )
        if not rules:
            yield self._scored(kind, column, fields)
            return
        if kind in kinds.values():
            rules.append(f"{{ write = {self._scored(kind, column, fields)} }}")
        yield f"{{ line = [{', '.join(rules)}] }}"

    def _scored(self, kind: str, name: str, fields: "_Fields") -> str:
        seat = fields.seat or ("@seven" if (kind, name) == ("dix", "play") else "@winner")
        member = {"meld": "meld", "dix": "action", "score": "for"}[kind]
        cards = fields.shown_cards if kind == "meld" else {}
        return _template(kind, seat=seat, **{member: name}, **cards, **fields.score)

    def _know_word(self, name: str, kind: str) -> str:
        """Note what a name means, or that this is to be asked; gives what is scored: a meld, a dix or a score."""
        own = {"meld": MELD_NAMES, "dix": DIX_ACTIONS, "score": SCORE_NAMES}
        if name in own[kind]:
            return kind
        for found in dict.fromkeys((kind, "dix", "score", "meld")):
            word = name_in(name, found)
            if word is None or (found == "dix" != kind and kind_of(name) != "dix"):
                continue
            self.words[name] = word
            return found
        self.words[name] = None
        return kind

    def _list_parts(self, group: _Group, fields: "_Fields") -> Iterator[str]:
        """The rules for the items of lists of objects: what was shown after a trick."""
        for path in fields.lists:
            items = [item for row in group.rows for item in row.get(path) or ()]
            rows = [dict(paths_in(item, self.cards.members)) for item in items]
            columns = _Fields.of(self, _Group("", {}, "", rows))
            names = {str(row[columns.name]) for row in rows if has_value(row.get(columns.name))}
            kinds = {name: self._know_word(name, "meld") for name in sorted(names)}
            rules = []
            for name in (name for name in kinds if kinds[name] == "dix"):
                dix = self._scored("dix", self.words.pop(name, None) or name, columns)
                rules.append(
                    f"{{ when = {toml_value({columns.name: _escape(name)})}, write = {dix} }}"
                )
            meld = self._scored("meld", f"${columns.name}", columns)
            rules.append(f"{{ write = {meld} }}")
            yield f"{{ each = {toml_value('$' + path)}, line = [{', '.join(rules)}] }}"


class _Fields:
    """What the columns of a group of rows are, each as `$column`."""

    def __init__(self) -> None:
        self.seat: str | None = None
        self.winner: str | None = None
        self.dealer: str | None = None
        self.card: str | None = None
        self.cards: str | None = None
        self.turn_up: str | None = None
        self.stock: str | None = None
        self.hands: list[str] = []
        self.tricks: list[str] | str = []
        self.lists: list[str] = []
        self.numbers: list[str] = []
        self.name = ""
        self.score: dict[str, str] = {}
        self.empty_cards = False

    @classmethod
    def of(cls, draft: _Draft, group: _Group) -> "_Fields":
        """The columns that have values in these rows."""
        fields = cls()
        paths = [p for p in dict.fromkeys(p for row in group.rows for p in row) if p != "comment"]
        paths = [p for p in paths if any(has_value(row.get(p)) for row in group.rows)]
        for path in paths:
            values = [row[path] for row in group.rows if has_value(row.get(path))]
            fields._place(draft, path, values, len(group.rows))
        fields.name = group.name or fields.name
        fields._find_score(draft, group)
        return fields

    def _place(self, draft: _Draft, path: str, values: list[Any], rows: int) -> None:
        counts = (
            [draft.cards.count(value) for value in values] if draft.many.get(path, 1) else [None]
        )
        cards = [count for count in counts if count is not None]
        column = f"${path}" if len(values) == rows else f"${path}?"
        if cards and len(cards) == len(counts) and not _is_word(values):
            self._place_cards(draft, path, column, sum(cards) / len(cards), max(cards))
        elif any(isinstance(value, list) for value in values):
            self.lists.append(path)
        elif path in draft.seat_paths or (
            path.rsplit(".", 1)[-1] in ("who", "by", "seat") and draft.seats
        ):
            self._place_seat(path, column)
        elif path in (draft.kind_path, *draft.begins.values()):
            return
        elif all(re.fullmatch(r"-?\d+", str(value)) for value in values):
            self.numbers.append(path)
        elif not self.name or any(meld_in(str(value)) for value in values):
            self.name = path

    def _place_seat(self, path: str, column: str) -> None:
        if fits_hint(path, "winner"):
            self.winner = column
        elif fits_hint(path, "dealer"):
            self.dealer = column
        elif self.seat is None:
            self.seat = column

    def _place_cards(
        self, draft: _Draft, path: str, column: str, average: float, most: int
    ) -> None:
        if fits_hint(path, "turn_up") and most == 1:
            self.turn_up = column
        elif fits_hint(path, "stock") and average > 12:
            self.stock = column
        elif average >= 5:
            self.hands.append(path)
        elif most == 1 and self.card is None:
            self.card = column
        elif most == 1:
            self.tricks = [*(self.tricks or [str(self.card)]), column]
        else:
            self.cards = column

    def _find_score(self, draft: _Draft, group: _Group) -> None:
        """The points of a row: a number of its own, or what the seat has by now."""
        paths = sorted(self.numbers, key=lambda path: not fits_hint(path, "points"))
        if not paths or not (fits_hint(paths[0], "points") or len(paths) == 1):
            return
        path = paths[0]
        self.score = {"total" if _is_total(draft, path) else "points": f"${path}?"}

    @property
    def shown_cards(self) -> dict[str, str]:
        """The cards of a meld, as its member."""
        column = self.cards or self.card
        if column is None and self.hands:
            column = f"${self.hands[0]}"
        return {"cards": column} if column else {}

    def pair_of_numbers(self, group: _Group) -> str | None:
        """The scores of two sides in one column, such as `290:540`."""
        for path in dict.fromkeys(path for row in group.rows for path in row):
            values = [str(row[path]) for row in group.rows if has_value(row.get(path))]
            found = [re.fullmatch(r"\d+(\D)\d+", value) for value in values]
            if values and all(found):
                sign = found[0][1] if found[0] else ":"
                scores = _template("facts", claims={"scores": ["$first", "$second"]})
                when = {path: rf"(?P<first>\d+){re.escape(sign)}(?P<second>\d+)"}
                return f"{{ line = [{{ when = {toml_value(when)}, write = {scores} }}] }}"
        return None


def _is_word(values: Sequence[Any]) -> bool:
    """Whether what could be cards is the name of a meld or of a seven instead."""
    return any(isinstance(value, str) and meld_in(value) is not None for value in values)


def _is_total(draft: _Draft, path: str) -> bool:
    """Whether a column has what a seat has by now: within a deal it never falls, and it grows beyond what is scored at once."""
    if path not in draft.paths or not fits_hint(path, "total"):
        return False
    before: dict[str, int] = {}
    rising = falling = 0
    for row in draft.rows:
        if not re.fullmatch(r"\d+", str(row.get(path, ""))):
            continue
        seat = next((str(row[each]) for each in draft.seat_paths if has_value(row.get(each))), "")
        last, before[seat] = before.get(seat, 0), int(row[path])
        rising += before[seat] > last
        falling += before[seat] < last
    return rising > 4 * falling


def _kind_in(words: str, fields: _Fields) -> str | None:
    kind = kind_of(words)
    if fields.hands and kind in ("play", "draw", None):
        return "hand" if kind is None and not fields.turn_up else kind
    if kind == "hand" and not fields.hands:
        return "draw" if fields.card else kind
    return kind


# The draft as TOML.


def _template(kind: str, **members: Any) -> str:
    return toml_value({"type": kind, **members})


def _escape(words: str) -> str:
    """A pattern for these words, as people would write it."""
    return re.sub(r"\\([ -])", r"\1", re.escape(words))
