"""The two clients: one for asyncio, and one whose calls wait."""

import asyncio
import threading
import weakref
from typing import Any, Awaitable, Callable, Coroutine, Dict, Generator, Iterable, List, Optional, Type, TypeVar, Union

from ._blocking import BlockingStream
from ._coding import decode, encode
from ._errors import Closed, Unexpected
from ._events import Announcements, Attachment, DurableEvent, Prompt, Prompts
from ._link import Link
from ._methods import AsyncMethods, BlockingDurableMethods, BlockingMethods, DurableMethods
from ._streams import RegionStream, Stream
from ._values import (
    AuthorizationChanged, Durable, DurableListResult, Region, RegionEvent, RegionListResult,
    RegionResult, Session, WatchedRegion)

Result = TypeVar("Result")


class AsyncClient(AsyncMethods):
    """A program's connection to the daemon, made again whenever it is lost; `connect_async` makes one.

    It belongs to the event loop in which it was made. Requests that change nothing are repeated if the connection is
    lost before the answer comes; the others raise `ConnectionFailed`.
    """

    def __init__(self, link: Link) -> None:
        self._link = link

    @property
    def session(self) -> Session:
        """What the daemon answered to the greeting: its version, the client's limits, and who the client is."""
        if self._link.session is None:
            raise Closed()
        return self._link.session

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection at this moment."""
        return self._link.is_connected

    async def close(self) -> None:
        """Ends the connection: open requests raise `Closed`, streams end."""
        await self._link.close()

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def call(self, method: str, params: Optional[Dict[str, Any]] = None) -> Any:
        """Calls any method of the protocol by its name, with its JSON; returns the result's JSON."""
        return await self._link.call(method, params or {})

    def regions(self, regions: Iterable[Region]) -> RegionStream:
        """Watches regions for as long as the stream is read."""
        return RegionStream(self._link, list(regions))

    def authorization_changes(self) -> Stream[AuthorizationChanged]:
        """Each change of what the client may know."""
        return Stream(self._link, AuthorizationChanged, "", {}, lambda: Announcements(self._link))

    def prompts(self) -> Stream[Prompt]:
        """Makes the client an agent: the daemon's questions to the person in front of the device."""
        return Stream(self._link, Prompt, "", {}, lambda: Prompts(self._link))

    def durable(self, name: str, *, wake: Optional[str] = None) -> "AsyncDurableName":
        """A durable name of the user; it exists at the daemon once something is registered under it.

        Args:
            name: The name: 1 to 64 bytes without control characters.
            wake: The systemd unit that an event starts if no client is attached.
        """
        return AsyncDurableName(self._link, name, wake)

    async def durable_names(self) -> List[Durable]:
        """The user's durable names, in alphabetical order."""
        return decode(DurableListResult, await self._link.call("durable.list", {})).names


class AsyncDurableName(DurableMethods):
    """A name under which regions, visits and positions outlive the program; `AsyncClient.durable` makes one."""

    def __init__(self, link: Link, name: str, wake: Optional[str]) -> None:
        self._link = link
        #: The name.
        self.name = name
        self._registering = {"name": name, **({"wake": wake} if wake else {})}

    async def _call(self, kind: Type[Result], method: str, params: Dict[str, Any]) -> Result:
        # A registration may be repeated: an existing one is changed.
        registers = method.endswith(".subscribe")
        durable = self._registering if registers else {"name": self.name}
        return decode(kind, await self._link.call(method, {**params, "durable": durable}, True))

    async def add_region(self, region: Region) -> RegionResult:
        """Watches a region, or changes the one with its id; it is stored when this returns."""
        params = {**encode(region), "durable": self._registering}
        return decode(RegionResult, await self._link.call("region.add", params, True))

    async def remove_region(self, id: str) -> RegionResult:
        """Watches a region no more; returns its last state."""
        return decode(RegionResult, await self._link.call("region.remove", {"id": id, "durable": {"name": self.name}}))

    async def regions(self) -> List[WatchedRegion]:
        """All regions of the name, in the order in which they were added."""
        regions: List[WatchedRegion] = []
        while True:
            after = regions[-1].id if regions else None
            page = decode(
                RegionListResult,
                await self._link.call("region.list", {"durable": {"name": self.name}, "after": after}))
            if {one.id for one in regions} & {one.id for one in page.regions}:
                raise Unexpected("the daemon sent a list with a region that it had before")
            regions += page.regions
            if page.omitted is None or not page.regions:
                return regions

    def events(self, since: Optional[int] = None) -> Stream[DurableEvent]:
        """The waiting events in order, and then each new one; each comes again until it is acknowledged.

        One program at a time gets a name's events: when another one begins, this stream ends, with `ended` `replaced`.

        Args:
            since: Acknowledges the events up to this one first. A program that stores the `event_id` of the last event
                that it processed gets each event exactly once.
        """
        kind: Any = object
        return Stream(self._link, kind, "", {}, lambda: Attachment(self._link, self.name, since))

    async def acknowledge(self, event: Union[DurableEvent, int]) -> None:
        """Acknowledges an event and all before it: they are not delivered again. It is stored when this returns."""
        number = event if isinstance(event, int) else getattr(event, "event_id", None)
        if number is not None:
            await self._link.call("durable.acknowledge", {"name": self.name, "event": number})

    async def remove(self) -> int:
        """Removes the name with all that is registered under it; returns how many events were not acknowledged."""
        waiting: int = (await self._link.call("durable.remove", {"name": self.name}))["waiting"]
        return waiting


class _Connecting(Awaitable[AsyncClient]):
    """An `AsyncClient` to come, for `await` and for `async with`."""

    def __init__(self, open: Callable[[], Coroutine[Any, Any, AsyncClient]]) -> None:
        self._open = open

    def __await__(self) -> Generator[Any, None, AsyncClient]:
        return self._open().__await__()

    async def __aenter__(self) -> AsyncClient:
        self._client = await self._open()
        return self._client

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()


def connect_async(
    path: Optional[str] = None, *, name: Optional[str] = None, purpose: Optional[str] = None, wait: bool = False
) -> _Connecting:
    """Connects, for programs with asyncio: `async with positiond.connect_async() as client:`, or `await` it.

    Args:
        path: The daemon's socket; if absent, that of POSITIOND_SOCKET, else /run/positiond/positiond.sock.
        name: What the program calls itself, at most 64 bytes.
        purpose: What it needs positions for, in words that a person understands, at most 256 bytes.
        wait: Whether to wait for a daemon that is not running yet, instead of raising `ConnectionFailed`.
    """
    async def open() -> AsyncClient:
        link = Link(path, name, purpose)
        try:
            await link.open(wait)
        except BaseException:
            await link.close()
            raise
        return AsyncClient(link)

    return _Connecting(open)


class Client(BlockingMethods):
    """A program's connection to the daemon, made again whenever it is lost; `connect` makes one.

    Its methods wait for their results, and may be called from any thread. A thread of its own reads what the daemon
    sends.
    """

    _asynchronous: AsyncClient

    def __init__(self, path: Optional[str], name: Optional[str], purpose: Optional[str], wait: bool) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_run, args=(self._loop,), name="positiond", daemon=True)
        self._thread.start()
        self._stop = weakref.finalize(self, _stop, self._loop, self._thread)

        async def connecting() -> AsyncClient:
            return await connect_async(path, name=name, purpose=purpose, wait=wait)

        try:
            self._asynchronous = self._wait(connecting())
        except BaseException:
            self._stop()
            raise

    def _wait(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        if not self._stop.alive:
            coroutine.close()
            raise Closed()
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            # An interrupt from the keyboard; otherwise it has ended.
            future.cancel()
            raise

    @property
    def session(self) -> Session:
        """What the daemon answered to the greeting: its version, the client's limits, and who the client is."""
        return self._asynchronous.session

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection at this moment."""
        return self._asynchronous.is_connected

    def close(self) -> None:
        """Ends the connection: open requests raise `Closed`, streams end."""
        if self._stop.alive:
            self._wait(self._asynchronous.close())
            self._stop()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, method: str, params: Optional[Dict[str, Any]] = None) -> Any:
        """Calls any method of the protocol by its name, with its JSON; returns the result's JSON."""
        return self._wait(self._asynchronous.call(method, params))

    def regions(self, regions: Iterable[Region]) -> "BlockingRegionStream":
        """Watches regions for as long as the stream is read."""
        return BlockingRegionStream(self._asynchronous.regions(regions), self._wait)

    def authorization_changes(self) -> BlockingStream[AuthorizationChanged]:
        """Each change of what the client may know."""
        return BlockingStream(self._asynchronous.authorization_changes(), self._wait)

    def prompts(self) -> BlockingStream[Prompt]:
        """Makes the client an agent: the daemon's questions to the person in front of the device."""
        return BlockingStream(self._asynchronous.prompts(), self._wait)

    def durable(self, name: str, *, wake: Optional[str] = None) -> "DurableName":
        """A durable name of the user; it exists at the daemon once something is registered under it.

        Args:
            name: The name: 1 to 64 bytes without control characters.
            wake: The systemd unit that an event starts if no client is attached.
        """
        return DurableName(self._asynchronous.durable(name, wake=wake), self)

    def durable_names(self) -> List[Durable]:
        """The user's durable names, in alphabetical order."""
        return self._wait(self._asynchronous.durable_names())


class BlockingRegionStream(BlockingStream[RegionEvent]):
    """Events of regions, which may be changed meanwhile."""

    _asynchronous: RegionStream

    def add(self, region: Region) -> RegionResult:
        """Watches one more region, or changes the one with its id."""
        return self._wait(self._asynchronous.add(region))

    def remove(self, id: str) -> None:
        """Watches a region no more."""
        return self._wait(self._asynchronous.remove(id))


class DurableName(BlockingDurableMethods):
    """A name under which regions, visits and positions outlive the program; `Client.durable` makes one."""

    _asynchronous: AsyncDurableName

    def __init__(self, asynchronous: AsyncDurableName, client: Client) -> None:
        self._asynchronous = asynchronous
        self._wait = client._wait

    @property
    def name(self) -> str:
        """The name."""
        return self._asynchronous.name

    def add_region(self, region: Region) -> RegionResult:
        """Watches a region, or changes the one with its id; it is stored when this returns."""
        return self._wait(self._asynchronous.add_region(region))

    def remove_region(self, id: str) -> RegionResult:
        """Watches a region no more; returns its last state."""
        return self._wait(self._asynchronous.remove_region(id))

    def regions(self) -> List[WatchedRegion]:
        """All regions of the name, in the order in which they were added."""
        return self._wait(self._asynchronous.regions())

    def events(self, since: Optional[int] = None) -> BlockingStream[DurableEvent]:
        """The waiting events in order, and then each new one; each comes again until it is acknowledged.

        One program at a time gets a name's events: when another one begins, this stream ends, with `ended` `replaced`.

        Args:
            since: Acknowledges the events up to this one first. A program that stores the `event_id` of the last event
                that it processed gets each event exactly once.
        """
        return BlockingStream(self._asynchronous.events(since), self._wait)

    def acknowledge(self, event: Union[DurableEvent, int]) -> None:
        """Acknowledges an event and all before it: they are not delivered again. It is stored when this returns."""
        self._wait(self._asynchronous.acknowledge(event))

    def remove(self) -> int:
        """Removes the name with all that is registered under it; returns how many events were not acknowledged."""
        return self._wait(self._asynchronous.remove())


def connect(
    path: Optional[str] = None, *, name: Optional[str] = None, purpose: Optional[str] = None, wait: bool = False
) -> Client:
    """Connects, for programs without asyncio: `with positiond.connect() as client:`.

    Args:
        path: The daemon's socket; if absent, that of POSITIOND_SOCKET, else /run/positiond/positiond.sock.
        name: What the program calls itself, at most 64 bytes.
        purpose: What it needs positions for, in words that a person understands, at most 256 bytes.
        wait: Whether to wait for a daemon that is not running yet, instead of raising `ConnectionFailed`.
    """
    return Client(path, name, purpose, wait)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()
    # What still runs is cancelled, so that nobody waits for it for ever.
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    loop.close()


def _stop(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    loop.call_soon_threadsafe(loop.stop)
    if thread is not threading.current_thread():
        thread.join()
