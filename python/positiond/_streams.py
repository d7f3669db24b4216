"""Streams of what the daemon notifies."""

import weakref
from typing import Any, AsyncIterator, Callable, Dict, Generic, List, Optional, Type, TypeVar

from ._coding import decode, encode
from ._errors import ConnectionFailed
from ._link import Link
from ._regions import Regions
from ._subscriptions import HeadingSubscription, NumberedSubscription, PositionSubscription, Subscription
from ._values import Fix, HeadingUpdate, PositionUpdate, Region, RegionEvent, RegionResult

Item = TypeVar("Item")
Result = TypeVar("Result")


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
