"""Does every success criterion of the approved plan have a passing test? Asked before `test` may become `verify`."""

from typing import Protocol

from msgspec import Struct

from daedal.protocol.catalogue import say


class CoverageReport(Struct, frozen=True, kw_only=True):
    is_met: bool
    lack: str = ""
    """What is missing, for the person."""


class Coverage(Protocol):
    """Whoever generates and runs the plan's tests."""

    def report(self, conversation_id: str) -> CoverageReport: ...


class NothingCovered:
    """Nobody generates tests from plans here, so no criterion is covered."""

    def report(self, conversation_id: str) -> CoverageReport:
        del conversation_id
        return CoverageReport(is_met=False, lack=say("phases.no_tests"))
