"""Who decides what to do next when nobody types? Full Auto, goals and guidance as strategies."""
