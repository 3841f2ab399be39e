"""Asks a program the cases of one file of the kit: python driver.py zique.jsonl my-program [argument...]"""

import json
import subprocess
import sys

DETAILS = {"right": ["right"], "verdict": ["right", "verdict"], "place": ["right", "verdict", "at"],
           "code": ["right", "verdict", "at", "code"],
           "whole": ["right", "verdict", "at", "code", "since", "open"]}  # fmt: skip
RIGHT, WRONG = ["legal", "incomplete", "undetermined"], ["legal_with_mismatches", "illegal", "unreadable"]


def can(hello, case):
    knows = case.get("sheet") in (None, *hello["sheets"]) and case.get("level", "full") in hello["levels"]
    return knows and case["ask"] in hello["asks"] and {*case.get("features", [])} <= {*hello.get("features", [])}


def ask(**request):
    print(json.dumps(request), file=program.stdin, flush=True)
    return json.loads(program.stdout.readline())


with open(sys.argv[1], encoding="utf-8") as file:
    cases = [json.loads(line) for line in file]
program = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
hello, asked, agreed = ask(seq=0, ask="hello"), 0, 0
for seq, case in enumerate((case for case in cases if can(hello, case)), 1):
    answer, expected = ask(seq=seq, ask=case["ask"], case=case["id"], given=case["given"]), case["expect"]
    if case["ask"] == "validate":
        if answer.get("verdict") in RIGHT + WRONG:
            answer.setdefault("right", answer["verdict"] in RIGHT)
        expected = {name: expected[name] for name in DETAILS[hello.get("detail", "verdict")] if name in expected}
    if "skip" not in answer:
        asked += 1
        agreed += (agrees := all(answer.get(name) == value for name, value in expected.items()))
        agrees or print(case["id"], "expected", expected, "told", answer)
print(f"{agreed} of {asked} answers were as expected.")
sys.exit(agreed != asked)
