"""Who may what: every view declares its action, and this table names the roles that may do it."""

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
    """A command that read the key in the data folder, and could as well read the database there."""


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
    RENAME = "rename"
    """Other names for players, and two made one."""
    CORRECT = "correct"
    """Corrections of what records tell of their occasions."""
    EDIT_STUDIES = "edit-studies"
    """Studies that others wrote: seeing, changing and deleting them. One's own need their links."""
    KEEP_RULEBOOKS = "keep-rulebooks"
    """Rulebooks of a table's own, which records that are stored here may name."""
    RUN_EVENINGS = "run-evenings"
    """Evenings of a club: who is here, rounds, results that are typed."""
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
    Action.READ: READERS | {Role.COMMAND},
    Action.VALIDATE: READERS,
    Action.UPLOAD: UPLOADERS,
    Action.ROLL_OUT: UPLOADERS,
    Action.STOP_ALL_ROLLOUTS: ADMINS,
    Action.USE_LINK: READERS | {Role.VISITOR},
    Action.CONTROL_IMPORTS: ADMINS,
    Action.DELETE: ADMINS | {Role.COMMAND},
    Action.RENAME: ADMINS | {Role.COMMAND},
    Action.CORRECT: ADMINS | {Role.COMMAND},
    Action.EDIT_STUDIES: ADMINS,
    Action.KEEP_RULEBOOKS: ADMINS | {Role.COMMAND},
    Action.RUN_EVENINGS: ADMINS,
    Action.COPY: ADMINS,
    Action.COPY_BY_KEY: frozenset((Role.COMMAND,)),
    Action.MEASURE: READERS,
    Action.LOG_IN: frozenset((Role.VISITOR, Role.ADMIN, Role.PERSON)),
    Action.LOG_OUT: frozenset((Role.ADMIN,)),
}
"""Which roles may do what, whatever the settings are."""

VISITOR_CHOICES = (Action.READ, Action.VALIDATE, Action.UPLOAD, Action.ROLL_OUT)
"""What the admin may allow visitors, by the setting `VISITORS_MAY`."""

CHANGING_ACTIONS = frozenset(
    (
        Action.UPLOAD,
        Action.ROLL_OUT,
        Action.DELETE,
        Action.RENAME,
        Action.CORRECT,
        Action.EDIT_STUDIES,
        Action.KEEP_RULEBOOKS,
        Action.RUN_EVENINGS,
        Action.COPY,
    )
)
"""What needs a database: a collection shown from Parquet files cannot do it for anybody."""


def is_granted(role: Role, action: Action, visitors_may: frozenset[Action]) -> bool:
    """Whether a role may do something on a server that allows visitors so much."""
    if role is Role.VISITOR and action in VISITOR_CHOICES:
        return action in visitors_may
    return role in GRANTS[action]
