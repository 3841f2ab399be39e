-- title: Brisques missed
-- asks: How many aces and tens led does a player not take, although they could?
-- unit: brisques, mean
-- grain: seat
-- kind: mean
-- where: seats.deal_tricks > 0
-- caveat: Not taking a brisque may be good play: a trump saved can be worth more. Only hands that are fully known.
seats.brisques_missed
