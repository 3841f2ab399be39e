"""Writes the samples: `python -m tests.samples.make`."""

from pathlib import Path

from records.format import codec
from tests.samples.broken import RECORDS
from tests.samples.good import GAMES, LEFT_OUT, OWN_GAMES, PARTIAL
from tests.samples.unreadable import FILES, TEXTS

SAMPLES = Path(__file__).parents[2] / "samples"
FOLDERS = ("broken", "good", "partial")


def samples() -> dict[str, bytes]:
    """Every sample by its path in the folder."""
    own = {name: game.record() for name, game in OWN_GAMES.items()}
    return {
        **{f"broken/{name}": data for name, data in FILES.items()},
        **{f"broken/{code}.json": text.data for code, text in TEXTS.items()},
        **{f"broken/{code}.json": codec.encode(told.record()) for code, told in RECORDS.items()},
        **{f"good/{name}.json": codec.encode(game.record()) for name, game in GAMES.items()},
        **{f"good/{name}.json": codec.encode(record) for name, record in own.items()},
        **{
            f"partial/{name}-{left}.json": codec.encode(leave_out(own[name]))
            for name in PARTIAL
            for left, leave_out in LEFT_OUT.items()
        },
    }


def main() -> None:
    """Write every sample, and remove what is none any more."""
    made = samples()
    for path in stored():
        if path not in made:
            (SAMPLES / path).unlink()
    for path, data in made.items():
        (SAMPLES / path).parent.mkdir(parents=True, exist_ok=True)
        (SAMPLES / path).write_bytes(data)


def stored() -> set[str]:
    """The paths of the samples that lie in the folder."""
    return {
        path.relative_to(SAMPLES).as_posix()
        for folder in FOLDERS
        for path in (SAMPLES / folder).iterdir()
    }


if __name__ == "__main__":
    main()
