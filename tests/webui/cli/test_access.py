"""`bezique admin`, and what `bezique serve` asks for before it lets others in."""

import http.client

import pytest

from tests.machine.waiting import PATIENCE_SECONDS
from tests.soak.crowd.running import running_server
from webui.server import logins
from webui.server.logins import is_password, set_password

PASSWORD = "correct horse battery"


@pytest.mark.long
def test_a_password_is_set_from_the_input(run, tmp_path):
    done = run("admin", "password", "--data", tmp_path / "data", stdin=f"{PASSWORD}\n".encode())
    assert (done.exit_code, "Set the admin's password" in done.output) == (0, True)
    assert is_password(tmp_path / "data", PASSWORD)
    assert not is_password(tmp_path / "data", PASSWORD + " ")
    short = run("admin", "password", "--data", tmp_path / "data", stdin=b"short\n")
    assert (short.exit_code, "12 to 1,000 characters" in short.output) == (2, True)
    assert is_password(tmp_path / "data", PASSWORD)


def test_tokens_are_added_listed_and_revoked(run, tmp_path):
    add = ("admin", "token", "add", "site", "--data", tmp_path)
    secret = run(*add, "--scope", "upload").stdout.strip()
    found = logins.find_token(tmp_path, secret)
    assert found is not None
    assert (found.name, found.scope) == ("site", "upload")
    again = run(*add, "--scope", "read")
    assert (again.exit_code, "There is a token site already" in again.output) == (2, True)
    assert run(*add[:4], "--scope", "everything").exit_code == 2
    listed = run("admin", "token", "list", "--data", tmp_path)
    assert "site  upload  made 20" in listed.stdout
    assert secret not in listed.output
    assert run("admin", "token", "revoke", "site", "--data", tmp_path).exit_code == 0
    assert logins.find_token(tmp_path, secret) is None
    gone = run("admin", "token", "revoke", "site", "--data", tmp_path)
    assert (gone.exit_code, "There is no token site" in gone.output) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "0.0.0.0"], "Add --public"),
        (["--host", "::"], "Add --public"),
        (["--host", "club.example.org"], "Add --public"),
        (["--behind-proxy", "1"], "need --public"),
        (["--site-host", "club.example.org"], "need --public"),
        (["--allow-origin", "https://viewer.example.org"], "need --public"),
        (["--public"], "add --site-host"),
        (["--no-proxy"], "need --public"),
        (["--allow", "read"], "need --public"),
        (["--allow", "read,validate,upload"], "need --public"),
        (["--public", "--site-host", "club.example.org"], "--behind-proxy 1"),
        (["--public", "--site-host", "club.example.org"], "add --no-proxy"),
        (["--public", "--site-host", "c.org", "--plain-http"], "add --no-proxy"),
        (["--public", "--site-host", "c.org", "--no-proxy", "--behind-proxy", "1"], "contradict"),
        (["--public", "--site-host", "c.org", "--no-proxy", "--allow", "all"], "read, validate,"),
        (["--public", "--site-host", "c.org", "--no-proxy"], "bezique admin password"),
    ],
)
def test_what_would_not_be_safe_is_refused_with_what_to_do(run, tmp_path, words, said):
    result = run("serve", "--data", tmp_path, "--port", "0", *words)
    assert result.exit_code == 2
    assert said in result.output


def ask(port: int, path: str, **headers: str) -> tuple[int, str, list[str]]:
    """The status, the text and the cookies of an answer; underscores in the names of headers are hyphens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    connection.putrequest("GET", path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, answer.headers.get_all("Set-Cookie") or []


@pytest.mark.slow
def test_a_real_server_answers_only_to_its_own_machine(tmp_path):
    with running_server(tmp_path / "data") as port:
        assert ask(port, "/backup")[0] == 200
        assert ask(port, "/backup", Host=f"localhost:{port}")[0] == 200
        assert ask(port, "/backup", Host="club.example.org")[0] == 421
        assert ask(port, "/", Host="")[0] == 421
        for name in (
            "X_Forwarded_For",
            "X_Forwarded_Host",
            "X_Forwarded_Proto",
            "Forwarded",
            "Via",
        ):
            status, text, _ = ask(port, "/games", **{name: "203.0.113.7"})
            assert (status, "answers to no proxy" in text) == (403, True), name


@pytest.mark.slow
def test_a_real_server_behind_a_proxy_knows_its_visitors(tmp_path):
    set_password(tmp_path / "data", PASSWORD)
    words = ("--public", "--site-host", "club.example.org", "--behind-proxy", "1")
    with running_server(tmp_path / "data", *words) as port:
        secret = logins.add_token(tmp_path / "data", "keeper", "admin")
        proxied = {"Host": "club.example.org", "X_Forwarded_Proto": "https"}
        for number in range(63):
            client = f"203.0.113.{number}"
            assert ask(port, "/sql?q=SELECT+1", **proxied, X_Forwarded_For=client)[0] == 200
        status, text, cookies = ask(port, "/login", **proxied, X_Forwarded_For="203.0.113.1")
        assert (status, "Password" in text) == (200, True)
        assert cookies[0].startswith("__Host-bezique=")
        assert "; Secure;" in cookies[0]
        assert ask(port, "/backup", **proxied)[0] == 403
        assert ask(port, "/backup", **proxied, Authorization=f"Bearer {secret}")[0] == 200
        assert ask(port, "/games", Host="evil.example", X_Forwarded_Proto="https")[0] == 421
        assert ask(port, "/games", Host="club.example.org")[0] == 403, "it came by http"
        assert ask(port, "/backup")[0] == 403, "from this machine, but a visitor all the same"
