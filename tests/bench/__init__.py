"""Does the benchmark itself work? Nothing here is timed."""
