-- title: Brisques missed
-- asks: How many aces and tens led does a player let go that he could have taken?
-- unit: brisques, mean
-- grain: seat
-- kind: mean
-- where: seats.deal_tricks > 0
-- caveat: Letting a brisque go may be good play: a trump saved can be worth more. Only hands that are fully known.
seats.brisques_missed
