"""What happens in one turn? Ask, act, record; then again until the model has nothing more to do.

Pure in the sense that matters: it knows the seams of `protocol` and nothing behind them.
"""

from daedal.engine.gate import AskingGate
from daedal.engine.native import NativeEngine
from daedal.engine.settings import AgentSettings
from daedal.engine.world import World

__all__ = ["AgentSettings", "AskingGate", "NativeEngine", "World"]
