"""Is the chance of winning true? `python -m tests.soak --chances 6000` asks it of so many matches of four sheets.

Simple players play them. Five models are fitted, each to four fifths of the matches, and each predicts the fifth that
it has not seen after every trick. In every tenth of the predictions the share of matches won must lie within three
points, or two standard errors, of what was said; all predictions in one match count as one observation. How the model
does that is shipped, for collections that hold few matches, is printed beside it.

Of 2,000 matches the share won in a tenth has an error of up to 1.6 points, so that of 40 tenths now and then one is too
far by chance alone; of 6,000 its error is about one point.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from analyzer.ingest.loader import ingest
from analyzer.players.expectancy import (
    CalibrationTenth,
    calibrate,
    cross_validated,
    predictions_of,
    shipped_models,
)
from analyzer.players.winning_model import SIMULATED_WORTH, fit_model, match_terms, read_matches
from analyzer.store.store import Store
from records.format import codec
from records.format.files import Entry
from records.rules.registry import resolve_sheet
from records.selfplay import play_game

SHEETS = ("marjolet", "bezique", "zique", "rubicon-bezique")
FIRST_SEED = 9_000_001
"""No match from this seed on is among those of the shipped models."""
POINTS_ALLOWED, ERRORS_ALLOWED = 0.03, 2.0


def matches_of(sheet: str, seeds: range) -> Iterator[Entry]:
    """Simulated matches as entries of a file."""
    for line, seed in enumerate(seeds, 1):
        yield Entry("chances.jsonl", line, codec.encode(play_game(sheet, seed=seed)))


def calibrated_twice(
    sheet: str, matches: int
) -> tuple[list[CalibrationTenth], list[CalibrationTenth]]:
    """The calibration of fitted models, and of the shipped one, on the same matches that none of them has seen."""
    terms, shipped = match_terms(resolve_sheet(sheet)), shipped_models()[sheet]
    seeds = range(FIRST_SEED, FIRST_SEED + matches)
    with TemporaryDirectory() as folder, Store(Path(folder)) as store:
        ingest(store, matches_of(sheet, seeds))
        variants = [row[0] for row in store.rows("SELECT variant FROM variants").rows]
        sample = {"variants": variants, "most": matches}
        model = fit_model(store, sample, terms, shipped)
        others = read_matches(store, sample, terms, shipped.shape)
    fitted = cross_validated(model.sample, shipped.weights, SIMULATED_WORTH)
    return calibrate(fitted), calibrate(predictions_of(shipped.weights, others))


def is_true(tenth: CalibrationTenth) -> bool:
    """Whether a tenth is as far from the truth as it may be, or nearer."""
    return abs(tenth.won - tenth.said) <= max(POINTS_ALLOWED, ERRORS_ALLOWED * tenth.error)


def main(matches: int, sheets: Sequence[str] = ()) -> int:
    """Ask so many matches of these sheets, or of four; the exit status."""
    wrong = 0
    for sheet in sheets or SHEETS:
        for name, tenths in zip(
            ("fitted", "shipped"), calibrated_twice(sheet, matches), strict=True
        ):
            print(f"{sheet}, {name}")
            for tenth in tenths:
                mark = "" if is_true(tenth) else "  WRONG" if name == "fitted" else "  far"
                print(
                    f"  said {100 * tenth.said:5.1f} %, won {100 * tenth.won:5.1f} % ± {100 * tenth.error:.1f}, "
                    f"{tenth.predictions} predictions in {tenth.matches} matches{mark}",
                    flush=True,
                )
                wrong += mark == "  WRONG"
    return int(wrong > 0)
