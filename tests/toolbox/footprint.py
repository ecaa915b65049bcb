"""How much memory did the program take at its most? The kernel tells, asked by the program itself as it leaves.

Not `getrusage`: what that tells includes the tests' own memory, from before the program took their child's place.
"""

import sys

from tests.toolbox.program import Daedal

LEAVING = """
import os
import sys
from daedal.cli import main
try:
    code = main()
finally:
    with open("/proc/self/status") as status, open(os.environ["PEAK_FILE"], "w") as told:
        told.writelines(line for line in status if line.startswith("VmHWM:"))
sys.exit(code)
"""


def measured(daedal: Daedal) -> Daedal:
    """The same program in the same place, which tells how much memory it took."""
    env = {**daedal.env, "PEAK_FILE": str(daedal.root / "peak")}
    return Daedal(daedal.root, env=env, program=[sys.executable, "-c", LEAVING])


def peak_mib(daedal: Daedal) -> float:
    """Of the last run that ended."""
    return int((daedal.root / "peak").read_text().split()[1]) / 1024
