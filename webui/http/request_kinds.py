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


REQUEST_KINDS = (
    RequestKind("files", "6000 per minute"),
    RequestKind("pages", "1200 per minute", "pages"),
    RequestKind("replays", "1200 per minute", "pages"),
    RequestKind("questions", "1200 per minute", "questions"),
    RequestKind("previews", "60 per minute", "pages"),
    RequestKind("permalinks", "240 per minute", "pages"),
    RequestKind("logins", "5 per minute; 30 per hour", "pages"),
    RequestKind("uploads", "60 per minute", "uploads"),
    RequestKind(
        "validations", "60 per minute", at_once=2, at_once_per_client=1, counted_with="uploads"
    ),
    RequestKind("sql", "60 per minute"),  # the processes that run the statements count them
    RequestKind("reviews", "60 per minute", at_once=2, at_once_per_client=1),
    RequestKind("exports", "30 per minute", at_once=2, at_once_per_client=1),
)
"""Files and pages take milliseconds, replays and uploads tens of them, previews a hundred, questions up to the time limit of a query;
the kinds that are refused take seconds. How many requests of one client arrive at all is the proxy's to say."""

TURNS = {"pages": 2, "questions": 2, "uploads": 2}
"""How many requests of each queue run at a time. Threads share one interpreter, and uploads store one after the other: an
upload among twelve threads at work takes seven times as long as among four, and all the others wait for it. So few are
at work, and neither readers nor uploads take the turns of the others."""

KIND_OF_UNKNOWN_ADDRESSES = "pages"
"""The kind of what answers 404."""

ENDPOINTS_BY_KIND = {
    "files": (
        "static", "bundle.plotly", "bundle.series", "home.icon",
        "specification.kit_file", "specification.folder_index", "specification.sample_file", "specification.sample_index",
        "specification.samples", "specification.page_by_file_name", "specification.schema", "specification.sheet_data",
        "interface.describe", "interface.openapi", "interface.list_sheets", "interface.sheet",
        "interface.list_schemas", "interface.schema",
    ),
    "pages": (
        "home.home", "home.home_json",
        "games.games", "games.games_json", "games.game", "games.game_json", "games.report", "games.record",
        "imports.list_imports", "imports.list_imports_json", "imports.show_import", "imports.progress",
        "imports.resume", "imports.stop", "imports.discard",
        "admin.admin", "admin.admin_json", "admin.confirm_deletion", "admin.confirm_deletion_json", "admin.delete",
        "statistics.statistics", "statistics.statistics_json",
        "rules.rules", "rules.rules_json", "rules.sheet", "rules.sheet_json", "rules.compare_sheets", "rules.compare_json",
        "rules.form", "rules.form_json",
        "findings.findings", "findings.findings_json", "findings.finding", "findings.finding_json", "findings.sample",
        "glossary.glossary", "glossary.glossary_json",
        "documents.documents", "documents.documents_json", "documents.page", "documents.page_json",
        "specification.specification", "specification.specification_json",
        "specification.page", "specification.page_json",
        "reviews.start_rollouts", "reviews.stop_rollouts", "reviews.luck_json",
        "reviews.start_weighing", "reviews.stop_weighing", "reviews.weighing_json", "reviews.weighing_found", "reviews.choices_json",
        "reviews.help_page", "reviews.help_json",
        "api.api", "api.api_json",
        "login.log_in", "login.log_in_json", "login.log_out",
        "health.live", "health.ready", "health.version", "health.metrics",
        "sent.ask", "sent.ask_json", "sent.open_link", "sent.show", "sent.show_json", "sent.progress", "sent.resume", "sent.stop", "sent.discard", "sent.delete",
        "private_games.original", "examples.original",
        "interface.list_games", "interface.game", "interface.record", "interface.report", "interface.show_import",
        "interface.delete_game", "interface.delete_upload", "interface.annotation", "interface.annotation_job",
        "interface.start_annotation", "interface.start_luck",
        "interface.deep_review", "interface.deep_review_job", "interface.start_deep_review", "interface.list_tables", "interface.list_statistics",
    ),
    "replays": (
        "deals.replay", "deals.replay_json", "deals.replay_text", "deals.replay_picture",
        "embed.replay", "embed.replay_json",
        "drills.game", "drills.game_json", "drills.player", "drills.player_json",
        "what_if.what_if", "what_if.what_if_json", "what_if.record",
        "examples.replay", "examples.replay_json", "examples.replay_picture",
        "examples.what_if", "examples.what_if_json", "examples.record",
        "notes.record", "notes.notes", "notes.notes_json",
        "interface.frames", "interface.position", "interface.what_if", "interface.redact_game",
    ),
    "questions": (
        "statistics.answer", "statistics.answer_json", "statistics.answer_csv", "statistics.figure_json",
        "statistics.sheet", "statistics.sheet_json",
        "explore.explore", "explore.explore_json", "explore.explore_csv", "explore.figure_json", "explore.values",
        "players.list_players", "players.list_players_json", "players.player", "players.player_json",
        "players.figure_json", "players.rating_figure", "players.compare", "players.compare_json",
        "players.list_players_csv",
        "events.list_club_events", "events.list_club_events_json",
        "events.crosstable_csv", "events.standings", "events.standings_csv", "events.standings_json",
        "expectancy.expectancy_json", "expectancy.calibration", "expectancy.calibration_json",
        "expectancy.calibration_figure",
        "interface.answer_question", "interface.explore",
    ),
    "previews": (
        "deals.replay_preview", "examples.replay_preview", "what_if.what_if_preview", "examples.what_if_preview",
    ),
    "permalinks": (
        "permalinks.replay", "permalinks.replay_json",
        "permalinks.what_if", "permalinks.what_if_json", "permalinks.record",
        "private_games.game", "private_games.game_json", "private_games.replay", "private_games.replay_json",
        "private_games.what_if", "private_games.what_if_json", "private_games.record",
    ),
    "logins": ("login.check_password",),
    "uploads": ("home.upload", "home.check", "verdicts.show", "verdicts.show_json", "notes.add", "interface.store_games", "interface.redact_record"),
    "validations": ("api.validate", "interface.validate"),
    "sql": ("sql.sql", "sql.sql_json", "sql.sql_csv", "interface.answer_statement"),
    "reviews": (
        "reviews.review", "reviews.review_json", "reviews.review_text", "private_games.review_text",
        "private_games.review", "permalinks.review", "examples.review",
        "what_if.search_values", "private_games.search_values", "permalinks.search_values", "examples.search_values",
        "identify.identify", "identify.identify_json", "interface.identify_game", "interface.identify_record",
    ),
    "exports": ("games.games_csv", "games.games_jsonl", "games.games_jsonl_gz", "admin.backup", "admin.local_backup", "interface.export_games"),
}  # fmt: skip
"""The views of each kind; a new view needs its line here."""

KIND_BY_ENDPOINT = {
    endpoint: kind for kind, endpoints in ENDPOINTS_BY_KIND.items() for endpoint in endpoints
}

KINDS_BY_NAME = {kind.name: kind for kind in REQUEST_KINDS}

DEFAULT_RATES = {kind.setting: kind.rate for kind in REQUEST_KINDS}
"""The settings of the rates, and their defaults."""
