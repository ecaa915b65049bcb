"""What happens in one turn? Ask, act, record; then again until the model has nothing more to do.

Pure in the sense that matters: it knows the seams of `protocol` and nothing behind them. What only a tool call
needs is loaded when the first one comes.
"""

from typing import TYPE_CHECKING, Any

from daedal.engine.delegation import Delegation
from daedal.engine.hooking import ThreadHooks
from daedal.engine.native import NativeEngine
from daedal.engine.settings import AgentSettings
from daedal.engine.terms import Terms
from daedal.engine.world import World

if TYPE_CHECKING:
    from daedal.engine.delegating import Report
    from daedal.engine.eliciting import Elicitation
    from daedal.engine.gate import OrderedGate

__all__ = [
    "AgentSettings",
    "Delegation",
    "Elicitation",
    "NativeEngine",
    "OrderedGate",
    "Report",
    "Terms",
    "ThreadHooks",
    "World",
]

_LOADED_WHEN_USED = {"Elicitation": "eliciting", "OrderedGate": "gate", "Report": "delegating"}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_LOADED_WHEN_USED[name]}"), name)
