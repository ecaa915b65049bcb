"""What a person can do, from the front door to the record."""
