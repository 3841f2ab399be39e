-- title: Leads that win the deal
-- asks: How often does the player ahead in points after a trick win the deal?
-- unit: percent of leads
-- grain: trick
-- kind: share
-- where: tricks.points_ahead <> 0 AND tricks.deal_winner IS NOT NULL
-- sum: seats.leads_held
-- count: seats.leads
-- caveat: Deals level at that trick or at the end are left out. After the last trick the player ahead has won.
if(tricks.points_ahead > 0, 0, 1) = tricks.deal_winner
