"""How does one speak the protocol to a server, wherever it runs?

What a client inside the process needs is loaded with the room; the rest of its names load when they are first used.
"""

from typing import TYPE_CHECKING

from daedal.client.connection import CallFailed, Client
from daedal.client.inprocess import pair
from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.client.connecting import connect
    from daedal.client.direct import direct
    from daedal.client.error_kinds import kind_of
    from daedal.client.frames import FrameSink, FrameSource
    from daedal.client.gathered_thread import GatheredThread
    from daedal.client.gathering import Gathering
    from daedal.client.lines import LINE_BYTES_MAX, LineTransport, Sink, Source, StreamSink, line_of, read_line
    from daedal.client.turn_summary import AskKind, TurnSummary

__all__ = [
    "LINE_BYTES_MAX",
    "AskKind",
    "CallFailed",
    "Client",
    "FrameSink",
    "FrameSource",
    "GatheredThread",
    "Gathering",
    "LineTransport",
    "Sink",
    "Source",
    "StreamSink",
    "TurnSummary",
    "connect",
    "direct",
    "kind_of",
    "line_of",
    "pair",
    "read_line",
]

_FILES = {
    "LINE_BYTES_MAX": "lines",
    "AskKind": "turn_summary",
    "FrameSink": "frames",
    "FrameSource": "frames",
    "GatheredThread": "gathered_thread",
    "Gathering": "gathering",
    "LineTransport": "lines",
    "Sink": "lines",
    "Source": "lines",
    "StreamSink": "lines",
    "TurnSummary": "turn_summary",
    "connect": "connecting",
    "direct": "direct",
    "kind_of": "error_kinds",
    "line_of": "lines",
    "read_line": "lines",
}

__getattr__ = loaded_when_used(__name__, _FILES)
