"""Writes the example games that come with the package: `python -m tests.samples.examples`."""

from dataclasses import dataclass
from pathlib import Path

from records.format import codec
from records.record import Record
from records.rules.registry import get_sheet
from records.selfplay import play_game

FOLDER = Path(__file__).parents[2] / "webui" / "server" / "lesson_games"
SHORT_TARGET = 100


@dataclass(frozen=True)
class Example:
    """What makes an example: of the games that show every article of their sheet, one of the shortest."""

    sheet: str
    seed: int
    names: tuple[str, str] = ("Ann", "Bob")
    whole: bool = False
    event: str = ""

    def record(self) -> Record:
        """The record; unless the `whole` match is wanted, a race is a short one where the sheet lets the target be set."""
        sheet = get_sheet(self.sheet)
        short = not self.whole and any(option.name == "target" for option in sheet.options)
        made = play_game(
            self.sheet,
            seed=self.seed,
            options={"target": SHORT_TARGET} if short else {},
            names=list(self.names),
            players=len(self.names),
            shows=not self.whole and sheet.rules.pending,
        )
        made.meta = {"event": self.event or f"A short game of {sheet.name}"}
        return made


EXAMPLES = {
    "ace-of-diamonds": Example(
        "bezique", 365, names=("Ada", "Bruno"), whole=True, event="The ace of diamonds"
    ),
    "bezique": Example("bezique", 405),
    "bezique-enhanced": Example("bezique-enhanced", 211),
    "polish-bezique": Example("polish-bezique", 20),
    "rubicon-bezique": Example("rubicon-bezique", 431),
    "rubicon-bezique-recommended": Example("rubicon-bezique-recommended", 334),
    "rubicon-bezique-club": Example("rubicon-bezique-club", 826),
    "chinese-bezique": Example("chinese-bezique", 2598),
    "six-pack-bezique": Example("six-pack-bezique", 5197),
    "marjolet": Example("marjolet", 587),
    "marjolet-oxford": Example("marjolet-oxford", 11),
    "zique": Example("zique", 73),
    "zetema": Example("zetema", 31),
}


def main() -> None:
    """Write every example."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, example in EXAMPLES.items():
        (FOLDER / f"{name}.json").write_bytes(codec.encode(example.record()))


if __name__ == "__main__":
    main()
