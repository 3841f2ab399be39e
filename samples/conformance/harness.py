"""A harness for a validator in Python: put your own into `validate`. Try it: bezique conform run -- python harness.py"""

import json
import sys


def validate(given):
    """Whether a record is right. This one only adds up; yours knows the rules."""
    record = given.get("record") or {}
    claimed = [deal.get("claims", {}).get("scores") for deal in record.get("deals", [])]
    total = record.get("result", {}).get("scores")
    adds_up = total is None or None in claimed or total == [sum(side) for side in zip(*claimed)]
    return {"right": adds_up}


ANSWERS = {"validate": validate}
HELLO = {
    "protocol": "1.0", "program": "adding-up", "version": "1", "asks": list(ANSWERS),
    "sheets": ["marjolet", "zique"], "levels": ["full"], "features": [], "detail": "right",
}  # fmt: skip

for line in sys.stdin:
    request = json.loads(line)
    ask = ANSWERS.get(request["ask"], lambda given: {"skip": "not known"})
    try:
        answer = HELLO if request["ask"] == "hello" else ask(request["given"])
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps({"seq": request["seq"], **answer}), flush=True)
