"""How does one speak the protocol to a server, wherever it runs?

What a client inside the process needs is loaded with the room; the rest of its names load when they are first used.
"""

from typing import TYPE_CHECKING

from daedal.client.connection import CallFailed, Client
from daedal.client.inprocess import pair
from daedal.protocol.rooms import loaded_when_used

if TYPE_CHECKING:
    from daedal.client.connecting import connect
    from daedal.client.frames import FrameSink, FrameSource
    from daedal.client.lines import LINE_BYTES_MAX, LineTransport, Sink, Source, StreamSink, line_of, read_line

__all__ = [
    "LINE_BYTES_MAX",
    "CallFailed",
    "Client",
    "FrameSink",
    "FrameSource",
    "LineTransport",
    "Sink",
    "Source",
    "StreamSink",
    "connect",
    "line_of",
    "pair",
    "read_line",
]

_FILES = {
    "LINE_BYTES_MAX": "lines",
    "FrameSink": "frames",
    "FrameSource": "frames",
    "LineTransport": "lines",
    "Sink": "lines",
    "Source": "lines",
    "StreamSink": "lines",
    "connect": "connecting",
    "line_of": "lines",
    "read_line": "lines",
}

__getattr__ = loaded_when_used(__name__, _FILES)
