-- title: Kind of decision
-- axis: what was done
-- kind: category
-- tables: decisions
-- of: decision
-- caveat: Melding nothing counts where something could be melded, exchanged or shown.
CASE it.kind
    WHEN 'play' THEN 'card played' WHEN 'meld' THEN 'meld made' WHEN 'exchange' THEN 'seven exchanged'
    WHEN 'show' THEN 'seven shown' ELSE 'nothing melded'
END
