"""The values of a dimension that occur, to choose from in a filter."""

from analyzer.db.store import Store
from analyzer.explore.ask import Ask, refusal
from analyzer.explore.catalogue import Dimension, Metric, metrics
from analyzer.explore.compose import compose

MOST_VALUES_LISTED = 100
CHEAP_METRICS = ("share_of_deals", "share_of_records")


def values_of(store: Store, dimension: Dimension) -> list[str]:
    """The values that occur, in their natural order or most frequent first; raises QueryTimeout."""
    metric = _metric(dimension)
    composed = compose(Ask(metric, by=dimension, every=True))
    return [
        str(row[0])
        for row in store.answer(composed.sql, composed.parameters).rows[:MOST_VALUES_LISTED]
    ]


def _metric(dimension: Dimension) -> Metric:
    """A metric that can be split by the dimension, a fast one if possible."""
    known = sorted(metrics().values(), key=lambda metric: metric.name not in CHEAP_METRICS)
    return next(metric for metric in known if not refusal(metric, dimension))
