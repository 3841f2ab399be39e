-- title: Brisques
-- axis: aces and tens taken by the player in the deal
-- kind: number
-- tables: seats
-- of: deal
-- caveat:
it.brisques
