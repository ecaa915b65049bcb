"""What did a turn do? Its commands, the files it touched and how many calls, kept when the items are not any more."""

import shlex

from daedal.client.turn_summary import CommandRun, FileTouched
from daedal.protocol.items import Change, CommandExecution, FileChange, Item, ItemStatus, ToolCall, was_declined

COMMANDS_MAX = 200
COMMAND_CHARACTERS_MAX = 1_000
FILES_MAX = 1_000


class Deeds:
    def __init__(self) -> None:
        self._commands: dict[str, CommandRun] = {}
        self._files: dict[str, FileTouched] = {}
        self.calls = 0
        self.declined = 0

    @property
    def commands(self) -> list[CommandRun]:
        return list(self._commands.values())

    @property
    def files(self) -> list[FileTouched]:
        return list(self._files.values())

    def began(self, item: Item) -> None:
        if isinstance(item, CommandExecution):
            self._commands[item.id] = _run(item)
            if len(self._commands) > COMMANDS_MAX:
                del self._commands[next(iter(self._commands))]

    def ended(self, item: Item) -> None:
        """Once for each item."""
        if not isinstance(item, CommandExecution | FileChange | ToolCall):
            return
        self.began(item)
        self.calls += 1
        self.declined += was_declined(item)
        if isinstance(item, FileChange) and item.status is ItemStatus.COMPLETED:
            for change in item.changes:
                self._touched(change)

    def _touched(self, change: Change) -> None:
        kind = str(change.kind.get("type") or "update")
        before = self._files.get(change.path)
        was_new = before is not None and before.kind == "add"
        if was_new and kind == "delete":
            del self._files[change.path]
            return
        moved = change.kind.get("move_path")
        if len(self._files) < FILES_MAX or before is not None:
            self._files[change.path] = FileTouched(
                path=change.path, kind="add" if was_new else kind, moved_to=str(moved) if moved else None
            )


def _run(item: CommandExecution) -> CommandRun:
    command = _script(item.command)[:COMMAND_CHARACTERS_MAX]
    return CommandRun(command=command, status=item.status, exit_code=item.exit_code)


def _script(command: str) -> str:
    """What runs in the shell. Codex names a command by the words that start one, and so do we to its clients."""
    if not command.startswith("/"):
        return command
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    is_shell = len(words) == 3 and words[0].endswith("sh") and words[1] in ("-c", "-lc")
    return words[2] if is_shell else command
