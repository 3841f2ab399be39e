"""The key that signs sessions, and one that was lost or broken."""

import logging
from pathlib import Path

import pytest

from webui.server.logins import SESSION_KEY_FILE_NAME, session_secret


def test_a_key_is_made_once(tmp_path: Path) -> None:
    assert session_secret(tmp_path) == session_secret(tmp_path)
    assert (tmp_path / SESSION_KEY_FILE_NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("broken", [b"", b"\0" * 64, b"0123", b"\xff\xfe" * 32, b" \n"])
def test_a_broken_key_is_made_anew_with_a_warning(
    tmp_path: Path, broken: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / SESSION_KEY_FILE_NAME).write_bytes(broken)
    with caplog.at_level(logging.WARNING):
        key = session_secret(tmp_path)
    assert "is broken and is made anew" in caplog.text
    assert len(key) == 64
    assert session_secret(tmp_path) == key
