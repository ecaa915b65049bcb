"""What happens in one turn? Ask, act, record; then again until the model has nothing more to do.

Pure in the sense that matters: it knows the seams of `protocol` and nothing behind them. Everything is loaded when it
is used: whoever wants only the settings gets no event loop with them.
"""

from typing import TYPE_CHECKING

from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.engine.delegating import Report
    from daedal.engine.delegation import Delegation
    from daedal.engine.eliciting import Elicitation
    from daedal.engine.gate import OrderedGate
    from daedal.engine.hooking import ThreadHooks
    from daedal.engine.native import NativeEngine
    from daedal.engine.settings import AgentSettings
    from daedal.engine.terms import Terms, Usual
    from daedal.engine.world import World

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

_FILES = {
    "AgentSettings": "settings",
    "Delegation": "delegation",
    "Elicitation": "eliciting",
    "NativeEngine": "native",
    "OrderedGate": "gate",
    "Report": "delegating",
    "Terms": "terms",
    "ThreadHooks": "hooking",
    "Usual": "terms",
    "World": "world",
}

__getattr__ = loaded_when_used(__name__, _FILES)
