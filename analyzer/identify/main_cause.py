"""What is wrong with a record, in one sentence: the cause that most of its findings follow from."""

from collections.abc import Sequence

import msgspec

from records.phrases import capitalize_first, pluralize
from records.validate.finding import Finding
from records.validate.groups import FoldedFindings, fold_findings


class MainCause(msgspec.Struct, frozen=True):
    """The main cause of what is wrong: a sentence, its finding code, and how many of all findings follow from it.

    Notes are no findings here. `seat` is the only one whose habit it is, None if it is of several, or no habit.
    """

    says: str
    code: str
    explained: int
    total: int
    seat: int | None


def find_main_cause(findings: Sequence[Finding]) -> MainCause | None:
    """The main cause among these findings; None if nothing is wrong."""
    wrong = [finding for finding in findings if finding.severity != "note"]
    if not wrong:
        return None
    main = max(fold_findings(wrong), key=lambda group: group.explained)
    return MainCause(
        _sentence(main, len(wrong)), main.first.code, main.explained, len(wrong), main.only_seat
    )


def _sentence(main: FoldedFindings, total: int) -> str:
    explained = main.explained
    if explained == 1:
        more = f" {pluralize(total - 1, 'other finding has a cause of its own', 'other findings have causes of their own')}."
        return main.first.message + (more if total > 1 else "")
    share = (
        f"all {total:,} findings follow"
        if explained == total
        else f"{explained:,} of {total:,} findings follow"
    )
    if len(main.findings) == 1:
        return f"{main.first.message} {capitalize_first(share)} from it."
    return f"{main.habit}: {share} from it."
