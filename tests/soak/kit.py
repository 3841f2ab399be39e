"""The whole conformance kit confirmed by others, and every error planted: `make soak ARGS="--kit"`.

`make test` does this with a part of the cases and of the errors. It takes a minute or two.
"""

import os
import subprocess
import sys

KIT = "tests/records/conformance/test_kit.py"


def main() -> int:
    """Confirm every case and plant every error; 1 if a case is not confirmed or an error not caught."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", KIT]
    return subprocess.run(command, env={**os.environ, "BEZIQUE_KIT": "1"}).returncode
