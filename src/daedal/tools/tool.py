"""What do all built-in tools have in common? Input is checked, failures become outcomes, text stays encodable."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from daedal.protocol.model import ToolSpec
from daedal.protocol.seams import Bench, Outcome
from daedal.sandbox import SpawnFailed, resolve
from daedal.tools.errors import INTERNAL, Blocked, Refused

Input = TypeVar("Input", bound=Struct)


class BuiltinTool(ABC, Generic[Input]):
    """A tool whose input is a struct. Subclasses say what they do in `act`."""

    def __init__(self, spec: ToolSpec, input_type: type[Input]) -> None:
        self.spec = spec
        self.input_type = input_type

    @abstractmethod
    async def act(self, call: Input, bench: Bench) -> Outcome:
        """Does it. Raises Refused, SpawnFailed or OSError where it cannot."""

    @abstractmethod
    def names(self, arguments: Mapping[str, Any]) -> list[str]:
        """The paths in unchecked arguments, as they were written."""

    async def close(self) -> None:
        """Ends what the tool still runs. Most run nothing once a call is over."""
        return

    def paths(self, arguments: Mapping[str, Any], cwd: str) -> list[str]:
        try:
            return [resolve(name, cwd) for name in self.names(arguments)]
        except (ValueError, OSError):
            return []  # no path that anything could open; `run` says so to the model

    def is_confined(self, arguments: Mapping[str, Any], cwd: str) -> bool:  # noqa: ARG002 - nothing is claimed
        return False

    async def run(self, arguments: Mapping[str, Any], bench: Bench) -> Outcome:
        try:
            outcome = await self.act(decode(self.spec.name, arguments, self.input_type), bench)
        except Blocked as block:
            outcome = Outcome(content=str(block), is_error=True, blocked=block.effect)
        except Refused as refusal:
            outcome = Outcome(content=str(refusal), is_error=True)
        except SpawnFailed as failure:
            outcome = Outcome(content=f"{INTERNAL}{failure}", is_error=True)
        except OSError as error:
            about = f": {error.filename}" if error.filename else ""
            outcome = Outcome(content=f"{self.spec.name} failed: {error.strerror or error}{about}", is_error=True)
        return replace(outcome, content=encodable(outcome.content))


def decode(tool: str, arguments: Mapping[str, Any], input_type: type[Input]) -> Input:
    """The checked input. Lenient where models often err: `"5"` for 5, null for a key left out."""
    given = {key: value for key, value in arguments.items() if value is not None}
    try:
        return msgspec.convert(given, input_type, strict=False)
    except msgspec.ValidationError as error:
        what, _, key = str(error).partition(" - at `$.")
        what = what.replace("Object contains unknown field", "unknown key").replace(
            "Object missing required field", "missing key"
        )
        issue = f"key `{key.rstrip('`')}`: {what[0].lower()}{what[1:]}" if key else what
        known = ", ".join(input_type.__struct_encode_fields__)
        raise Refused(
            f"InputValidationError: {tool} failed due to the following issue: {issue}. Keys of {tool}: {known}"
        ) from error


def written(arguments: Mapping[str, Any], key: str) -> list[str]:
    """The text under a key of unchecked arguments, as a list of one, or none."""
    value = arguments.get(key)
    return [value] if isinstance(value, str) else []


def encodable(text: str) -> str:
    """The text without lone surrogates, which come from file names that are not UTF-8 and can be sent nowhere."""
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")
