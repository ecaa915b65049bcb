"""What can go wrong in a delivery that a person should read about?

DaedalError
├── BrokenStatus    .daedal/status.json cannot be understood     exit 2
└── Held            another run works on the project             exit 75
"""

from daedal.protocol.errors import DaedalError
from daedal.protocol.turns import ErrorKind


class BrokenStatus(DaedalError):
    kind = ErrorKind.CONFIGURATION


class Held(DaedalError):
    kind = ErrorKind.LEDGER_BUSY
