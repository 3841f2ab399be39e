"""The interface for programs, asked long: `python -m tests.soak --interface 300`.

Every operation gets so many requests that its OpenAPI document allows, and as many that it does not. None may find a
defect of the server, and every answer must be as the document says.
"""

import os
import subprocess
import sys

CONTRACT = "tests/webui/test_interface_contract.py"


def main(requests: int) -> int:
    """Ask; the exit status is that of the tests."""
    words = [sys.executable, "-m", "pytest", "-n0", "--hypothesis-profile=new", CONTRACT]
    return subprocess.run(words, env={**os.environ, "BEZIQUE_ASKED": str(requests)}).returncode
