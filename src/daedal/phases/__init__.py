"""Which phase is a conversation in, and what does that phase forbid? Pure, like `permissions`."""
