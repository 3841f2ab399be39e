"""The open connections of the server, by client."""

from webui.serving.connections import PunctualConnection
from webui.serving.settings import ServingSettings


class Connections:
    """The open connections, by client."""

    def __init__(self) -> None:
        self._by_client: dict[str, set[PunctualConnection]] = {}
        self.total = 0

    def add(self, connection: PunctualConnection) -> None:
        """Enter a connection."""
        self._by_client.setdefault(connection.peer, set()).add(connection)
        self.total += 1

    def remove(self, connection: PunctualConnection) -> None:
        """Take out a connection, if it is there."""
        mine = self._by_client.get(connection.peer, set())
        if connection in mine:
            mine.remove(connection)
            self.total -= 1
        if not mine:
            self._by_client.pop(connection.peer, None)

    def of(self, client: str) -> list[PunctualConnection]:
        """The connections of a client."""
        return list(self._by_client.get(client, ()))

    def all(self) -> list[PunctualConnection]:
        """All connections."""
        return [connection for mine in self._by_client.values() for connection in mine]

    def greediest(self) -> str:
        """The client with the most connections."""
        return max(self._by_client, key=lambda client: len(self._by_client[client]))

    def has_room_for_bodies(self, sender: str, settings: ServingSettings) -> bool:
        """Whether what is announced, by this sender and by all, is within the limits."""
        arriving = [each for each in self.all() if each.announced]
        mine = sum(each.announced for each in arriving if each.sender == sender)
        everything = sum(each.announced for each in arriving)
        return mine <= settings.bodies_per_client and everything <= settings.bodies
