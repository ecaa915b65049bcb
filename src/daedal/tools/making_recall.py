"""How is a tool made that looks back, or leaves something for later? With what is kept beyond the thread."""

from typing import Any

from daedal.protocol.model import ToolSpec
from daedal.tools.tool import BuiltinTool
from daedal.tools.worlds import Worlds


def make_recall(spec: ToolSpec, worlds: Worlds) -> BuiltinTool[Any]:
    match spec.name:
        case "memory":
            from daedal.tools.memory_tool import Memory

            return Memory(spec, worlds.memories)
        case "remember":
            from daedal.tools.remember import Remember

            return Remember(spec, worlds.memories)
        case "forget":
            from daedal.tools.forget import Forget

            return Forget(spec, worlds.memories)
        case "history":
            from daedal.tools.history import HistoryTool

            return HistoryTool(spec, worlds.history)
        case name:
            raise AssertionError(f"no tool is called {name}")
