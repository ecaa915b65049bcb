"""What is decided, value by value."""
