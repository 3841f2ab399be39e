"""The whole conformance kit confirmed by others, every error planted, and the kit made anew: `make soak ARGS="--kit"`.

`make test` does this with a part of the cases and of the errors. It takes a quarter of an hour on an idle processor.
"""

import os
import subprocess
import sys

KIT = "tests/records/conformance/test_kit.py"


def main() -> int:
    """Confirm every case, plant every error and make the kit; 1 if a case or an error fails, or the kit comes out otherwise."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", KIT]
    return subprocess.run(command, env={**os.environ, "BEZIQUE_KIT": "1"}).returncode
