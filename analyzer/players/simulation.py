"""Simulate matches and fit the models of winning to them that are shipped.

The players of `bezique play` play matches by every sheet against themselves. A model is fitted to some of them
and calibrated on others. All seeds are fixed: the same rules and players give the same file.
"""

import hashlib
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from analyzer.ingest.loader import ingest
from analyzer.players.expectancy import FILE_NAME, ShippedModel, calibrate, predictions_of
from analyzer.players.winning_model import fit_model, match_terms, read_matches
from analyzer.store.processes import map_in_processes
from analyzer.store.store import Store
from records.format import codec
from records.format.files import Entry
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import RuleSheet
from records.selfplay import play_game

FIRST_SEED, MATCHES_SIMULATED, MATCHES_OF_MANY_PACKS = 5_000_001, 2_400, 300
"""The seed of the first match of a sheet, and how many are fitted."""
MOST_HELD_OUT = 600
"""As many matches as are fitted are held out, but no more than these."""
MOST_PACKS_OF_MANY_MATCHES = 4
"""Matches of more packs take far longer, so fewer are simulated."""
MATCHES_IN_PRINT, PROCESSES = 2, 2
READING_MS = 30 * 60_000
"""Nobody waits for a page here: on a busy machine the reading may take long."""


def matches_print(sheet: str) -> str:
    """A print of the first simulated matches of a sheet: it changes if the players or the rules do."""
    digests = [codec.digest(play_game(sheet, seed=FIRST_SEED + n)) for n in range(MATCHES_IN_PRINT)]
    return hashlib.sha256(" ".join(digests).encode()).hexdigest()[:16]


def simulate_model(sheet: RuleSheet, matches: int) -> ShippedModel:
    """Simulate so many matches of a sheet, fit a model to them, and calibrate it on others."""
    resolved = resolve_sheet(sheet.id)
    terms = match_terms(resolved)
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        with Store(Path(one), reading_ms=READING_MS) as store:
            ingest(store, _entries(sheet.id, range(FIRST_SEED, FIRST_SEED + matches)))
            sample = _whole(store, sheet.id, matches)
            model = fit_model(store, sample, terms, None)
        with Store(Path(other), reading_ms=READING_MS) as store:
            first = FIRST_SEED + matches
            held_out_seeds = range(first, first + min(matches, MOST_HELD_OUT))
            ingest(store, _entries(sheet.id, held_out_seeds))
            sample = _whole(store, sheet.id, matches)
            held_out = read_matches(store, sample, terms, model.shape)
    return ShippedModel(
        sheet=sheet.id,
        matches=model.matches,
        shape=model.shape,
        weights=model.weights,
        held_out=len(held_out),
        first_matches=matches_print(sheet.id),
        calibration=calibrate(predictions_of(model.weights, held_out)),
    )


def simulate_sheet(sheet: str) -> ShippedModel:
    """The model of a sheet as it is shipped."""
    found = resolve_sheet(sheet).sheet
    many = found.rules.pack.packs > MOST_PACKS_OF_MANY_MATCHES
    return simulate_model(found, MATCHES_OF_MANY_PACKS if many else MATCHES_SIMULATED)


def _whole(store: Store, sheet: str, matches: int) -> dict[str, object]:
    variants = [row[0] for row in store.rows("SELECT variant FROM variants").rows]
    return {"variants": variants, "most": matches}


def _entries(sheet: str, seeds: range) -> Iterator[Entry]:
    for line, seed in enumerate(seeds, 1):
        yield Entry("simulated.jsonl", line, codec.encode(play_game(sheet, seed=seed)))


def main() -> None:
    """Make the file of the shipped models anew."""
    # The processes import the function by the name of its module, which here is `__main__`.
    simulate = import_module("analyzer.players.simulation").simulate_sheet
    models = []
    sheets = [sheet.id for sheet in ALL_SHEETS]
    for sheet, model in map_in_processes(simulate, sheets, PROCESSES):
        models.append(model)
        sys.stderr.write(f"{sheet}: {model.matches} matches\n")
    text = msgspec.json.format(msgspec.json.encode(_rounded(models)), indent=1)
    (Path(__file__).parent / FILE_NAME).write_bytes(text + b"\n")


def _rounded(value: object) -> object:
    """Numbers to six digits, so that the file is small and the same on every machine."""
    match msgspec.to_builtins(value):
        case float(number):
            return float(f"{number:.6g}")
        case list(values):
            return [_rounded(each) for each in values]
        case dict(members):
            return {name: _rounded(each) for name, each in members.items()}
        case other:
            return other


if __name__ == "__main__":
    main()
