"""May this call proceed, by which rule? Values in, verdict out: no I/O, no waiting, no side effect."""

from daedal.permissions.baseline import BaselinePolicy, Grounds
from daedal.permissions.containment import inside, inside_any

__all__ = ["BaselinePolicy", "Grounds", "inside", "inside_any"]
