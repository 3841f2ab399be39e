"""The examples of a service, an image and proxies: they name what exists, and run as far as this machine can run them.

`tests/webui/test_behind_a_proxy.py` tries those of the proxies.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.webui.cli.conftest import Run
from tests.webui.cli.test_serving_imports import served
from webui.cli.commands.serve import EXAMPLE_FILES, serve
from webui.cli.settings import settings_of

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "webui/server/examples"
SERVICE, IMAGE = (EXAMPLES / EXAMPLE_FILES[name] for name in ("systemd", "container"))
MOST_EXPOSED = 15
"""What systemd says of how exposed a service is, times ten: from 0, safe, to 100. Its own word up to 19 is OK."""
VARIABLES = {str(each.envvar) for each in settings_of(serve)}


def instructions() -> list[tuple[str, str]]:
    """The instructions of the image, each with its words."""
    text = re.sub(r"^#.*\n", "", IMAGE.read_text(), flags=re.M).replace("\\\n", "")
    return [(line.split()[0], line.partition(" ")[2]) for line in text.splitlines() if line]


@pytest.mark.parametrize("name", EXAMPLE_FILES)
def test_an_example_is_printed(run: Run, name: str) -> None:
    assert run("serve", "--example", name).stdout == (EXAMPLES / EXAMPLE_FILES[name]).read_text()
    assert {path.name for path in EXAMPLES.iterdir()} == set(EXAMPLE_FILES.values())


def test_commands_in_examples_have_options_that_exist(run: Run, tmp_path: Path) -> None:
    (tmp_path / "serve.toml").write_text("")
    text = "".join(path.read_text() for path in EXAMPLES.iterdir())
    commands = re.findall(r"^(?:#\s+|ExecStart=\S*/)bezique (serve [^\n`]*)$", text, re.M)
    assert len(commands) >= 3
    for command in commands:
        words = command.replace("/etc/bezique", str(tmp_path)).split()
        assert run(*words, "--settings").exit_code == 0, command
    assert set(re.findall(r"BEZIQUE_\w+", text)) <= VARIABLES


def test_the_service_is_one_for_systemd_and_well_hardened(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / SERVICE.name
    here = Path(sys.executable).with_name("bezique")
    unit.write_text(SERVICE.read_text().replace("/opt/bezique/bin/bezique", str(here)))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True
    )
    assert (verified.returncode, verified.stderr) == (0, "")
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", f"--threshold={MOST_EXPOSED}", unit],
        capture_output=True, text=True,
    )  # fmt: skip
    assert judged.returncode == 0, judged.stdout


NO_NEW_CODE = """
import ctypes, os, sys
PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN = 65, 1
if ctypes.CDLL(None).prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0):
    sys.exit(77)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Starts a program as MemoryDenyWriteExecute= does: memory that was written is never executed."""


@pytest.mark.slow
def test_the_server_works_where_no_memory_is_written_and_executed(tmp_path: Path) -> None:
    launcher = [sys.executable, "-c", NO_NEW_CODE]
    if subprocess.run([*launcher, sys.executable, "--version"]).returncode == 77:
        pytest.skip("this kernel has no PR_SET_MDWE")
    assert "MemoryDenyWriteExecute=yes\n" in SERVICE.read_text()
    with served(tmp_path, *launcher) as (address, _):
        record = (ROOT / "samples/good/zique.json").read_bytes()
        headers = {"Content-Type": "application/json"}
        with urlopen(Request(f"{address}/api/v1/games", record, headers)) as stored:
            digest = json.load(stored)["records"][0]["digest"]
        # A process on call, and one that runs statements.
        for path in (f"games/{digest}/doubts", "sql?sql=SELECT+count(*)+FROM+games"):
            with urlopen(f"{address}/{path}") as page:
                assert page.status == 200, path


def test_the_image_has_all_that_the_package_is_built_from() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    copied = {
        source
        for name, words in instructions()
        if name == "COPY" and not words.startswith("--from")
        for source in words.split()[:-1]
    }
    assert all((ROOT / source).exists() for source in copied)
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {path.partition("/")[0] for path in (*wheel["only-include"], *wheel["force-include"])}
    needed |= {project["project"]["readme"], *project["project"]["license-files"]}
    assert needed | {"pyproject.toml", ".ci/run.lock"} == copied


def test_the_image_serves_the_public_as_nobody_in_particular(run: Run, tmp_path: Path) -> None:
    final = instructions()[[name for name, _ in instructions()].index("FROM", 1) :]
    words = dict(final)
    assert int(words["USER"]) > 0
    given = dict(each.split("=", 1) for each in shlex.split(words["ENV"]))
    own = {name: value for name, value in given.items() if name.startswith("BEZIQUE_")}
    assert set(own) <= VARIABLES
    assert own["BEZIQUE_DATA"] == words["VOLUME"]
    command = json.loads(words["ENTRYPOINT"]) + json.loads(words["CMD"])
    own["BEZIQUE_DATA"] = str(tmp_path)
    refused = run(*command[1:], env=own)
    assert (refused.exit_code, "needs the name in the site's address" in refused.output) == (
        2,
        True,
    )
    own |= {"BEZIQUE_SITE_HOST": "club.example.org", "BEZIQUE_BEHIND_PROXY": "1"}
    refused = run(*command[1:], env=own)
    assert (refused.exit_code, "bezique admin password" in refused.output) == (2, True)


@pytest.mark.slow
def test_the_image_knows_whether_its_server_is_well(tmp_path: Path) -> None:
    (words,) = (words for name, words in instructions() if name == "HEALTHCHECK")
    check = json.loads(words[words.index("[") :])
    check[0] = sys.executable
    with served(tmp_path) as (address, _):
        check[-1] = check[-1].replace("http://127.0.0.1:8000", address)
        assert subprocess.run(check, capture_output=True).returncode == 0
    assert subprocess.run(check, capture_output=True).returncode != 0
