"""What happens in one turn? Ask, act, record; then again until the model has nothing more to do.

Pure in the sense that matters: it knows the seams of `protocol` and nothing behind them. What only a tool call
needs is loaded when the first one comes.
"""

from typing import TYPE_CHECKING

from daedal.engine.delegation import Delegation
from daedal.engine.hooking import ThreadHooks
from daedal.engine.native import NativeEngine
from daedal.engine.settings import AgentSettings
from daedal.engine.terms import Terms, Usual
from daedal.engine.world import World
from daedal.protocol.rooms import loaded_when_used

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
    "Usual",
    "World",
]

_FILES = {"Elicitation": "eliciting", "OrderedGate": "gate", "Report": "delegating"}

__getattr__ = loaded_when_used(__name__, _FILES)
