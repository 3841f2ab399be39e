"""What holds for all tests: the examples of property tests, and the summary of damaged games at the end."""

from collections import Counter, defaultdict
from typing import Any

from hypothesis import HealthCheck, settings

# No deadlines: a busy machine tries the same examples as an idle one.
settings.register_profile("new", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("new"), derandomize=True)
settings.load_profile("same")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            for name, value in getattr(report, "user_properties", []):
                if name == "mutants":
                    tallies[value[0]].update(value[1])
    if not tallies:
        return
    terminalreporter.section("damaged games")
    terminalreporter.write_line(
        f"{'kind of damage':28}{'made':>7}{'wrong':>7}{'found':>7}   found at the changed place"
    )
    for kind, tally in sorted(tallies.items(), key=lambda pair: -share(pair[1])):
        terminalreporter.write_line(row(kind, tally))
    terminalreporter.write_line(row("all", sum(tallies.values(), Counter[str]())))


def share(tally: Counter[str]) -> float:
    return tally["located"] / tally["wrong"] if tally["wrong"] else 0.0


def row(kind: str, tally: Counter[str]) -> str:
    counts = "".join(f"{tally[name]:7}" for name in ("made", "wrong", "found"))
    return f"{kind:28}{counts}   {share(tally):5.0%}"
