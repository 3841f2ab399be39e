"""`bezique picture`: a step as a picture, a trick, a moment or a deal as an animation."""

from xml.etree import ElementTree

import pytest
from PIL import Image

from webui.replay.moving_pictures import MOST_FRAMES


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("ending", ["png", "gif", "webp"])
@pytest.mark.parametrize(("size", "width"), [("small", 600), ("large", 1200)])
def test_a_picture_is_of_its_format_and_size(run, game, tmp_path, ending, size, width):
    out = tmp_path / f"table.{ending}"
    result = run("picture", game, "--deal", 2, "--step", 9, "--size", size, "-o", out)
    assert (result.exit_code, result.stdout) == (0, "")
    assert f"kB to {out}." in result.stderr
    with Image.open(out) as picture:
        assert picture.format == ending.upper()
        assert picture.size == (width, width * 630 // 1200)
        assert (getattr(picture, "n_frames", 1) > 1) == (ending != "png")


@pytest.mark.long
def test_without_a_step_the_whole_deal_moves(run, game, tmp_path):
    lengths = []
    for more in (["--step", 9], ["--step", 9, "--span", "moment"], []):
        out = tmp_path / "moving.gif"
        assert run("picture", game, *more, "--size", "small", "--out", out).exit_code == 0
        with Image.open(out) as picture:
            lengths.append(picture.n_frames)
    trick, moment, deal = lengths
    assert max(trick, moment) < deal <= MOST_FRAMES


def test_a_seat_sees_its_own_cards(run, game, tmp_path):
    def backs(*more: object) -> int:
        out = tmp_path / "table.svg"
        assert run("picture", game, "--step", 3, *more, "-o", out).exit_code == 0
        used = ElementTree.parse(out).iter("{http://www.w3.org/2000/svg}use")
        return sum(use.get("href") == "#xx" for use in used)

    assert backs("--seat", 1) > backs()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-o", "table.jpg"], "a picture ends in .png, .svg, .gif or .webp"),
        (["-o", "table.png", "--span", "deal"], "--span is for what moves"),
        (["-o", "table.png", "--step", "9999"], "Step 9999 does not exist"),
        (["-o", "table.png", "--deal", "99"], "Deal 99 does not exist"),
        (["-o", "table.gif", "--seat", "7"], "Seat 7 does not exist"),
        ([], "Missing option"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_sentence(
    run, game, tmp_path, monkeypatch, words, says
):
    monkeypatch.chdir(tmp_path)
    result = run("picture", game, *words)
    assert result.exit_code == 2
    assert says in result.output
    assert [path.name for path in tmp_path.iterdir()] == [game.name]
