"""The connection to the daemon, which is made again whenever it is lost.

Everything here runs on one event loop. A message is handled at once when it is read, in the order in which the daemon
sent it, so a notification that follows an answer finds the subscription that the answer has established.
"""

import asyncio
import json
import os
import random
from typing import Any, Callable, Dict, List, Optional, Protocol, Tuple, cast

from ._coding import decode, encode
from ._errors import Closed, ConnectionFailed, PositiondError, Unexpected, request_error
from ._values import Session

STANDARD_PATH = "/run/positiond/positiond.sock"

#: How many seconds a request waits for a connection if it has no timeout of its own.
PATIENCE = 10.0

# What these methods do can be done twice, so they are repeated if the connection is lost before the answer.
REPEATABLE = {
    "position.get", "position.last", "heading.get", "sky.get", "status.get", "authorization.get",
    "authorization.request", "durable.list", "durable.acknowledge", "region.list", "region.state", "rpc.discover",
    "admin.clients", "admin.grants",
}

#: Gets the result, or the error.
Handler = Callable[[Any, Optional[PositiondError]], None]
#: Where notifications of a subscription go: the kind of their address, and the address.
Route = Tuple[str, Any]


class Subscriber(Protocol):
    """What a link keeps established."""

    #: Whether the daemon has it, or was asked to.
    is_asked: bool

    def subscribe(self) -> None:
        """Asks the daemon, on a new connection or after permission was granted."""

    def lost(self) -> None:
        """The connection is lost."""

    def hears(self, method: str) -> bool:
        """Whether it takes this notification for the client as a whole."""

    def permit(self, state: str, precision: str) -> None:
        """From now on the client may know no more than this."""

    def deliver(self, method: str, params: Any) -> None:
        """A notification of the subscription arrived."""

    def finish(self, error: Optional[PositiondError] = None, reason: Optional[str] = None) -> None:
        """Nothing more follows."""


class Lines(asyncio.Protocol):
    """Splits what is read into lines, of any length."""

    def __init__(self, link: "Link") -> None:
        self._link = link
        self._transport: Optional[asyncio.Transport] = None
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._link.made(self._transport)

    def data_received(self, data: bytes) -> None:
        searched = len(self._buffer)
        self._buffer += data
        while (end := self._buffer.find(b"\n", searched)) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            searched = 0
            self._link.received(line)

    def connection_lost(self, error: Optional[Exception]) -> None:
        self._link.broken(self._transport)


class Backoff:
    """How long to wait before the next attempt to connect, in seconds."""

    SHORTEST, LONGEST = 0.1, 10.0
    #: If nobody listens, an attempt is one cheap call of the system: a daemon that starts late is noticed soon.
    LONGEST_ALONE = 2.0
    #: A connection that lasted this long begins the waits anew.
    PROOF = 10.0

    def __init__(self) -> None:
        self._attempts = 0

    def wait(self, lasted: Optional[float], is_alone: bool) -> float:
        """The wait after a connection that lasted so many seconds, or after an attempt that failed."""
        if lasted is not None and lasted >= self.PROOF:
            self._attempts = 0
        self._attempts += 1
        if lasted is not None and self._attempts == 1:
            return 0
        longest = self.LONGEST_ALONE if is_alone else self.LONGEST
        bound = min(longest, self.SHORTEST * float(2 ** min(self._attempts - 1, 10)))
        return bound / 2 * (1 + random.random())


class Link:
    """The requests and subscriptions of a client, over one connection after another."""

    def __init__(self, path: Optional[str], name: Optional[str], purpose: Optional[str]) -> None:
        self.path = path or os.environ.get("POSITIOND_SOCKET") or STANDARD_PATH
        self.loop = asyncio.get_running_loop()
        #: What the daemon answered to the greeting on the newest connection.
        self.session: Optional[Session] = None
        self.routes: Dict[Route, Subscriber] = {}
        self.on_question: Optional[Callable[[Any, str, Any], None]] = None
        self._greeting = {"name": name, "purpose": purpose}
        self._subscribers: List[Subscriber] = []
        self._transport: Optional[asyncio.Transport] = None
        self._pending: Dict[int, Handler] = {}
        self._last_id = 0
        self._is_greeted = False
        self._is_closed = False
        # Why there is no connection.
        self._error: PositiondError = ConnectionFailed("not connected")
        self._waiting: List["asyncio.Future[None]"] = []
        self._needed = asyncio.Event()
        self._ended = asyncio.Event()
        self._task: Optional["asyncio.Task[None]"] = None

    @property
    def is_connected(self) -> bool:
        return self._is_greeted

    # Opening and closing

    async def open(self, wait: bool) -> None:
        """Connects; with `wait` it waits for a daemon that is not running yet."""
        if not wait:
            await self._connect()
        self._task = self.loop.create_task(self._maintain())
        if wait:
            await self._connected(None)

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._error = Closed()
        if self._task:
            self._task.cancel()
        for subscriber in list(self._subscribers):
            subscriber.finish()
        if self._transport:
            self._transport.close()
            self._lose(self._error)
        for future in self._waiting:
            if not future.done():
                future.set_exception(Closed())

    async def _maintain(self) -> None:
        """Connects whenever something is open and there is no connection."""
        backoff, delay = Backoff(), 0.0
        while True:
            if self._is_greeted:
                began = self.loop.time()
                await self._ended.wait()
                delay = backoff.wait(self.loop.time() - began, False)
            await self._needed.wait()
            await asyncio.sleep(delay)
            try:
                await self._connect()
            except PositiondError as error:
                self._error = error
                if isinstance(error, Unexpected):
                    # Another program, or another version: waiting does not help.
                    self._fail(error)
                is_alone = isinstance(error.__cause__, (FileNotFoundError, ConnectionRefusedError))
                delay = backoff.wait(None, is_alone)

    def _fail(self, error: PositiondError) -> None:
        for subscriber in list(self._subscribers):
            subscriber.finish(error)
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_exception(error)
        self._weigh()

    async def _connect(self) -> None:
        self._ended.clear()
        try:
            await self.loop.create_unix_connection(lambda: Lines(self), self.path)
        except OSError as error:
            raise ConnectionFailed(
                f"cannot connect to positiond at {self.path}: {error.strerror or error}",
                "install positiond, or: systemctl start positiond") from error
        try:
            # If the daemon has closed the connection already, this fails with its reason.
            session = decode(Session, await self.exchange("session.hello", self._greeting))
            if session.protocol.split(".")[0] != "1":
                raise Unexpected(f"the daemon has version {session.protocol} of the protocol, expected 1")
        except (PositiondError, asyncio.CancelledError):
            self._abort()
            raise
        self.session = session
        self._is_greeted = True
        for subscriber in list(self._subscribers):
            subscriber.subscribe()
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def made(self, transport: asyncio.Transport) -> None:
        """There is a new connection."""
        self._transport = transport
        self._error = ConnectionFailed("the connection to positiond was lost")

    def broken(self, transport: Optional[asyncio.Transport]) -> None:
        """A connection has ended."""
        if transport is self._transport:
            self._lose(self._error)

    def _abort(self) -> None:
        if self._transport:
            self._transport.abort()
            self._lose(self._error)

    def _lose(self, error: PositiondError) -> None:
        self._transport = None
        self._is_greeted = False
        self.routes.clear()
        pending, self._pending = self._pending, {}
        for handler in pending.values():
            handler(None, error)
        for subscriber in list(self._subscribers):
            subscriber.lost()
        self._ended.set()

    # Requests

    async def _connected(self, patience: Optional[float]) -> None:
        """Waits for a connection."""
        if self._is_closed:
            raise Closed()
        if self._is_greeted:
            return
        future: "asyncio.Future[None]" = self.loop.create_future()
        self._waiting.append(future)
        self._weigh()
        try:
            await asyncio.wait_for(future, patience)
        except asyncio.TimeoutError:
            raise self._error from self._error.__cause__
        finally:
            if future in self._waiting:
                self._waiting.remove(future)
            self._weigh()

    async def call(self, method: str, params: Dict[str, Any], repeats: Optional[bool] = None) -> Any:
        """Sends a request and waits for its result. A cancelled task cancels the request."""
        params = {key: encode(value) for key, value in params.items() if value is not None}
        timeout = params.get("timeout")
        if method in ("position.get", "heading.get") and timeout is None:
            timeout = 30
        deadline = None if timeout == 0 else self.loop.time() + (PATIENCE if timeout is None else timeout)
        repeats = method in REPEATABLE if repeats is None else repeats
        while True:
            left = None if deadline is None else max(0.0, deadline - self.loop.time())
            await self._connected(left)
            try:
                return await self.exchange(method, params)
            except ConnectionFailed:
                if not repeats:
                    raise
            if timeout and deadline is not None:
                params["timeout"] = max(0.001, deadline - self.loop.time())

    async def exchange(self, method: str, params: Dict[str, Any]) -> Any:
        answer: "asyncio.Future[Any]" = self.loop.create_future()
        identifier = self.ask(method, params, _settling(answer))
        try:
            return await answer
        except asyncio.CancelledError:
            if self._pending.pop(identifier, None):
                self.send({"method": "$/cancelRequest", "params": {"id": identifier}})
            raise

    def ask(self, method: str, params: Dict[str, Any], handler: Handler) -> int:
        """Sends a request on the present connection; the handler is called once, when the answer is read."""
        self._last_id += 1
        if self._transport is None:
            self.loop.call_soon(handler, None, self._error)
            return self._last_id
        self._pending[self._last_id] = handler
        self.send({"id": self._last_id, "method": method, "params": params})
        return self._last_id

    def send(self, message: Dict[str, Any]) -> None:
        if self._transport is not None:
            self._transport.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    # What arrives

    def received(self, line: bytes) -> None:
        """The daemon has sent a line."""
        if not line.strip():
            return
        try:
            message = json.loads(line)
            method, identifier = message.get("method"), message.get("id")
        except (ValueError, AttributeError):
            self._error = Unexpected(f"the daemon sent no message: {line[:60]!r}")
            return self._abort()
        if method is not None and identifier is not None:
            self._questioned(identifier, method, message.get("params", {}))
        elif method is not None:
            self._notified(method, message.get("params", {}))
        elif identifier is not None:
            handler = self._pending.pop(identifier, None)
            if handler and "error" in message:
                handler(None, request_error(message["error"]))
            elif handler:
                handler(message.get("result"), None)
        elif "error" in message:
            # What has no readable id was too long, or the daemon has no place; it closes the connection then.
            self._error = request_error(message["error"])

    def _questioned(self, identifier: Any, method: str, params: Any) -> None:
        if self.on_question:
            self.on_question(identifier, method, params)
        else:
            self.send({"id": identifier, "error": {"code": -32601, "message": f"nobody answers {method}"}})

    def _notified(self, method: str, params: Any) -> None:
        if method == "session.closing":
            self._error = ConnectionFailed(f"positiond closes the connection: {params.get('reason')}")
            return
        if method == "authorization.changed":
            for subscriber in self._subscribers:
                subscriber.permit(params["state"], params["precision"])
        if method == "authorization.changed" and self._is_greeted:
            for subscriber in [one for one in self._subscribers if not one.is_asked]:
                subscriber.subscribe()
        takers = [one for one in self._subscribers if one.hears(method)]
        routed = self.routes.get(_address(method, params))
        for subscriber in takers + ([routed] if routed else []):
            try:
                subscriber.deliver(method, params)
            except Unexpected as error:
                subscriber.finish(error)

    # Subscriptions

    def add(self, subscriber: Subscriber) -> None:
        if self._is_closed:
            return subscriber.finish(Closed())
        self._subscribers.append(subscriber)
        self._weigh()
        if self._is_greeted:
            subscriber.subscribe()

    def remove(self, subscriber: Subscriber) -> None:
        if subscriber in self._subscribers:
            self._subscribers.remove(subscriber)
        for route in [route for route, one in self.routes.items() if one is subscriber]:
            del self.routes[route]
        self._weigh()

    def _weigh(self) -> None:
        """A client with nothing open does not connect again."""
        if self._subscribers or self._waiting:
            self._needed.set()
        else:
            self._needed.clear()


def _address(method: str, params: Any) -> Route:
    if "durable" in params:
        return ("durable", params["durable"])
    if method == "region.event":
        return ("region", params.get("id"))
    return ("subscription", params.get("subscription"))


def _settling(future: "asyncio.Future[Any]") -> Handler:
    def settle(result: Any, error: Optional[PositiondError]) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)

    return settle
