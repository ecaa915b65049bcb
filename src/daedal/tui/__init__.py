"""How does the terminal chat look and feel? Drawn from protocol events, through `client`."""
