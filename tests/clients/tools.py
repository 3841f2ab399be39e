"""Generators of clients and of types: found in a cache folder, or installed there by pip and npm at exact versions."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

CACHE = Path(os.environ.get("BEZIQUE_CLIENT_TOOLS", "~/.cache/bezique-client-tools")).expanduser()
"""Where what was installed stays; nothing of it is part of the repository."""
INSTALL_SECONDS = 180
PYTHON_TOOLS = ("openapi-python-client==0.29.1", "datamodel-code-generator==0.89.0")
NODE_TOOLS = (
    "@types/node@20.19.0", "ajv@8.20.0", "openapi-fetch@0.17.0", "openapi-typescript@7.13.0", "quicktype@26.0.0",
    "typescript@5.9.3",
)  # fmt: skip
MORE_PYTHON_TOOLS = ("openapi-generator-cli==7.26.0", "python-dateutil", "urllib3", "pydantic")
MORE_NODE_TOOLS = (
    "@hey-api/openapi-ts@0.95.0", "@redocly/cli@2.77.0", "@stoplight/spectral-cli@6.16.3", "orval@7.13.2",
    "typescript@5.9.3",
)  # fmt: skip
"""Those that take a minute to install; openapi-generator runs in Java."""


def python_tools(tools: Sequence[str] = PYTHON_TOOLS) -> dict[str, str]:
    """The environment in which this Python finds generators written in Python; skips a test if there are none."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", "."]
    folder = _installed("python", tools, command)
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}


def node_modules(tools: Sequence[str] = NODE_TOOLS) -> Path:
    """The folder `node_modules` with generators written in JavaScript; skips a test if there are none."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("no client in TypeScript was tried: node and npm are not installed here")
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", "."]
    return _installed("node", tools, command) / "node_modules"


def run(command: Sequence[str | Path], folder: Path, env: dict[str, str] | None = None) -> None:
    """Run a command in a folder; fails with what it says."""
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=INSTALL_SECONDS
    )
    assert done.returncode == 0, f"{command[0]}: {done.stdout}\n{done.stderr}"


def _installed(name: str, tools: Sequence[str], command: Sequence[str]) -> Path:
    """The folder with tools; skips a test if they cannot be had, without another try."""
    found = _install(name, tuple(tools), tuple(command))
    if isinstance(found, str):
        pytest.skip(found)
    return found


@cache
def _install(name: str, tools: tuple[str, ...], command: tuple[str, ...]) -> Path | str:
    """The folder, filled whole or not at all, whoever else does it at the same time; or why not."""
    versions = "+".join(each.replace("/", ".") for each in tools)
    folder = CACHE / f"{name}-{sys.version_info[0]}.{sys.version_info[1]}-{versions}"
    if folder.exists():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    made = Path(mkdtemp(dir=CACHE))
    try:
        run([*command, *tools], made)
        made.rename(folder)
    except (AssertionError, subprocess.TimeoutExpired, OSError) as why:
        shutil.rmtree(made, ignore_errors=True)
        if not folder.exists():
            return f"no client was tried: {command[0]} cannot install {versions}: {why}"[:500]
    return folder
