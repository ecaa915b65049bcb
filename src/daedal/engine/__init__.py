"""What happens in one turn? Ask, act, record; then again until the model has nothing more to do.

Pure in the sense that matters: it knows the seams of `protocol` and nothing behind them. What only a tool call
needs is loaded when the first one comes.
"""

from typing import TYPE_CHECKING, Any

from daedal.engine.hooking import ThreadHooks
from daedal.engine.native import NativeEngine
from daedal.engine.settings import AgentSettings
from daedal.engine.terms import Terms
from daedal.engine.world import World

if TYPE_CHECKING:
    from daedal.engine.gate import OrderedGate

__all__ = ["AgentSettings", "NativeEngine", "OrderedGate", "Terms", "ThreadHooks", "World"]


def __getattr__(name: str) -> Any:
    if name != "OrderedGate":
        raise AttributeError(name)
    from daedal.engine.gate import OrderedGate

    return OrderedGate
