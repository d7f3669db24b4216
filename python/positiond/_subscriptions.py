"""Subscriptions at the daemon, over one connection after another, and what they have delivered."""

import asyncio
import dataclasses
from collections import deque
from typing import Any, Deque, Dict, Generic, List, Optional, Type, TypeVar, cast

from ._coding import decode, encode
from ._errors import ConnectionFailed, NotPermitted, PositiondError
from ._link import Link
from ._values import HeadingUpdate, PositionUpdate, RegionEvent, SubscriptionResult, VisitUpdate

Item = TypeVar("Item")


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

    def permit(self, state: str, precision: str) -> None:
        """Removes what nobody has read yet and the client may not know any more."""
        allowed: List[Optional[str]] = [None]
        if state in ("whenInUse", "always"):
            allowed += ["reduced", precision]
        self._items = deque(item for item in self._items if reveals(item) in allowed)

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


def reveals(item: Any) -> Optional[str]:
    """The precision that it reveals; None: nothing of the position."""
    fixes = [*(getattr(item, "fixes", None) or ()), *filter(None, [getattr(item, "fix", None)])]
    if fixes:
        return "reduced" if all(fix.reduced for fix in fixes) else "precise"
    if isinstance(item, RegionEvent):
        return None if item.event == "expired" else "precise"
    # Of a status the daemon has the last fix only for those who may know it.
    values = [getattr(item, name, None) for name in ("heading", "visit", "satellites", "last_fix")]
    return "precise" if any(value is not None for value in values) else None


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
