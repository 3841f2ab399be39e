"""Rulebooks of a table's own: a file looked at and compared before anybody keeps it, and those that the site keeps."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import groupby

from flask import abort, flash, request
from flask.typing import ResponseReturnValue

from analyzer.store.rulebooks import LocalRulebook, list_local_rulebooks
from analyzer.upkeep.keeping import RulebookRefused, remove_rulebook
from records.phrases import pluralize
from records.rules.compare import Comparison, compare_rule_sheets
from records.rules.english import Explanation, explain_sheet
from records.rules.own_numbers import SheetNumber, list_numbers, write_changed_sheet
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import SHEET_ORDER, SHEETS_BY_ID, named_sheet
from records.rules.sheet_text import LARGEST_SHEET_BYTES, SheetError, SheetMistake, read_text
from records.rules.vocabulary import RuleSheet
from webui.display.text_layout import without_isolates
from webui.server.actions import Action
from webui.server.known_rulebooks import keep_rulebook, known_under_key
from webui.server.page import Page, Views
from webui.server.request_kinds import PAGES, UPLOADS, VALIDATIONS
from webui.server.responses import lead_to
from webui.views import game_cache, store

blueprint = Views("own_rulebooks", __name__)


LONGEST_NAME = 60


class OwnRulebooksPage(Page):
    """A file as it was sent: its `text`, what is wrong with it, or what it says, compared `against` another; and those kept.

    For people who write no file there are the `numbers` of a `base` to change, under the `name` and with the numbers that
    were `typed`.
    """

    template = "rules/own.html"
    text: str = ""
    mistakes: Sequence[SheetMistake] = ()
    refused: str = ""
    told: Explanation | None = None
    comparison: Comparison | None = None
    against: str = ""
    kept: Sequence[LocalRulebook]
    base: str
    name: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)
    longest_name = LONGEST_NAME

    @property
    def numbers(self) -> list[tuple[str, list[SheetNumber]]]:
        """The numbers of the base, in the order of the form, each heading with its own."""
        groups = groupby(list_numbers(self.base), lambda number: number.heading)
        return [(heading, [*numbers]) for heading, numbers in groups]

    @property
    def bases(self) -> list[RuleSheet]:
        """The published rulebooks, of which one is changed."""
        return [SHEETS_BY_ID[each] for each in SHEET_ORDER]

    @property
    def data(self) -> object:
        """The rulebooks that the site keeps, by key, id and name."""
        return [{"key": each.key, "id": each.id, "name": each.name} for each in self.kept]


@blueprint.page("/rules/own", Action.LOOK, PAGES)
def own() -> OwnRulebooksPage:
    """The rulebooks of its own that the site keeps, and the forms for one more."""
    return OwnRulebooksPage(
        kept=list_local_rulebooks(store()), base=_known_base(request.args.get("base"))
    )


@blueprint.form("/rules/own", Action.VALIDATE, VALIDATIONS, takes_files=True)
def look() -> ResponseReturnValue:
    """Look at a rulebook: every mistake in its place, or what it says and how it differs from another. Nothing is stored."""
    text = _sent_text()
    return _looked_at(text)


@blueprint.form("/rules/own/numbers", Action.VALIDATE, VALIDATIONS)
def change_numbers() -> ResponseReturnValue:
    """Look at a published rulebook with other numbers, as a form has them. Nothing is stored."""
    base = _known_base(request.form.get("base"))
    name = without_isolates(request.form.get("name", ""))[:LONGEST_NAME].strip()
    typed = {each.path: request.form.get(each.path, "")[:20] for each in list_numbers(base)}
    form = {"base": base, "name": name, "typed": typed}
    try:
        changed = _changed_numbers(base, typed)
        if not name:
            raise ValueError("Give it a name.")
        if (published := named_sheet(name)) is not None:
            raise ValueError(
                f"{SHEETS_BY_ID[published].name} is what everybody calls another rulebook. Give yours another name."
            )
        if not changed:
            raise ValueError("Change a number first: all are those of the rulebook.")
    except ValueError as error:
        return _page(refused=str(error), **form), 400
    taken = {each.id for each in list_local_rulebooks(store())}
    return _looked_at(write_changed_sheet(base, name, changed, taken), **form)


def _changed_numbers(base: str, typed: Mapping[str, str]) -> list[tuple[SheetNumber, int]]:
    """The numbers that are others than those of the base; raises ValueError for what is none."""
    found = []
    for number in list_numbers(base):
        text = typed[number.path].strip() or str(number.value)
        if not (text.isascii() and text.isdigit()) or not number.least <= int(text) <= number.most:
            raise ValueError(
                f"For “{number.words}”, write a whole number from {number.least} to {number.most:,}."
            )
        if int(text) != number.value:
            found.append((number, int(text)))
    return found


def _looked_at(text: str, **form: object) -> ResponseReturnValue:
    try:
        sheet = read_own_sheet(text.encode(), toml=_is_toml(text))
    except SheetError as error:
        return _page(text=text, mistakes=error.mistakes, **form), 400
    against = request.form.get("against") or _base(text)
    return _page(
        text=text,
        told=explain_sheet(sheet),
        comparison=_compared(sheet, against),
        against=against,
        **form,
    ), 200


@blueprint.form("/rules/own/keep", Action.KEEP_RULEBOOKS, UPLOADS, takes_files=True)
def keep() -> ResponseReturnValue:
    """Keep a rulebook: records that name it are judged by it, and those that waited for it become games."""
    text = _sent_text()
    try:
        added = keep_rulebook(text, toml=_is_toml(text))
    except RulebookRefused as error:
        return _page(text=text, refused=str(error)), 409
    waited = pluralize(
        added.stored, "record that waited for it is", "records that waited for it are"
    )
    flash(f"{added.name} is kept.{f' {waited} stored.' if added.stored else ''}")
    return lead_to("rules.sheet", sheet_id=added.key)


@blueprint.form("/rules/own/remove", Action.KEEP_RULEBOOKS, PAGES)
def remove() -> ResponseReturnValue:
    """Remove a rulebook that no game goes by."""
    try:
        removed = remove_rulebook(store(), request.form.get("rulebook", ""))
    except RulebookRefused as error:
        return _page(refused=str(error)), 409
    game_cache().clear()
    flash(f"{removed.name} is removed.")
    return lead_to("own_rulebooks.own")


def _page(**shown: object) -> str:
    shown.setdefault("base", SHEET_ORDER[0])
    return OwnRulebooksPage(kept=list_local_rulebooks(store()), **shown).render()  # type: ignore[arg-type]


def _known_base(sheet_id: str | None) -> str:
    """The published rulebook that a form changes; answers 400 for another."""
    if sheet_id is not None and sheet_id not in SHEETS_BY_ID:
        abort(400, "There is no such rulebook.")
    return sheet_id or SHEET_ORDER[0]


def _sent_text() -> str:
    """The file that was sent, or else the text that was typed; answers 400 for what is no text, and 413 for too much."""
    file = request.files.get("file")
    sent = file.read(LARGEST_SHEET_BYTES + 1) if file and file.filename else b""
    try:
        text = sent.decode("utf-8-sig") if sent else request.form.get("text", "")
    except UnicodeDecodeError:
        abort(400, "This file is no text in UTF-8. A rulebook is a JSON or TOML file.")
    if len(text.encode()) > LARGEST_SHEET_BYTES:
        abort(413, f"A rulebook has at most {LARGEST_SHEET_BYTES:,} bytes.")
    return text


def _is_toml(text: str) -> bool:
    """Whether a text is TOML; JSON begins with a brace."""
    return not text.lstrip().startswith("{")


def _base(text: str) -> str:
    """The published rulebook that a file changes, or the first one."""
    base = read_text(text.encode(), toml=_is_toml(text)).value.get("base")
    return str(base) if base in SHEETS_BY_ID else SHEET_ORDER[0]


def _compared(sheet: RuleSheet, key: str) -> Comparison:
    """How a rulebook differs from one that is known here."""
    other = known_under_key(key) or abort(400, "There is no such rulebook.")
    return compare_rule_sheets([other, sheet], against=key, only_differing=True)
