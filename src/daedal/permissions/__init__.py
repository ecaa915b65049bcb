"""May this call proceed, by which rule? Values in, verdict out: no I/O, no waiting, no side effect."""

from daedal.permissions.baseline import BaselinePolicy, Grounds

__all__ = ["BaselinePolicy", "Grounds"]
