"""The one table of who may what: every view has an action, and every action names the roles that may do it."""

from collections.abc import Mapping
from enum import StrEnum


class Role(StrEnum):
    """Who asks. A sender is no role: whoever has the private link of an upload is its sender."""

    VISITOR = "visitor"
    """Anybody, on a public server."""
    PERSON = "person"
    """Whoever sits at the machine of a server that is not public."""
    READER = "reader"
    """A program with a token for reading and checking."""
    UPLOADER = "uploader"
    """A program with a token for uploads, too."""
    STEWARD = "steward"
    """A program with a token for everything that the admin may do."""
    ADMIN = "admin"
    """The admin, logged in on a public server."""
    COMMAND = "command"
    """A command that read the key in the data folder."""


class Action(StrEnum):
    """What somebody may do; a view belongs to one action."""

    LOOK = "look"
    """Pages that are the same whatever is stored: rules, findings, glossary, API, styles."""
    READ = "read"
    """Everything stored, in every form, and what is computed from it."""
    VALIDATE = "validate"
    """Records that the server checks or shows without storing them."""
    UPLOAD = "upload"
    """Records that the server stores."""
    ROLL_OUT = "rollouts"
    """Roll-outs and deep reviews: starting them, and stopping one's own."""
    STOP_ALL_ROLLOUTS = "stop-all-rollouts"
    USE_LINK = "use-link"
    """What the private link of an upload leads to; the link itself is the permission, and the views ask for it."""
    CONTROL_IMPORTS = "control-imports"
    DELETE = "delete"
    COPY = "copy"
    """A copy of the whole database."""
    COPY_BY_KEY = "copy-by-key"
    """The same, for a command with the key of the data folder."""
    MEASURE = "measure"
    """How busy the server is, for programs that watch it."""
    LOG_IN = "log-in"
    LOG_OUT = "log-out"


READERS = frozenset((Role.PERSON, Role.READER, Role.UPLOADER, Role.STEWARD, Role.ADMIN))
UPLOADERS = READERS - {Role.READER}
ADMINS = UPLOADERS - {Role.UPLOADER}

GRANTS: Mapping[Action, frozenset[Role]] = {
    Action.LOOK: frozenset(Role),
    Action.READ: READERS,
    Action.VALIDATE: READERS,
    Action.UPLOAD: UPLOADERS,
    Action.ROLL_OUT: UPLOADERS,
    Action.STOP_ALL_ROLLOUTS: ADMINS,
    Action.USE_LINK: READERS | {Role.VISITOR},
    Action.CONTROL_IMPORTS: ADMINS,
    Action.DELETE: ADMINS,
    Action.COPY: ADMINS,
    Action.COPY_BY_KEY: frozenset((Role.COMMAND,)),
    Action.MEASURE: READERS,
    Action.LOG_IN: frozenset((Role.VISITOR, Role.ADMIN, Role.PERSON)),
    Action.LOG_OUT: frozenset((Role.ADMIN,)),
}
"""Which roles may do what, whatever the settings are."""

VISITOR_CHOICES = (Action.READ, Action.VALIDATE, Action.UPLOAD, Action.ROLL_OUT)
"""What the admin may allow visitors, by the setting `VISITORS_MAY`."""

CHANGING_ACTIONS = frozenset((Action.UPLOAD, Action.ROLL_OUT, Action.DELETE, Action.COPY))
"""What needs a database: a collection shown from Parquet files cannot do it for anybody."""

ENDPOINT_GROUPS: Mapping[Action, str] = {
    Action.LOOK: """
        static bundle.plotly bundle.series home.home home.icon api.api api.api_json
        documents.documents documents.documents_json documents.page documents.page_json
        examples.original examples.record examples.replay examples.replay_json examples.replay_picture
        examples.replay_preview
        examples.review examples.search_values
        examples.what_if examples.what_if_json examples.what_if_preview
        findings.finding findings.finding_json findings.findings findings.findings_json findings.sample
        glossary.glossary glossary.glossary_json health.live health.ready health.version reviews.help_json reviews.help_page
        rules.compare_json rules.compare_sheets rules.form rules.form_json rules.rules rules.rules_json rules.sheet rules.sheet_json
        specification.kit_file specification.folder_index specification.page specification.page_by_file_name
        specification.page_json specification.sample_file specification.sample_index specification.samples
        specification.schema
        specification.sheet_data
        specification.specification specification.specification_json
        interface.describe interface.openapi interface.list_sheets interface.sheet
        interface.list_schemas interface.schema
    """,
    Action.READ: """
        home.home_json games.game games.game_json games.games games.games_json games.games_jsonl
        games.games_jsonl_gz games.record games.report
        deals.replay deals.replay_json deals.replay_picture deals.replay_preview deals.replay_text embed.replay embed.replay_json
        expectancy.calibration expectancy.calibration_figure expectancy.calibration_json
        expectancy.expectancy_json identify.identify identify.identify_json
        notes.notes notes.notes_json notes.record
        what_if.record what_if.search_values what_if.what_if what_if.what_if_json what_if.what_if_preview
        reviews.choices_json reviews.luck_json reviews.review reviews.review_json reviews.review_text
        reviews.weighing_found reviews.weighing_json
        drills.game drills.game_json drills.player drills.player_json
        explore.explore explore.explore_csv explore.explore_json explore.figure_json explore.values
        players.figure_json players.list_players players.list_players_json players.player
        players.player_json players.rating_figure
        sql.sql sql.sql_csv sql.sql_json
        statistics.answer statistics.answer_csv statistics.answer_json statistics.figure_json
        statistics.sheet statistics.sheet_json statistics.statistics statistics.statistics_json
        imports.list_imports imports.list_imports_json imports.show_import imports.progress
        verdicts.show verdicts.show_json games.games_csv
        events.list_club_events events.list_club_events_json
        events.crosstable_csv events.standings events.standings_csv events.standings_json
        players.compare players.compare_json players.list_players_csv
        interface.list_games interface.export_games interface.game interface.record interface.redact_game
        interface.report interface.show_import interface.frames interface.position interface.what_if
        interface.annotation interface.start_annotation interface.annotation_job interface.identify_game
        interface.deep_review interface.deep_review_job
        interface.list_statistics interface.answer_question interface.explore interface.list_tables
        interface.answer_statement
    """,
    Action.VALIDATE: """
        api.validate home.check interface.validate interface.redact_record interface.identify_record
        permalinks.record permalinks.replay permalinks.replay_json
        permalinks.review permalinks.search_values
        permalinks.what_if permalinks.what_if_json
    """,
    Action.UPLOAD: "home.upload interface.store_games",
    Action.ROLL_OUT: """
        reviews.start_rollouts reviews.stop_rollouts reviews.start_weighing reviews.stop_weighing interface.start_luck interface.start_deep_review
    """,
    Action.USE_LINK: """
        sent.ask sent.ask_json sent.open_link sent.show sent.show_json sent.progress sent.resume sent.stop sent.discard sent.delete
        private_games.game private_games.game_json private_games.original private_games.record
        private_games.replay private_games.replay_json private_games.review private_games.review_text
        private_games.what_if private_games.what_if_json private_games.search_values
        notes.add interface.delete_upload
    """,
    Action.CONTROL_IMPORTS: "imports.resume imports.stop imports.discard",
    Action.DELETE: "admin.confirm_deletion admin.confirm_deletion_json admin.delete interface.delete_game",
    Action.COPY: "admin.admin admin.admin_json admin.backup",
    Action.COPY_BY_KEY: "admin.local_backup",
    Action.MEASURE: "health.metrics",
    Action.LOG_IN: "login.log_in login.log_in_json login.check_password",
    Action.LOG_OUT: "login.log_out",
}
"""The views of each action, by endpoint. A view that is not here is refused to everybody."""

ENDPOINT_ACTIONS: Mapping[str, Action] = {
    endpoint: action for action, names in ENDPOINT_GROUPS.items() for endpoint in names.split()
}
"""The action of each view."""


def is_granted(role: Role, action: Action, visitors_may: frozenset[Action]) -> bool:
    """Whether a role may do something on a server that allows visitors so much."""
    if role is Role.VISITOR and action in VISITOR_CHOICES:
        return action in visitors_may
    return role in GRANTS[action]
