"""The data of the page of Explore."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analyzer.explore.answer import Differences
from analyzer.explore.ask import Ask
from analyzer.explore.catalogue import Dimension, Metric
from analyzer.questions import Answer
from webui.pages.page import Page


@dataclass(frozen=True, slots=True)
class FilterChip:
    """A filter that is set, as the address has it and in words, and the address of the page without it."""

    name: str
    title: str
    text: str
    words: str
    without: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplorePage(Page):
    """A metric by one or two dimensions; `refused` lists the dimensions that a metric has no answer by.

    `games_address` leads to the list of games with the filters that it has, empty where it has not all of them.
    `scales` says how the panels of the figure are to be read, if it has some. `is_first` says that the address asks
    nothing: the answer is one to begin with.
    """

    template = "explore/explore.html"
    ask: Ask | None
    answer: Answer | None
    differences: Differences | None
    figure: str | None
    scales: str
    left_out: str
    problem: str
    chosen: Mapping[str, str]
    chips: list[FilterChip]
    metrics: Mapping[str, list[Metric]]
    dimensions: Sequence[Dimension]
    options: Sequence[Dimension]
    refused: Mapping[str, list[str]]
    presets: list[tuple[str, str]]
    data_addresses: Mapping[str, str]
    games_address: str
    sheet_names: Mapping[str, str]
    is_first: bool
