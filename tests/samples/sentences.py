"""Every sentence that a finding can be, from real records: `python -m tests.samples.sentences` writes them to be read.

By code and clause, the first that is found in the samples, in the conformance kit, in records with two faults, and in those
below, which are here for their sentences alone.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from records.conformance.cases import kit_folder, read_kit
from records.events import Play
from records.record import Claims, Deal, Record, Result
from records.validate.codes import FINDING_CODES
from records.validate.finding import Finding
from records.validator import check, check_path, check_record
from tests.records.conformance.several_faults import EVENTS, of_whole_deals, two_faults
from tests.samples.broken import LAST, NOBODY, RECORDS, WON, Broken
from tests.samples.make import SAMPLES
from tests.samples.unreadable import deal, event, game, players, rules_of_more, text
from tests.make.tables import deal_of, record_of
from tests.make.turns import deal_of as turn_of
from tests.make.turns import record_of as zetema

PAGE = Path(__file__).with_suffix(".md")
_HEAD = """# The sentences of findings

Each code and clause with a sentence that a record has. Read them when one changes: every word must be true of the record.

<!-- `python -m tests.samples.sentences` writes this page; do not edit it by hand. -->
"""

_DEALT = [
    ["AS", "AH", "AD", "AC", "9S", "9H", "9D", "9C"],
    ["8S", "8H", "8D", "8C", "JS", "JH", "JD", "JC"],
]


def scores(sheet: str, *claims: list[int] | None, **result: object) -> Record:
    """A match of which only scores are known."""
    deals = [
        Deal(dealer=number % 2, knowledge="scores", claims=Claims(scores=each) if each else None)
        for number, each in enumerate(claims)
    ]
    return replace(record_of(deals, sheet=sheet), result=Result(**result))  # type: ignore[arg-type]


def told_records() -> Iterator[Record]:
    """Records for sentences that no other has."""
    yield scores("marjolet", [30, 40], status="complete")
    yield scores("marjolet", [600, 400])
    yield scores("marjolet", [-10, 400])
    yield scores("rubicon-bezique", [60, 60], status="complete")
    yield scores("marjolet", None, None, status="complete", scores=[510, 301])
    yield scores("marjolet", None, status="complete", scores=[900, 300])
    yield scores("marjolet", [400, 100], None, status="complete", scores=[300, 600])
    yield scores("rubicon-bezique", None, status="complete", scores=[60, 60])
    yield scores("marjolet", None, None, status="complete", scores=[510, 600], winner=0)
    yield scores("marjolet", None, None, status="complete", scores=[310, 290])
    yield scores("rubicon-bezique", None, winner=1, settlement=[800, 0])
    yield scores("rubicon-bezique", None, scores=[1510, 1240], settlement=[900, 0])
    for broken in (
        Broken(
            f"N: QC JH | {NOBODY} | {WON}", "N melds bezique QC JH 40", sheet="bezique-enhanced"
        ),
        Broken(
            f"N: AH TH KH QH JH | S: 9S 9H 9D 9C 8C | {WON}", "N melds sequence AH TH KH QH JH 120"
        ),
        Broken(f"N: KH QH | {NOBODY} | {WON}", "N melds marriage KH KH 20"),
        Broken(f"N: KH QH | {NOBODY} | {WON}", "N melds bezique KH QH"),
        Broken("N: AS | S: TS | trump H | brisques 6 8", "N AS, S TS, N counts 9 brisques 80"),
        Broken(LAST, "N 9S, S 8S, N scores tenth_trick 10"),
        Broken(LAST, "N 9S, S 8S, N counts 2 brisques 20", sheet="rubicon-bezique"),
        Broken(LAST, "N 9S, S 8S, N counts 2 brisques 20", sheet="six-pack-bezique"),
        Broken("N: 7H 9S | S: 8S 8H | trump H | spent 7H 7H"),
        Broken("N: 7H 9S | S: 8S 8H | trump H | spent 9S"),
        Broken(f"N: 7D | S: 9H | {WON}", "N dix show 7D 10"),
        Broken(LAST, "N 9S, S 8S, N dix show 10"),
        Broken(
            "N: 9S | S: 9H | trump C | turn-up 8C | stock 1 | N leads",
            "N dix exchange 10",
            sheet="zique",
        ),
        Broken(
            "N: 9S 8S | S: 9H 8H | trump H | N leads",
            "N 9S, S 8H, N shows four_aces 9S",
            sheet="rubicon-bezique-club",
        ),
        Broken(
            f"N: KS QS | {NOBODY} | trump H | N leads",
            "N KS, S 9H, S 9D, N QS, N melds marriage KS QS",
        ),
        Broken(
            "N: 9S 8S | S: 9H 8H | trump C | turn-up 8C | stock 1 | N leads",
            "N 9S, S 8H from table",
        ),
        Broken(f"N: 9S | S: 9H | {WON}", "N draws KC, S draws 8C, N KC, irregular N misdeal, S 9H"),
        Broken("N: AS | S: TS | trump H | N leads", "N AS, S TS, N melds marriage KS QS"),
        Broken(
            "N: KS QS | S: 9S 9H | turn-up 8C | stock 1 | N won",
            "N melds marriage KS QS, N draws KD, S draws 8C, irregular N withdrawn_meld",
        ),
        Broken("N: ?? | S: 9H | trump H | N captured AS | brisques 0 0", sheet="polish-bezique"),
        Broken("N: AS | S: AD | trump H | N won | N captured", sheet="polish-bezique"),
        Broken("N: A? A? A? A? A? | S: A? A? A? A? A? | trump H"),
        Broken("N: AS | S: AD | stock 1", sheet="rubicon-bezique"),
        Broken(
            "N: 9S | N lays four_tens TS | S: 9H 9D | trump H | stock 2 | N leads",
            sheet="rubicon-bezique",
        ),
        Broken(
            "N: KH QH 7S 7H | S: 9S 9H 9D 9C | turn-up KC | stock 3 | N won | trump C",
            "N melds marriage KH QH, N dix exchange",
            sheet="bezique-enhanced",
            options={"exchange_is_the_meld": True},
        ),
    ):
        yield broken.record()
    yield record_of(
        [
            deal_of("N: 9S 8S | S: 9H 8H | trump H | S deals", "N 9S, S 9H"),
            deal_of(f"{LAST} | N deals"),
        ]
    )
    yield zetema(
        turn_of("A: KH QH 2C 3D 4C 6D | B: KD QD 2D 3C 4D 6C | stock 7", "A discards 2C"),
        turn_of("A: KH | B: KD"),
    )
    yield zetema(turn_of("A: KH | B: KD", "A discards KH, B discards KD, A melds flush KS QS"))
    tricks = Deal(dealer=1, knowledge="full", hands=_DEALT, turn_up="QD", stock=["KC"] * 47)
    yield record_of([replace(tricks, events=[Play(seat=0, card="9S"), Play(seat=1, card="8S")])])
    yield zetema(replace(turn_of("A: KH | B: KD"), events=[Play(seat=0, card="2C")]))


def told_texts() -> Iterator[bytes]:
    """Texts for sentences that no sample has."""
    yield game(notes=[{"at": [0, 0], "text": "?"}])
    yield deal(events=[]).replace(b'"deals"', b'"notes":[{"at":[0,5],"text":"?"}],"deals"')
    yield deal(events=[]).replace(b'"deals"', b'"notes":[{"at":[0,5,1],"text":"?"}],"deals"')
    yield deal(events=[]).replace(b'"deals"', b'"lines":[{"at":[0],"events":[]}],"deals"')
    yield game() + b" {}"
    yield game().replace(b":", b";", 1)
    yield game(ext={"org.example": 1}).replace(b":1}", b":NaN}")
    yield game().decode().encode("utf-16")
    yield game().replace(b"North", b"\\ud800")
    yield deal(hands=[["QS.1", "KS.1"], ["QS", "KS"]])
    yield game(result={"winner": 3})
    yield game(deals=[{"dealer": 0, "setup": {"hands": [[], []], "seat": 0, "stock": -1}}])
    yield game(result={"scores": [10**30, 0]})
    yield event(ms=-1)
    yield text({"version": "1.0"})
    yield game(rules=rules_of_more(6, 2), players=players(6), sides=[[0, 2, 4], [1, 3, 5]])


@cache
def found_findings() -> tuple[Finding, ...]:
    """The findings of all these records, those of the samples first."""
    found = [
        each
        for path in sorted((SAMPLES / "broken").iterdir())
        for r in check_path(path)
        for each in (*r.findings[:20], *r.findings[-1:])
    ]
    records = [*(each.record() for each in RECORDS.values()), *told_records()]
    records += [
        *(two_faults(each) for each in EVENTS),
        *(record for *_, record in of_whole_deals()),
    ]
    for record in records:
        found += check_record(record).findings
    texts = list(told_texts())
    for case in read_kit(kit_folder()):
        given = msgspec.to_builtins(case.given)
        if "record" in given:
            texts.append(msgspec.json.encode(given["record"]))
    for data in texts:
        found += check(data).findings
    return tuple(found)


def sentences() -> dict[tuple[str, str], str]:
    """By code and clause the first sentence that is found."""
    first: dict[tuple[str, str], str] = {}
    for each in found_findings():
        first.setdefault((each.code, each.clause or _clause_of(each)), each.message)
    return first


def _clause_of(finding: Finding) -> str:
    """The clause of a finding that does not name it: the first whose words it has."""
    code = FINDING_CODES[finding.code]
    for name, words in code.clauses.items():
        literal = max(re.split(r"{\w+}", words), key=len)
        if literal in finding.message:
            return name
    return ""


def page() -> str:
    """The page of sentences, in the order of the codes."""
    first, lines = sentences(), [_HEAD]
    for code in FINDING_CODES:
        for clause in FINDING_CODES[code].clauses or ("",):
            sentence = first.get((code, clause))
            if sentence is not None:
                lines.append(f"- `{code}`{f' ({clause})' if clause else ''}: {sentence}")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
