"""Missed chances: melds, dixes, cartes blanches and brisques that a player could have scored."""
