"""The stock: the cards left to be drawn, and which of them comes next."""

from dataclasses import dataclass


@dataclass(slots=True)
class Stock:
    """The cards left to be drawn: how many lie face down, in which order if the record says, and the turn-up.

    `turn_up_spent` says that the turn-up is a seven that has scored.
    """

    left: int = 0
    order: list[str] | None = None
    turn_up: str | None = None
    turn_up_spent: bool = False

    @property
    def with_turn_up(self) -> int:
        """How many cards are left to be drawn, the turn-up among them."""
        return self.left + (self.turn_up is not None)

    def copy(self) -> "Stock":
        """The same stock, to draw from apart."""
        order = None if self.order is None else list(self.order)
        return Stock(self.left, order, self.turn_up, self.turn_up_spent)

    def next_card(self) -> str | None:
        """The card that is drawn next: the top of the stock, then the turn-up; None if it is not known."""
        return self.card_with(self.left) if self.left else self.turn_up

    def card_with(self, left: int) -> str | None:
        """The top of the stock when so many cards lie face down; None if it is not known."""
        order = self.order
        return order[-left] if order is not None and 0 < left <= len(order) else None
