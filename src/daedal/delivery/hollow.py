"""Did any test run at all? Some runners succeed where they found none; their output tells."""

import re

COUNTED = re.compile(r"^(?:Ran|running) (\d+) tests?\b", re.MULTILINE)
"""unittest says it once, cargo once for each part."""
NONE = re.compile(
    r"\bno tests ran\b|\bcollected 0 items\b|\bno test files\b|\bno tests to run\b|\bNo tests found\b", re.IGNORECASE
)
SOME = re.compile(r"\b[1-9]\d* (?:passed|passing)\b|^ok\s+\S+\s+[\d.]+s$|^--- PASS", re.MULTILINE)
OUTPUT_MAX = 1_000_000


def ran_no_test(output: str) -> bool:
    """Only where the output says so: a program that prints no such thing may have shown something else."""
    text = output[-OUTPUT_MAX:]
    if SOME.search(text):
        return False
    counts = [int(count) for count in COUNTED.findall(text)]
    return sum(counts) == 0 if counts else bool(NONE.search(text))
