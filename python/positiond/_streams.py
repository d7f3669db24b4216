"""Streams of what the daemon notifies."""

import asyncio
import dataclasses
import weakref
from collections import deque
from typing import (
    Any, AsyncIterator, Callable, Deque, Dict, Generic, List, Optional, Type, TypeVar, Union, cast)

from ._coding import decode, encode
from ._errors import ConnectionFailed, NotPermitted, PositiondError
from ._link import Link
from ._values import (
    AgentAuthorize, AuthorizationChanged, AuthorizationLevel, Durable, DurableOverflow, Fix, HeadingUpdate,
    PositionUpdate, Precision, Region, RegionEvent, RegionResult, RegionState, SubscriptionResult, VisitUpdate)

Item = TypeVar("Item")
Result = TypeVar("Result")

#: What `DurableName.events` delivers.
DurableEvent = Union[PositionUpdate, VisitUpdate, RegionEvent, DurableOverflow]


class Unchanged:
    """The type of `UNCHANGED`."""

    def __repr__(self) -> str:
        return "UNCHANGED"


#: A parameter of `PositionStream.change` that stays as it is; None means the daemon's default there.
UNCHANGED = Unchanged()


class Calls:
    """What the generated methods need of their class."""

    _link: Link

    async def _call(self, kind: Type[Result], method: str, params: Dict[str, Any]) -> Result:
        return decode(kind, await self._link.call(method, params))


class Subscription(Generic[Item]):
    """One subscription at the daemon, over all connections, and what it has delivered and nobody has read yet."""

    #: How many items wait for a slow reader, if older ones may be dropped then.
    capacity: Optional[int] = None

    def __init__(self, link: Link) -> None:
        self.link = link
        self.is_asked = False
        self.ended: Optional[str] = None
        self.is_finished = False
        self._has_begun = False
        self._items: Deque[Item] = deque()
        self._error: Optional[PositiondError] = None
        self._reader: Optional["asyncio.Future[None]"] = None
        #: Resolved once the daemon has answered for the first time.
        self.beginning: "asyncio.Future[None]" = link.loop.create_future()

    # The daemon

    def subscribe(self) -> None:
        """Asks the daemon; overridden by each kind."""
        raise NotImplementedError

    def hears(self, method: str) -> bool:
        return False

    def deliver(self, method: str, params: Any) -> None:
        raise NotImplementedError

    def lost(self) -> None:
        self.is_asked = False

    def cancel(self) -> None:
        """Ends it at the daemon."""

    def _begin(self) -> bool:
        """The daemon has it; returns whether it had it before, on another connection."""
        was, self._has_begun = self._has_begun, True
        if not self.beginning.done():
            self.beginning.set_result(None)
        return was

    def _reject(self, error: PositiondError) -> None:
        """The daemon does not want it, or the connection is lost."""
        self.is_asked = False
        if isinstance(error, ConnectionFailed):
            return
        if isinstance(error, NotPermitted) and self._has_begun:
            return self.suspended()
        self.finish(error)

    def suspended(self) -> None:
        """The daemon denies it until permission is granted again."""

    # The reader

    def put(self, item: Item) -> None:
        if self.is_finished:
            return
        self._items.append(item)
        if self.capacity is not None and len(self._items) > self.capacity:
            # Changes of state are kept as long as there is anything else.
            index = next((index for index, one in enumerate(self._items) if has_value(one)), 0)
            older = self._items[index]
            del self._items[index]
            if index < len(self._items):
                self._items[index] = pass_over(older, self._items[index])
        self._wake()

    def finish(self, error: Optional[PositiondError] = None, reason: Optional[str] = None) -> None:
        if self.is_finished:
            return
        self.is_finished, self._error, self.ended = True, error, reason
        self.link.remove(self)
        if not self.beginning.done():
            self.beginning.set_result(None)
        self._wake()

    def _wake(self) -> None:
        if self._reader and not self._reader.done():
            self._reader.set_result(None)

    async def begin(self) -> None:
        """Waits until the daemon has answered; raises if it denies it."""
        await asyncio.shield(self.beginning)
        if self._error and not self._has_begun:
            raise self._error

    async def read(self) -> Item:
        while not self._items:
            if self.is_finished:
                error, self._error = self._error, None
                if error:
                    raise error
                raise StopAsyncIteration
            self._reader = self.link.loop.create_future()
            await self._reader
        return self._items.popleft()

    def leave(self) -> None:
        """Nobody reads it any more."""
        if not self.is_finished:
            self.cancel()
            self.finish()


def has_value(item: Any) -> bool:
    """Whether it is more than a change of state."""
    values = [getattr(item, name) for name in ("fix", "fixes", "heading") if hasattr(item, name)]
    return not values or any(values)


def pass_over(older: Item, newer: Item) -> Item:
    """The newer item, which says what was dropped before it."""
    changes: Dict[str, Any] = {}
    if hasattr(newer, "dropped"):
        count = len(getattr(older, "fixes", None) or ()) or int(has_value(older))
        changes["dropped"] = (getattr(older, "dropped", 0) or 0) + count + (newer.dropped or 0)
    if hasattr(newer, "changed"):
        before = getattr(older, "changed", [])
        changes["changed"] = [*before, *(part for part in newer.changed if part not in before)]
    replaced: Item = dataclasses.replace(cast(Any, newer), **changes) if changes else newer
    return replaced


class NumberedSubscription(Subscription[Item]):
    """A subscription with a number of its connection."""

    def __init__(self, link: Link, kind: Type[Item], method: str, params: Dict[str, Any]) -> None:
        super().__init__(link)
        self.kind, self.method = kind, method
        self.params = {key: encode(value) for key, value in params.items() if value is not None}
        self.number: Optional[int] = None
        self.capacity = None if kind is VisitUpdate else 64

    def subscribe(self) -> None:
        params = self.remaining() if self._has_begun else self.params
        if params is None:
            return self.finish(reason="expired")
        self.is_asked = True
        self.link.ask(self.method, params, self._answered)

    def remaining(self) -> Optional[Dict[str, Any]]:
        """What is left to ask for on a further connection; None if nothing is."""
        return self.params

    def _answered(self, result: Any, error: Optional[PositiondError]) -> None:
        if error is not None:
            return self._reject(error)
        self.number = result["subscription"]
        if self.is_finished:
            return self.cancel()
        self.link.routes["subscription", self.number] = self
        self.established(decode(SubscriptionResult, result), self._begin())

    def established(self, result: SubscriptionResult, again: bool) -> None:
        """The daemon has it."""

    def lost(self) -> None:
        super().lost()
        self.number = None

    def deliver(self, method: str, params: Any) -> None:
        if method == "subscription.ended":
            self.finish(reason=params["reason"])
        else:
            self.take(decode(self.kind, params))

    def take(self, item: Item) -> None:
        self.put(item)

    def cancel(self) -> None:
        if self.number is not None:
            number, self.number = self.number, None
            self.link.ask("subscription.cancel", {"subscription": number}, lambda result, error: None)


class HeadingSubscription(NumberedSubscription[HeadingUpdate]):
    """Headings; without a connection there is none."""

    def lost(self) -> None:
        number = self.number
        super().lost()
        if number is not None:
            self.put(HeadingUpdate(subscription=number, state="invalid"))


class PositionSubscription(NumberedSubscription[PositionUpdate]):
    """Positions, of which no fix is delivered twice, and no more than were asked for."""

    def __init__(self, link: Link, kind: Type[PositionUpdate], method: str, params: Dict[str, Any]) -> None:
        super().__init__(link, kind, method, params)
        self.is_paused = False
        self._since: Optional[float] = None
        self._updates = 0
        self._newest = -1.0
        self._is_remade = False
        # What the reader knows of the connection.
        self._shown: Optional[str] = None
        self._expiry: Optional[asyncio.TimerHandle] = None

    def remaining(self) -> Optional[Dict[str, Any]]:
        params = dict(self.params)
        if "duration" in params and self._since is not None:
            left = params["duration"] - (self.link.loop.time() - self._since)
            if left <= 0:
                return None
            params["duration"] = max(0.1, left)
        # A new daemon would count fixes that were delivered before; this counts itself.
        most = params.pop("maxUpdates", None)
        if most is not None and self._updates >= most:
            return None
        if self.is_paused:
            params["replay"] = "none"
        return params

    def established(self, result: SubscriptionResult, again: bool) -> None:
        if self._since is None:
            self._since = self.link.loop.time()
        if self._expiry:
            self._expiry.cancel()
        if again:
            self._is_remade = True
            if self.is_paused:
                self.link.ask("subscription.pause", {"subscription": self.number}, lambda result, error: None)
            self._show("reconnected", result.state, result.availability)

    def lost(self) -> None:
        was_established = self.number is not None
        super().lost()
        if was_established and not self.is_finished:
            self._show("disconnected", "waiting", "unknown")
            if "duration" in self.params and self._since is not None:
                at = self._since + self.params["duration"]
                self._expiry = self.link.loop.call_at(at, lambda: self.finish(reason="expired"))

    def suspended(self) -> None:
        self._show("suspended", "suspended", "denied")

    def _show(self, reason: str, state: Any, availability: Any) -> None:
        if self._shown != reason:
            self._shown = reason
            self.put(PositionUpdate(state=state, availability=availability, reason=reason))

    def take(self, item: PositionUpdate) -> None:
        fixes = [item.fix] if item.fix else item.fixes or []
        if fixes:
            if self._is_remade and item.replay and fixes[-1].arrival <= self._newest:
                return
            self._newest = max(self._newest, fixes[-1].arrival)
            self._updates += 1 if item.fixes else 1 + (item.dropped or 0)
        self.put(item)
        most = self.params.get("maxUpdates")
        if self._is_remade and most is not None and self._updates >= most:
            self.cancel()
            self.finish(reason="expired")

    def changed(self, params: Dict[str, Any], has_duration: bool) -> None:
        """The daemon has these parameters now."""
        self.params = params
        if has_duration:
            self._since = self.link.loop.time()


class Regions(Subscription[RegionEvent]):
    """Regions of the client.

    The daemon is asked for each decision, also those that the program did not ask for. So it is known where the device
    was when a connection was lost: missed changes are delivered afterwards, and unchanged states are not repeated.
    Each region has an id at the daemon that no other stream of the client has.
    """

    def __init__(self, link: Link, regions: List[Region]) -> None:
        super().__init__(link)
        self._entries: Dict[str, _Watched] = {}
        for region in regions:
            self._entries[region.id] = _Watched(self, region)

    def subscribe(self) -> None:
        self.is_asked = True
        entries = list(self._entries.values())
        for entry in entries:
            self._ask(entry)
        if not entries:
            self._begin()

    def _ask(self, entry: "_Watched") -> None:
        self.link.routes["region", entry.wire_id] = self

        def answered(result: Any, error: Optional[PositiondError]) -> None:
            if error is not None:
                return self._reject(error)
            entry.answered(self.link.loop.time())
            self._begin()

        request = entry.request(self.link.loop.time())
        if request is None:
            self.put(RegionEvent(id=entry.region.id, event="expired", state=entry.state))
            self._entries.pop(entry.region.id, None)
        else:
            self.link.ask("region.add", request, answered)

    async def add(self, region: Region) -> RegionResult:
        entry = _Watched(self, region, self._entries.get(region.id))
        added: "asyncio.Future[RegionResult]" = self.link.loop.create_future()

        # Called before the next message is read: it may be the region's first event.
        def answered(result: Any, error: Optional[PositiondError]) -> None:
            if error is None:
                entry.answered(self.link.loop.time())
                self._entries[region.id] = entry
                self.link.routes["region", entry.wire_id] = self
            if added.done():
                return
            if error is None:
                added.set_result(decode(RegionResult, result))
            else:
                added.set_exception(error)

        self.link.ask("region.add", entry.request(self.link.loop.time()) or {}, answered)
        return await added

    async def drop(self, identifier: str) -> None:
        entry = self._entries.pop(identifier, None)
        if entry and self.is_asked:
            await self.link.call("region.remove", {"id": entry.wire_id})

    def deliver(self, method: str, params: Any) -> None:
        event = decode(RegionEvent, params)
        entry = next((one for one in self._entries.values() if one.wire_id == event.id), None)
        if entry is None:
            return
        if event.event == "expired":
            del self._entries[entry.region.id]
        if entry.takes(event):
            self.put(dataclasses.replace(event, id=entry.region.id))

    def cancel(self) -> None:
        for entry in self._entries.values():
            self.link.ask("region.remove", {"id": entry.wire_id}, lambda result, error: None)


class _Watched:
    """A watched region: where the device was."""

    last = 0

    def __init__(self, regions: Regions, region: Region, before: Optional["_Watched"] = None) -> None:
        _Watched.last += 1
        self.region = region
        self.wire_id: str = before.wire_id if before else f"{id(regions):x}.{_Watched.last}"
        self.state: RegionState = "unknown"
        self.has_dwelled = False
        # As in the daemon, a region with the same shape keeps its state.
        if before and (before.region.circle, before.region.polygon) == (region.circle, region.polygon):
            self.state, self.has_dwelled = before.state, before.has_dwelled
        self._expiry: Optional[float] = None

    def answered(self, now: float) -> None:
        if self._expiry is None and self.region.expires_in is not None:
            self._expiry = now + self.region.expires_in

    def request(self, now: float) -> Optional[Dict[str, Any]]:
        """What to ask the daemon for; None if the region's time is over."""
        notify = {*(self.region.notify or ("enter", "exit")), "enter", "exit"}
        request: Dict[str, Any] = encode(self.region)
        request.update(id=self.wire_id, initial="always", notify=sorted(notify))
        if self._expiry is not None:
            if self._expiry <= now:
                return None
            request["expiresIn"] = max(0.1, self._expiry - now)
        return request

    def takes(self, event: RegionEvent) -> bool:
        """Whether the program is to get the event."""
        notify = self.region.notify or ["enter", "exit"]
        if event.event in ("enter", "exit"):
            before, self.state = self.state, event.state
            if before == event.state:
                return False
            self.has_dwelled = False
            if before == "unknown":
                return self.region.initial == "always" or self.region.initial == "ifInside" and event.event == "enter"
            return event.event in notify
        if event.event == "dwell":
            before_dwell, self.has_dwelled = self.has_dwelled, True
            return not before_dwell
        return True


class Attachment(Subscription[DurableEvent]):
    """The events of a durable name, each once."""

    KINDS: Dict[str, Type[Any]] = {
        "position.update": PositionUpdate, "visit.update": VisitUpdate, "region.event": RegionEvent,
        "durable.overflow": DurableOverflow}

    def __init__(self, link: Link, name: str, since: Optional[int]) -> None:
        super().__init__(link)
        self.name, self.since = name, since
        self._newest = 0

    def subscribe(self) -> None:
        self.is_asked = True
        since = None if self._has_begun else self.since
        self.link.ask("durable.attach", {"name": self.name, "sinceEvent": since}, self._answered)

    def _answered(self, result: Any, error: Optional[PositiondError]) -> None:
        if error is not None:
            return self._reject(error)
        self.link.routes["durable", self.name] = self
        # Numbers only rise, unless the daemon has lost what it stored.
        if decode(Durable, result).last_event < self._newest:
            self._newest = 0
        self._begin()

    def deliver(self, method: str, params: Any) -> None:
        if method == "subscription.ended":
            return self.finish(reason=params["reason"])
        if method not in self.KINDS:
            return
        event = decode(self.KINDS[method], params)
        number = getattr(event, "event_id", None)
        if number is not None:
            if number <= self._newest:
                return
            self._newest = number
        self.put(event)


class Announcements(Subscription[AuthorizationChanged]):
    """Changes of what the client may know."""

    def subscribe(self) -> None:
        self.is_asked = True
        self._begin()

    def hears(self, method: str) -> bool:
        return method == "authorization.changed"

    def deliver(self, method: str, params: Any) -> None:
        self.put(decode(AuthorizationChanged, params))


class Prompt:
    """A question of the daemon: may this user's programs know the position?"""

    def __init__(self, link: Link, identifier: Any, request: AgentAuthorize) -> None:
        #: Who asks, and for what. Its `principal` has the kernel's facts, and the program's own name and purpose.
        self.request = request
        #: Whether nobody needs the answer any more: another agent has answered, or the time is over.
        self.withdrawn = False
        self._link, self._identifier = link, identifier

    def answer(
        self, allow: bool, *, level: Optional[AuthorizationLevel] = None, precision: Optional[Precision] = None,
        remember: bool = True
    ) -> None:
        """Returns the person's answer.

        Args:
            allow: Yes or no.
            level: The granted level, if it is less than requested.
            precision: The granted precision, if it is less than requested.
            remember: Whether the answer is stored; if not, it holds only for the connections that wait.
        """
        result = {"decision": "allow" if allow else "deny", "level": level, "precision": precision,
                  "remember": remember}
        self._reply({"result": {key: value for key, value in result.items() if value is not None}})

    def pass_on(self) -> None:
        """Leaves the question to the next agent."""
        self._reply({"error": {"code": -32800, "message": "this agent does not answer"}})

    def _reply(self, answer: Dict[str, Any]) -> None:
        if not self.withdrawn:
            self.withdrawn = True
            self._link.loop.call_soon_threadsafe(self._link.send, {"id": self._identifier, **answer})


class Prompts(Subscription[Prompt]):
    """Makes the client an agent."""

    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._open: Dict[Any, Prompt] = {}

    def subscribe(self) -> None:
        self.is_asked = True
        self.link.on_question = self._asked
        self.link.ask("agent.register", {}, self._answered)

    def _answered(self, result: Any, error: Optional[PositiondError]) -> None:
        if error is not None:
            return self._reject(error)
        self._begin()

    def _asked(self, identifier: Any, method: str, params: Any) -> None:
        prompt = self._open[identifier] = Prompt(self.link, identifier, decode(AgentAuthorize, params))
        self.put(prompt)

    def hears(self, method: str) -> bool:
        return method == "$/cancelRequest"

    def deliver(self, method: str, params: Any) -> None:
        self._withdraw(params.get("id"))

    def _withdraw(self, identifier: Any) -> None:
        prompt = self._open.pop(identifier, None)
        if prompt:
            prompt.withdrawn = True

    def lost(self) -> None:
        super().lost()
        for identifier in list(self._open):
            self._withdraw(identifier)

    def cancel(self) -> None:
        self.link.on_question = None
        for prompt in self._open.values():
            prompt.pass_on()


class Stream(Generic[Item]):
    """What a subscription delivers, to be read with `async for`.

    The subscription begins with the first read or with `async with`, and ends when the stream is closed or nobody holds
    it any more. It is made again whenever the connection was lost.
    """

    _subscription: Subscription[Item]

    def __init__(
        self, link: Link, kind: Type[Item], method: str, params: Dict[str, Any],
        make: Optional[Callable[[], Subscription[Item]]] = None,
    ) -> None:
        self._link = link
        # What makes the subscription must not hold the stream, which ends when nobody holds it.
        self._make = make or _numbered(link, kind, method, params)

    def _started(self) -> Subscription[Item]:
        if not hasattr(self, "_subscription"):
            self._subscription = self._make()
            weakref.finalize(self, _abandon, self._link, self._subscription)
            self._link.add(self._subscription)
        return self._subscription

    @property
    def ended(self) -> Optional[str]:
        """Why the daemon has ended it, such as `expired` or `replaced`; None if it has not."""
        return self._subscription.ended if hasattr(self, "_subscription") else None

    def __aiter__(self) -> AsyncIterator[Item]:
        return self

    async def __anext__(self) -> Item:
        return await self._started().read()

    async def __aenter__(self: "StreamType") -> "StreamType":
        await self._started().begin()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the subscription."""
        if hasattr(self, "_subscription"):
            self._subscription.leave()


StreamType = TypeVar("StreamType", bound=Stream[Any])


def _numbered(link: Link, kind: Type[Item], method: str, params: Dict[str, Any]) -> Callable[[], Subscription[Item]]:
    classes: Dict[Any, Any] = {PositionUpdate: PositionSubscription, HeadingUpdate: HeadingSubscription}
    make: Callable[..., Subscription[Item]] = classes.get(kind, NumberedSubscription)
    return lambda: make(link, kind, method, params)


def _abandon(link: Link, subscription: Subscription[Any]) -> None:
    if not link.loop.is_closed():
        link.loop.call_soon_threadsafe(subscription.leave)


class Positions(Stream[PositionUpdate]):
    """Positions; what `PositionStream` needs for its commands."""

    async def fixes(self) -> AsyncIterator[Fix]:
        """The fixes alone, also those of batches, without changes of availability."""
        async for update in self:
            for fix in [update.fix] if update.fix else update.fixes or []:
                yield fix

    async def _call(self, kind: Type[Result], method: str, params: Dict[str, Any]) -> Result:
        subscription = self._started()
        assert isinstance(subscription, PositionSubscription)
        await subscription.begin()
        changes = {key: encode(value) for key, value in params.items() if value is not UNCHANGED}
        result = await self._command(subscription, method, changes)
        if method == "subscription.pause":
            subscription.is_paused = True
        elif method == "subscription.resume":
            subscription.is_paused = False
        elif method == "subscription.update":
            # What the subscription is now, for the next connection.
            for one in (await self._link.call("subscription.list", {}))["subscriptions"]:
                if one["subscription"] == subscription.number:
                    subscription.changed(one["parameters"], changes.get("duration") is not None)
        return decode(kind, result)

    async def _command(self, subscription: PositionSubscription, method: str, changes: Dict[str, Any]) -> Any:
        if subscription.number is None:
            raise ConnectionFailed("the subscription is not established at present")
        return await self._link.exchange(method, {"subscription": subscription.number, **changes})


class RegionStream(Stream[RegionEvent]):
    """Events of regions, which may be changed meanwhile."""

    def __init__(self, link: Link, regions: List[Region]) -> None:
        super().__init__(link, RegionEvent, "", {}, lambda: Regions(link, regions))

    async def add(self, region: Region) -> RegionResult:
        """Watches one more region, or changes the one with its id."""
        subscription = self._started()
        assert isinstance(subscription, Regions)
        await subscription.begin()
        return await subscription.add(region)

    async def remove(self, id: str) -> None:
        """Watches a region no more."""
        subscription = self._started()
        assert isinstance(subscription, Regions)
        await subscription.begin()
        await subscription.drop(id)


