"""Who the client of a request is: the other end of the connection, unless the server was told of a proxy."""

import pytest

from tests.make.empty_store import with_empty_database
from webui import create_app
from webui.application import close_app
from webui.server.client import client_address, is_loopback_address


@pytest.mark.long
@pytest.mark.parametrize(
    ("proxies", "forwarded", "client"),
    [
        (0, "203.0.113.7", "127.0.0.1"),
        (1, "203.0.113.7", "203.0.113.7"),
        (1, "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        (2, "198.51.100.1, 203.0.113.7, 192.0.2.5", "203.0.113.7"),
        (2, "203.0.113.7", "127.0.0.1"),
        (1, "", "127.0.0.1"),
        (1, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        (1, "::ffff:203.0.113.7", "203.0.113.7"),
        (1, "::1", "::1"),
        (1, "203.0.113.7:4711", "203.0.113.7"),
        (1, "[2001:db8:1:2:3:4:5:6]:4711", "2001:db8:1:2::/64"),
        (1, "[2001:db8:1:2:3:4:5:6]", "2001:db8:1:2::/64"),
        (1, "203.0.113.7, ", "127.0.0.1"),
        (1, '"198.51.100.1, 203.0.113.7', "203.0.113.7"),
        (1, '198.51.100.1", "x, 203.0.113.7', "203.0.113.7"),
        (1, "nonsense", "nonsense"),
        (1, "nonsense:4711", "nonsense:4711"),
        (0, "203.0.113.7:4711", "127.0.0.1"),
    ],
)
def test_the_client_is_the_word_of_the_proxies_that_the_server_knows(
    tmp_path, proxies, forwarded, client
):
    app = create_app(data=with_empty_database(tmp_path), testing=True, behind_proxy=proxies)
    named = []
    app.before_request_funcs[None].insert(0, lambda: named.append(client_address()))
    app.test_client().get("/api", headers={"X-Forwarded-For": forwarded})
    close_app(app)
    assert named == [client]


def test_loopback_addresses_are_known():
    assert all(map(is_loopback_address, ("127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1")))
    assert not any(map(is_loopback_address, ("", "localhost", "10.0.0.1", "fe80::1%eth0", "::")))
