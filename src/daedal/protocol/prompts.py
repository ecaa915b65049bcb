"""What can a prompt say beside plain words? Commands (`/review src`) and references (`@path`), as faces see them."""

from msgspec import Struct


class CommandInfo(Struct, rename="camel", frozen=True, kw_only=True):
    """A custom command as menus show it."""

    name: str
    """Without the slash; folders are namespaces, as `git:commit`."""
    description: str
    argument_hint: str
    source: str
    """`project` or `user`."""
    path: str


class CommandListParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`command/list`, ours."""

    cwd: str | None = None


class CommandListResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[CommandInfo]
    problems: list[str] = []
    """Files that are no commands, and why."""


class ReferenceCompleteParams(Struct, rename="camel", frozen=True, kw_only=True):
    """`reference/complete`, ours: what may follow an `@` and the beginning of a path."""

    prefix: str
    """What stands after the `@` so far."""
    cwd: str | None = None


class Completion(Struct, rename="camel", frozen=True, kw_only=True):
    text: str
    """What the prefix becomes; a folder ends with `/`, so that the next question goes one level deeper."""
    kind: str
    """`file`, `folder` or `resource`."""


class ReferenceCompleteResponse(Struct, rename="camel", frozen=True, kw_only=True):
    data: list[Completion]
    is_cut: bool = False
    """There are more than are shown."""
