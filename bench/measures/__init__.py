"""Which questions does the benchmark answer? One file each."""
