"""The published page with a deal of every game; `python -m records.documents.deals_page` writes it from the samples."""

from pathlib import Path

from records import codec
from records.documents.annotated_deal import DealTeller, deal_table
from records.documents.schemas import SPEC_FOLDER
from records.phrases import join_words
from records.record import Record
from records.rules.explain import option_value_text
from records.rules.registry import ALL_SHEETS, resolve_rules
from records.rules.vocabulary import OneDeal, RuleSheet

GOOD_SAMPLES = Path(__file__).parents[2] / "samples/good"
"""The good samples of the repository; an installed package does not have them, and needs only the page."""

_HEAD = """# A deal of every game

The first deal of a sample for every rule sheet, trick by trick, with the points after each and the law beside the first
event that shows it. Cards are written as in a record: `TS` is the ten of spades. The points are those that the rules
give, whether or not an event claims them; compare your program's with them. What all events look like in JSON is in
[format.md](format.md#events), the laws are in [rulings.md](rulings.md), the points of melds in
[points.md](points.md).

The players are programs that choose simply, so do not learn tactics from them.

<!-- `python -m records.documents.deals_page` writes this page from the samples; do not edit it by hand. -->
"""


def deals_page() -> str:
    """The page: a chapter for every sheet."""
    return "\n".join([_HEAD, *map(_chapter, ALL_SHEETS)])


def read_sample(sheet: RuleSheet) -> tuple[str, Record]:
    """The sample of a sheet, the one with the fewest players: its file name and its record."""
    for path in sorted(GOOD_SAMPLES.glob("*.json")):
        record = codec.decode(path.read_bytes()).record
        if record is not None and record.rules.id == sheet.id:
            return path.name, record
    raise FileNotFoundError(f"no sample is played by {sheet.id}")


def _chapter(sheet: RuleSheet) -> str:
    name, record = read_sample(sheet)
    names = [player.name for player in record.players]
    resolved = resolve_rules(record.rules).sheet
    rows = DealTeller(record, resolved).tell()
    heads, *lines = deal_table(rows, names)
    table = [f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *lines)]
    return "\n".join(
        [f"## {sheet.name}\n", _dealt(name, record, names), "", *table, "", _end(record, sheet, names), ""]
    )  # fmt: skip


def _dealt(name: str, record: Record, names: list[str]) -> str:
    """Where the deal is from, the options, and what was dealt."""
    deal = record.deals[0]
    options = record.rules.options
    chosen = [f"`{option}` {option_value_text(value)}" for option, value in options.items()]
    played = f" with the option {join_words(chosen)}" if chosen else ""
    hands = [
        f"{player} gets `{' '.join(hand)}`"
        for player, hand in zip(names, deal.hands or (), strict=True)
    ]
    turned = f" `{deal.turn_up}` is turned up." if deal.turn_up else ""
    return (
        f"From [{name}](../../samples/good/{name}), by the sheet [`{record.rules.id}`](sheets/{record.rules.id}.json){played}."
        f" {names[deal.dealer]} deals; {join_words(hands)}.{turned}"
    )


def _end(record: Record, sheet: RuleSheet, names: list[str]) -> str:
    """What the deal comes to, as the record claims it: a sample's claims are right."""
    claims, result = record.deals[0].claims, record.result
    scores = claims.scores if claims is not None and claims.scores is not None else []
    told = f"The deal adds {' : '.join(map(str, scores))} to the scores."
    if isinstance(sheet.game, OneDeal) and result is not None and result.settlement is not None:
        paid = " : ".join(map(str, result.settlement))
        told += f" The match is settled with {paid} (C15)."
    return told


def main() -> None:
    """Write the page beside the specification."""
    (SPEC_FOLDER / "deals.md").write_text(deals_page())


if __name__ == "__main__":
    main()
