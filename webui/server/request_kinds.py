"""What requests cost: every view is of one kind, and every kind has a rate for each client and an end."""

from typing import NamedTuple


class RequestKind(NamedTuple):
    """A kind of request, and what a client may ask of it."""

    name: str
    rate: str
    """How often a client may ask, where no setting says otherwise."""
    queue: str = ""
    """The queue in which such requests wait for their turn; empty for those that need none."""
    at_once: int | None = None
    """How many may run at a time; one more is refused at once. Such requests may hold a thread for long."""
    at_once_per_client: int = 0
    counted_with: str = ""
    """The kind whose rate holds for both together."""

    @property
    def counted_as(self) -> str:
        """The kind whose rate holds."""
        return self.counted_with or self.name

    @property
    def setting(self) -> str:
        """The setting that changes the rate."""
        return f"RATELIMIT_{self.counted_as.upper()}"


FILES = RequestKind("files", "6000 per minute")
PAGES = RequestKind("pages", "1200 per minute", "pages")
REPLAYS = RequestKind("replays", "1200 per minute", "pages")
QUESTIONS = RequestKind("questions", "1200 per minute", "questions")
PREVIEWS = RequestKind("previews", "60 per minute", "pages")
ANIMATIONS = RequestKind("animations", "30 per minute", at_once=6, at_once_per_client=2)
PERMALINKS = RequestKind("permalinks", "240 per minute", "pages")
LOGINS = RequestKind("logins", "5 per minute; 30 per hour", "pages")
UPLOADS = RequestKind("uploads", "60 per minute", "uploads")
VALIDATIONS = RequestKind(
    "validations", "60 per minute", at_once=2, at_once_per_client=1, counted_with="uploads"
)
SQL = RequestKind("sql", "60 per minute")  # the processes that run the statements count them
REVIEWS = RequestKind("reviews", "60 per minute", at_once=2, at_once_per_client=1)
EXPORTS = RequestKind("exports", "30 per minute", at_once=2, at_once_per_client=1)
FOLLOWERS = RequestKind("followers", "120 per minute", at_once=32, at_once_per_client=32)
"""Each holds a thread as long as it follows. A club in one room has one address."""
REQUEST_KINDS = (
    FILES, PAGES, REPLAYS, QUESTIONS, PREVIEWS, ANIMATIONS, PERMALINKS, LOGINS, UPLOADS, VALIDATIONS, SQL,
    REVIEWS, EXPORTS, FOLLOWERS,
)  # fmt: skip
"""What watches the server counts with the files, since it must be answered while every queue is full. Files and pages take milliseconds, replays and uploads tens of them, previews a hundred, questions up to the time limit of a query;
the kinds that are refused take seconds. How many requests of one client arrive at all is the proxy's to say."""

TURNS = {"pages": 2, "questions": 2, "uploads": 2}
"""How many requests of each queue run at a time. Threads share one interpreter, and uploads store one after the other: an
upload among twelve threads at work takes seven times as long as among four, and all the others wait for it. So few are
at work, and neither readers nor uploads take the turns of the others."""
MOST_WAITING = 62
"""How many requests of each queue wait for a turn, each in a thread; one more is refused at once. An upload ends its turn when its
records are examined, and then is one of at most `analyzer.ingest.loader.MOST_DEPOSITS` that wait to be stored. With all
queues full, 96 of the 288 threads are left to files, to what watches the server, and to the kinds that wait in no queue."""

DEFAULT_RATES = {kind.setting: kind.rate for kind in REQUEST_KINDS}
"""The settings of the rates, and their defaults."""
