"""Does the chat look and feel as it should? In a terminal of its own, which is read as a person reads it."""
