"""How do many runs share many machines? A thin layer over an existing durable engine."""
