"""Where this device is: a client of positiond.

    import positiond

    with positiond.connect(name="compass") as client:
        print(client.position(accuracy="house", timeout=10).fix)
        for update in client.positions(min_distance=25):
            print(update.fix)

`connect_async` is the same for asyncio. Values that are not known are None.
"""

from ._client import AsyncClient, AsyncDurableName, Client, DurableName, connect, connect_async
from ._blocking import BlockingStream
from ._errors import (
    Closed, ConnectionFailed, InvalidParams, LimitExceeded, NotFound, NotPermitted, PositiondError, RequestError,
    Unavailable, Unexpected)
from ._events import DurableEvent, Prompt
from ._methods import BlockingPositionStream, PositionStream
from ._streams import UNCHANGED, RegionStream, Stream
from . import _values
from ._values import *  # noqa: F403

__all__ = [
    "AsyncClient", "AsyncDurableName", "BlockingPositionStream", "BlockingStream", "Client", "Closed",
    "ConnectionFailed", "DurableEvent", "DurableName", "InvalidParams", "LimitExceeded", "NotFound", "NotPermitted",
    "PositionStream", "PositiondError", "Prompt", "RegionStream", "RequestError", "Stream", "UNCHANGED", "Unavailable",
    "Unexpected", "connect", "connect_async",
]
__all__ += _values.__all__
