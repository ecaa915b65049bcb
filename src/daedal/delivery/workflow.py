"""Which instruction does a session get, and which tools with it? By the command and by what has been done so far."""

from typing import Literal

from msgspec import Struct

Command = Literal["run", "sync"]
Instruction = Literal["initializer", "coding", "sync", "verify"]
TOOLS: dict[Instruction, tuple[str, ...]] = {
    "initializer": ("create",),
    "coding": ("set_status", "list"),
    "sync": ("create", "deprecate", "list"),
    "verify": ("set_status", "verify", "list"),
}


class Workflow(Struct, frozen=True, kw_only=True):
    command: Command
    planning: Instruction
    implementation: Instruction

    def select(self, *, is_first: bool) -> Instruction:
        return self.planning if is_first else self.implementation

    def plans(self, instruction: Instruction) -> bool:
        return instruction == self.planning


RUN = Workflow(command="run", planning="initializer", implementation="coding")
SYNC = Workflow(command="sync", planning="sync", implementation="verify")
