"""The report on a record that follows every reading from the start, as the pages that show a deal do."""

from msgspec.structs import replace

from records.record import Record
from records.replay import replay
from records.validate.report import Report
from records.validator import Validator, check_record


def check_by_all_readings(record: Record) -> Report:
    """The report on a record, no reading having been left out as long as there are not too many."""
    validator = Validator(record)
    if validator.match is not None:
        for frame in replay(record, match=validator.match, findings_only=True):
            validator.see(frame)
    return validator.report()


def without_numbers_of_readings(report: Report) -> Report:
    """A report that does not say how many readings were followed."""
    return replace(report, assignments=None)


def assert_few_readings_tell_the_same(record: Record) -> Report:
    """Few readings lead to the same report as all; returns that of all."""
    by_all = check_by_all_readings(record)
    few = without_numbers_of_readings(check_record(record))
    assert few == without_numbers_of_readings(by_all)
    return by_all
