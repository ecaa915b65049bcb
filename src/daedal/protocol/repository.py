"""What does git say about a folder? What is changed in it, and what a change can be compared with."""

from typing import Protocol

from msgspec import Struct


class RepositoryParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`repository/diff` and `repository/read`, ours; for the server's own folder where none is named."""

    cwd: str | None = None


class RepositoryDiffResponse(Struct, rename="camel", frozen=True, kw_only=True):
    is_repository: bool
    diff: str = ""
    """What is not committed yet: staged, unstaged and new files, as one patch."""
    is_cut: bool = False
    """There is more of it."""


class Commit(Struct, rename="camel", frozen=True, kw_only=True):
    sha: str
    title: str


class RepositoryReadResponse(Struct, rename="camel", frozen=True, kw_only=True):
    is_repository: bool
    branch: str = ""
    branches: list[str] = []
    """Those of this repository, the newest first."""
    commits: list[Commit] = []
    """The newest first."""


class Repositories(Protocol):
    async def read_diff(self, params: RepositoryParams) -> RepositoryDiffResponse: ...

    async def read_repository(self, params: RepositoryParams) -> RepositoryReadResponse: ...
