"""`bezique serve` as a process of its own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_COMMAND = "import sys; from webui.cli.command_line import main; sys.exit(main())"


@contextmanager
def running_server(folder: Path, *options: str) -> Iterator[int]:
    """The port of a server on a data folder; every address 127.x.y.z of this machine is a client of its own."""
    command = [
        sys.executable,
        "-u",
        "-c",
        _COMMAND,
        "serve",
        "--data",
        str(folder),
        "--port",
        "0",
        *options,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as server:
        try:
            assert server.stdout
            line = server.stdout.readline()
            found = re.search(r":(\d+)/", line)
            assert found, f"the server does not start: {line}"
            yield int(found[1])
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
