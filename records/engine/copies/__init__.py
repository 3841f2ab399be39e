"""Which physical copy of a card served where, when a record does not tell like cards apart."""
