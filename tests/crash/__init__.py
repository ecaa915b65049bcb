"""What is left when the plug is pulled."""
