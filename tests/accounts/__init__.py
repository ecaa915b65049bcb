"""Do logins work, last and stay secret? Against a real authorization server, through the program's own doors."""
