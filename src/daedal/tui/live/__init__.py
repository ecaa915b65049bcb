"""What does the live area show? From top to bottom: running calls, activity, queue, composer, menu, footer."""
