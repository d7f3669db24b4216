"""The regions that a stream watches, over one connection after another."""

import asyncio
import dataclasses
from typing import Any, Dict, List, Optional

from ._coding import decode, encode
from ._errors import PositiondError
from ._link import Link
from ._subscriptions import Subscription
from ._values import Region, RegionEvent, RegionResult, RegionState


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
        is_first = entry.state == "unknown"
        if entry.takes(event):
            # A new connection's first state is a change, if there was another state before.
            initial = event.initial if is_first else None
            self.put(dataclasses.replace(event, id=entry.region.id, initial=initial))

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
