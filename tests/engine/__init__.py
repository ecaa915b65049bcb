"""The fine detail of a turn."""
