"""Takes the pictures of the documents from a running site: `make pictures`, or `python -m tests.records.documents.pictures`.

Take them anew when a page that they show looks different. A picture is small: WebP, of one size, light and dark.
"""

import base64
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from playwright.sync_api import Browser, Page, sync_playwright

from records.format import codec
from records.selfplay import play_game
from tests.machine.chromium import CHROMIUM, FLAGS
from tests.machine.serving import served
from tests.make.club_evening import TourStage, hold_tour
from webui.display.page_markup import PICTURE_SIZE

FOLDER = Path(__file__).parents[3] / "webui/static/pictures"
SCHEMES = {"": "light", "-dark": "dark"}
"""The colours of a picture, by what its name ends with."""
QUALITY = 0.8
AS_WEBP = """async ([png, quality]) => {
  const picture = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext("2d", {alpha: false}).drawImage(picture, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({type: "image/webp", quality})).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""


class Scene(NamedTuple):
    """What a picture shows: the address of a page, with the digests of games by name, and what must be on it first."""

    name: str
    address: str
    ready: str


SCENES = (
    Scene("replay", "/games/{rubicon}/deals/1?step=96", ".felt svg"),
    Scene("verdict", "/games/{broken}", "main h1"),
    Scene("chart", "/statistics/points_by_source", "[data-drawn] .main-svg"),
)
SCENES_OF_TOUR: dict[TourStage, Scene] = {
    "paired": Scene("evening-round", "/evenings/1#players", ".evening-tables"),
    "misspelt": Scene("evening-misspelt", "/evenings/1#others", "#without"),
    "over": Scene("evening-standing", "/evenings/1#standing", "#lines"),
}
"""What a picture shows of the evening of the secretary's tour, by its stage."""
EVENINGS = 24
"""How many games of each sheet the chart counts."""


def files() -> Iterator[tuple[str, bytes]]:
    """The games of the site, by name."""
    yield "rubicon", codec.encode(play_game("rubicon-bezique", seed=5, names=["Ada", "Bruno"]))
    broken = play_game("bezique", seed=7, names=["Ada", "Bruno"])
    events = broken.deals[1].events
    events[1] = replace(events[1], seat=events[0].seat)
    yield "broken", codec.encode(broken)
    for sheet in ("bezique", "polish-bezique", "marjolet", "zique"):
        for seed in range(EVENINGS):
            yield f"{sheet} {seed}", codec.encode(play_game(sheet, seed=seed, style="casual"))


def main() -> None:
    """Take every picture in every scheme."""
    games = dict(files())
    digests = {name: codec.decode(data).digest() for name, data in games.items()}
    named = {f"{name}.json": data for name, data in games.items()}
    FOLDER.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "games", named) as (site, _),
        served(Path(folder) / "tour", {}) as (club, app),
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS)) as browser,
    ):
        for scene in SCENES:
            take_in_every_scheme(browser, site + scene.address.format(**digests), scene)
        for stage in hold_tour(app.extensions["store"]):
            if stage in SCENES_OF_TOUR:
                scene = SCENES_OF_TOUR[stage]
                take_in_every_scheme(browser, club + scene.address, scene)


def take_in_every_scheme(browser: Browser, address: str, scene: Scene) -> None:
    """The files of one picture."""
    for ending, scheme in SCHEMES.items():
        picture = take(browser, address, scene, scheme)
        path = FOLDER / f"{scene.name}{ending}.webp"
        path.write_bytes(picture)
        print(f"{path.name}: {len(picture):,} bytes")


def take(browser: Browser, address: str, scene: Scene, scheme: str) -> bytes:
    """One picture of a page, as WebP."""
    width, height = PICTURE_SIZE
    page: Page = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto(address)
    page.wait_for_selector(scene.ready)
    page.wait_for_load_state("networkidle")
    shot = base64.b64encode(page.screenshot()).decode()
    page.goto("about:blank")
    encoded: str = page.evaluate(AS_WEBP, [shot, QUALITY])
    page.close()
    return base64.b64decode(encoded)


if __name__ == "__main__":
    main()
