"""What can a person take away from a thread? All of it as a document, its plan, and a report about the program."""

from typing import Protocol

from msgspec import Struct


class ThreadExportParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/export`, ours: what a thread said and did, for a file of the person's own."""

    thread_id: str
    format: str = "markdown"
    """`markdown` for people, `json` or `jsonl` for programs."""


class ThreadExportResponse(Struct, rename="camel", frozen=True, kw_only=True):
    text: str
    """Without whatever looks like a secret."""


class PlanReadParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`thread/plan/read`, ours: the plan of the thread's conversation."""

    thread_id: str


class PlanReadResponse(Struct, rename="camel", frozen=True, kw_only=True):
    content: str | None
    """Of the newest one, in Markdown; None where none was laid before anybody yet."""
    status: str | None = None
    """`draft`, `approved`, `completed` or `superseded`."""
    phase: str = "idle"


class ReportReadParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`report/read`, ours: what helps to find out why something went wrong."""

    thread_id: str | None = None


class ReportPage(Struct, rename="camel", frozen=True, kw_only=True):
    name: str
    """Of a file: `settings.json`."""
    about: str
    """What is in it, for the person who decides whether to hand it on."""
    text: str
    """Without known credentials, and without whatever looks like one."""


class ReportReadResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[ReportPage]


class Papers(Protocol):
    async def export_thread(self, params: ThreadExportParams) -> ThreadExportResponse: ...

    async def read_plan(self, params: PlanReadParams) -> PlanReadResponse: ...

    async def read_report(self, params: ReportReadParams) -> ReportReadResponse: ...
