"""The client without asyncio: an event loop in a thread of its own does the work, and the callers wait for it."""

import asyncio
from typing import Any, Coroutine, Generic, Iterator, Optional, Protocol, TypeVar

from ._errors import Closed
from ._streams import Stream

Item = TypeVar("Item")
Asynchronous = TypeVar("Asynchronous")
Result = TypeVar("Result")


class Wait(Protocol):
    """Runs a coroutine in the client's thread, and waits for its result."""

    def __call__(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Waits for the result; an interrupt from the keyboard cancels the coroutine."""


class Waits(Generic[Asynchronous]):
    """An object whose methods wait for those of an asynchronous one."""

    _asynchronous: Asynchronous
    _wait: Wait


class BlockingStream(Generic[Item]):
    """What a subscription delivers, to be read with `for`.

    The subscription begins with the first read or with `with`, and ends when the stream is closed or nobody holds it
    any more. It is made again whenever the connection was lost.
    """

    def __init__(self, stream: "Stream[Item]", wait: Wait) -> None:
        self._asynchronous = stream
        self._wait = wait

    @property
    def ended(self) -> Optional[str]:
        """Why the daemon has ended it, such as `expired` or `replaced`; None if it has not."""
        return self._asynchronous.ended

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        try:
            return self._wait(self._asynchronous.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None

    def get(self, timeout: float) -> Item:
        """Reads one item; raises `TimeoutError` if none comes in so many seconds, and `StopIteration` at the end."""
        try:
            return self._wait(asyncio.wait_for(self._asynchronous.__anext__(), timeout))
        except asyncio.TimeoutError:
            raise TimeoutError(f"nothing came in {timeout} s") from None
        except StopAsyncIteration:
            raise StopIteration from None

    def __enter__(self: "BlockingStreamType") -> "BlockingStreamType":
        self._wait(self._asynchronous.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the subscription."""
        try:
            self._wait(self._asynchronous.close())
        except Closed:
            # The client, and with it the stream, was closed before.
            pass


BlockingStreamType = TypeVar("BlockingStreamType", bound=BlockingStream[Any])
