"""What do the user's own scripts say about an event? The 27 events, ordered, run and merged."""
