"""Luck and skill, estimated by roll-outs: positions played to the end many times."""
