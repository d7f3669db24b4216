"""The methods of the protocol, written by scripts/write-python from the daemon's OpenRPC document."""

from typing import Optional, Union

from ._blocking import BlockingStream, Waits
from ._streams import UNCHANGED, Calls, Positions, Stream, Unchanged
from ._values import (
    AccuracyLevel,
    Acquire,
    Activity,
    AdminClientsResult,
    AdminGrantsResult,
    Authorization,
    AuthorizationLevel,
    EnabledResult,
    Grant,
    GrantLevel,
    HeadingGetResult,
    HeadingUpdate,
    IntegrityDemand,
    PositionGetResult,
    PositionLastResult,
    PositionUpdate,
    Precision,
    Replay,
    Sky,
    SkyUpdate,
    Status,
    StatusUpdate,
    SubscriptionResult,
    TimeGetResult,
    UpdateMode,
    VisitUpdate,
)


class PositionStream(Positions):
    """Positions, and commands to their subscription."""

    async def change(
        self,
        *,
        mode: Union[UpdateMode, None, Unchanged] = UNCHANGED,
        accuracy: Union[Union[AccuracyLevel, float], None, Unchanged] = UNCHANGED,
        min_interval: Union[float, None, Unchanged] = UNCHANGED,
        min_distance: Union[float, None, Unchanged] = UNCHANGED,
        max_interval: Union[float, None, Unchanged] = UNCHANGED,
        only_better_than: Union[float, None, Unchanged] = UNCHANGED,
        integrity: Union[IntegrityDemand, None, Unchanged] = UNCHANGED,
        max_updates: Union[int, None, Unchanged] = UNCHANGED,
        duration: Union[float, None, Unchanged] = UNCHANGED,
        deferred_distance: Union[float, None, Unchanged] = UNCHANGED,
        deferred_timeout: Union[float, None, Unchanged] = UNCHANGED,
        significant_distance: Union[float, None, Unchanged] = UNCHANGED,
        significant_interval: Union[float, None, Unchanged] = UNCHANGED,
        acquire: Union[Acquire, None, Unchanged] = UNCHANGED,
        activity: Union[Activity, None, Unchanged] = UNCHANGED,
        auto_pause: Union[bool, None, Unchanged] = UNCHANGED,
    ) -> SubscriptionResult:
        """Changes a subscription's parameters; absent ones stay the same, null resets one to its default.

        Args:
            mode: Which fixes are delivered: each one (`continuous`), one far from the last (`significant`), what
                others need (`passive`), or many at once (`deferred`).
            accuracy: The accuracy requested of the receiver: a level, or metres; it does not filter fixes.
            min_interval: The least time between two deliveries, in seconds.
            min_distance: The least distance from the last delivered fix, in metres.
            max_interval: Seconds without a delivery after which the newest fix is delivered again.
            only_better_than: Metres: fixes with a larger or unknown accuracy are not delivered.
            integrity: Delivers fixes for which evidence speaks (`trusted`), all but untrusted ones (`suspect`), or
                `any`.
            max_updates: The number of updates with a fix after which the subscription ends.
            duration: Seconds after which it ends.
            deferred_distance: Metres along the path after which a batch is delivered; mode deferred.
            deferred_timeout: Seconds after its first fix at which a batch is delivered; mode deferred.
            significant_distance: Metres from the last delivery that make a change significant; mode significant.
            significant_interval: The least time between two significant changes, in seconds; mode significant.
            acquire: Searches for a good fix after each significant change; mode significant.
            activity: What moves the device.
            auto_pause: Pauses delivery while the device rests.
        """
        return await self._call(SubscriptionResult, "subscription.update", {"mode": mode, "accuracy": accuracy,
            "minInterval": min_interval, "minDistance": min_distance, "maxInterval": max_interval,
            "onlyBetterThan": only_better_than, "integrity": integrity, "maxUpdates": max_updates,
            "duration": duration, "deferredDistance": deferred_distance, "deferredTimeout": deferred_timeout,
            "significantDistance": significant_distance, "significantInterval": significant_interval,
            "acquire": acquire, "activity": activity, "autoPause": auto_pause})

    async def pause(self) -> SubscriptionResult:
        """Pauses a position subscription and its need of the receiver until it is resumed."""
        return await self._call(SubscriptionResult, "subscription.pause", {})

    async def resume(self) -> SubscriptionResult:
        """Resumes a paused subscription."""
        return await self._call(SubscriptionResult, "subscription.resume", {})

    async def acquire(self) -> SubscriptionResult:
        """Makes a position subscription search for a fix now, in any mode."""
        return await self._call(SubscriptionResult, "subscription.acquire", {})

    async def flush(self) -> SubscriptionResult:
        """Makes a deferred subscription deliver what it has collected."""
        return await self._call(SubscriptionResult, "subscription.flush", {})


class AsyncMethods(Calls):
    """The methods of `AsyncClient` that are the protocol's."""

    async def position(
        self,
        *,
        accuracy: Optional[Union[AccuracyLevel, float]] = None,
        acceptable_accuracy: Optional[Union[AccuracyLevel, float]] = None,
        max_age: Optional[float] = None,
        timeout: Optional[float] = None,
        activity: Optional[Activity] = None,
        integrity: Optional[IntegrityDemand] = None,
        delay_until_authorized: Optional[bool] = None,
    ) -> PositionGetResult:
        """Gets one fix: at once if a cached one is good enough, else within the timeout.

        Args:
            accuracy: The desired accuracy: a level, or metres (default: block).
            acceptable_accuracy: The accuracy that is accepted at the timeout: a level, or metres; if absent, the
                desired one.
            max_age: The greatest age of the fix in seconds; if absent, that of the accuracy's level.
            timeout: Seconds to wait; 0 means as long as the daemon allows (default: 30).
            activity: What moves the device (default: other).
            integrity: The least integrity of the fix: one for which evidence speaks (`trusted`), all but untrusted
                ones (`suspect`), or `any` (default: suspect).
            delay_until_authorized: Starts the timeout only once the client's permission is decided (default: False).
        """
        return await self._call(PositionGetResult, "position.get", {"accuracy": accuracy,
            "acceptableAccuracy": acceptable_accuracy, "maxAge": max_age, "timeout": timeout, "activity": activity,
            "integrity": integrity, "delayUntilAuthorized": delay_until_authorized})

    async def last(self) -> PositionLastResult:
        """Returns the newest fix, and never turns the receiver on."""
        return await self._call(PositionLastResult, "position.last", {})

    async def heading(
        self,
        *,
        max_age: Optional[float] = None,
        timeout: Optional[float] = None,
    ) -> HeadingGetResult:
        """Gets one heading: at once if a recent one is known, else within the timeout.

        Args:
            max_age: The greatest age of the heading in seconds (default: 5).
            timeout: Seconds to wait; 0 means as long as the daemon allows (default: 30).
        """
        return await self._call(HeadingGetResult, "heading.get", {"maxAge": max_age, "timeout": timeout})

    async def sky(self) -> Sky:
        """Returns the satellites that the receiver saw last."""
        return await self._call(Sky, "sky.get", {})

    async def time(self) -> TimeGetResult:
        """Returns the receiver's time, and what is known of this machine's clock."""
        return await self._call(TimeGetResult, "time.get", {})

    async def status(self) -> Status:
        """Returns the status of the daemon and its receiver."""
        return await self._call(Status, "status.get", {})

    async def authorization(self) -> Authorization:
        """Returns what the client may know."""
        return await self._call(Authorization, "authorization.get", {})

    async def request_authorization(
        self,
        *,
        level: Optional[AuthorizationLevel] = None,
        precision: Optional[Precision] = None,
        force: Optional[bool] = None,
    ) -> Authorization:
        """Requests permission: a person is asked if no rule decides and an agent is attached.

        Args:
            level: While connected, or also for durable registrations (default: whenInUse).
            precision: The requested precision: precise, or reduced to a few kilometres (default: precise).
            force: Asks again after a person answered no; a rule cannot be overridden (default: False).
        """
        return await self._call(Authorization, "authorization.request", {"level": level, "precision": precision,
            "force": force})

    async def admin_clients(self) -> AdminClientsResult:
        """Lists the connected clients, what each may know and what it has open; for administrators."""
        return await self._call(AdminClientsResult, "admin.clients", {})

    async def admin_grants(self) -> AdminGrantsResult:
        """Lists the decisions of persons and administrators; for administrators."""
        return await self._call(AdminGrantsResult, "admin.grants", {})

    async def admin_grant(
        self,
        user: Union[str, int],
        level: GrantLevel,
        *,
        precision: Optional[Precision] = None,
    ) -> Grant:
        """Grants or denies a user permission, as the user's answer to a prompt would; for administrators.

        Args:
            user: The user's name or number.
            level: The level for all programs of the user.
            precision: How precisely they may know the position; not allowed with deny (default: precise).
        """
        return await self._call(Grant, "admin.grant", {"user": user, "level": level, "precision": precision})

    async def admin_revoke(
        self,
        user: Union[str, int],
    ) -> Grant:
        """Removes the decision for a user, who may then be asked again; for administrators.

        Args:
            user: The user's name or number.
        """
        return await self._call(Grant, "admin.revoke", {"user": user})

    async def admin_enable(self) -> EnabledResult:
        """Turns the master switch on; for administrators."""
        return await self._call(EnabledResult, "admin.enable", {})

    async def admin_disable(self) -> EnabledResult:
        """Turns the master switch off: nobody gets a position until it is on again; for administrators."""
        return await self._call(EnabledResult, "admin.disable", {})

    def positions(
        self,
        *,
        mode: Optional[UpdateMode] = None,
        accuracy: Optional[Union[AccuracyLevel, float]] = None,
        min_interval: Optional[float] = None,
        min_distance: Optional[float] = None,
        max_interval: Optional[float] = None,
        only_better_than: Optional[float] = None,
        integrity: Optional[IntegrityDemand] = None,
        max_updates: Optional[int] = None,
        duration: Optional[float] = None,
        deferred_distance: Optional[float] = None,
        deferred_timeout: Optional[float] = None,
        significant_distance: Optional[float] = None,
        significant_interval: Optional[float] = None,
        acquire: Optional[Acquire] = None,
        activity: Optional[Activity] = None,
        auto_pause: Optional[bool] = None,
        replay: Optional[Replay] = None,
    ) -> PositionStream:
        """Delivers fixes as they arrive, until it is cancelled, expires or the connection ends.

        Args:
            mode: Which fixes are delivered: each one (`continuous`), one far from the last (`significant`), what
                others need (`passive`), or many at once (`deferred`) (default: continuous).
            accuracy: The accuracy requested of the receiver: a level, or metres; it does not filter fixes (default:
                room).
            min_interval: The least time between two deliveries, in seconds (default: 1).
            min_distance: The least distance from the last delivered fix, in metres (default: 0).
            max_interval: Seconds without a delivery after which the newest fix is delivered again.
            only_better_than: Metres: fixes with a larger or unknown accuracy are not delivered.
            integrity: Delivers fixes for which evidence speaks (`trusted`), all but untrusted ones (`suspect`), or
                `any` (default: suspect).
            max_updates: The number of updates with a fix after which the subscription ends.
            duration: Seconds after which it ends.
            deferred_distance: Metres along the path after which a batch is delivered; mode deferred.
            deferred_timeout: Seconds after its first fix at which a batch is delivered; mode deferred.
            significant_distance: Metres from the last delivery that make a change significant; mode significant
                (default: 500).
            significant_interval: The least time between two significant changes, in seconds; mode significant
                (default: 300).
            acquire: Searches for a good fix after each significant change; mode significant.
            activity: What moves the device (default: other).
            auto_pause: Pauses delivery while the device rests (default: False).
            replay: Whether a cached fix is delivered first: a fresh one, any, or none (default: fresh).
        """
        return PositionStream(self._link, PositionUpdate, "position.subscribe", {"mode": mode, "accuracy": accuracy,
            "minInterval": min_interval, "minDistance": min_distance, "maxInterval": max_interval,
            "onlyBetterThan": only_better_than, "integrity": integrity, "maxUpdates": max_updates,
            "duration": duration, "deferredDistance": deferred_distance, "deferredTimeout": deferred_timeout,
            "significantDistance": significant_distance, "significantInterval": significant_interval,
            "acquire": acquire, "activity": activity, "autoPause": auto_pause, "replay": replay})

    def headings(
        self,
        *,
        min_change: Optional[float] = None,
        min_interval: Optional[float] = None,
        max_interval: Optional[float] = None,
    ) -> Stream[HeadingUpdate]:
        """Delivers headings as they change, and turns the receiver on.

        Args:
            min_change: The least angle in degrees from the last delivered heading (default: 1).
            min_interval: Seconds between two deliveries (default: 0).
            max_interval: Seconds without a delivery after which the newest heading is delivered again.
        """
        return Stream[HeadingUpdate](self._link, HeadingUpdate, "heading.subscribe", {"minChange": min_change,
            "minInterval": min_interval, "maxInterval": max_interval})

    def sky_updates(
        self,
        *,
        min_interval: Optional[float] = None,
        passive: Optional[bool] = None,
    ) -> Stream[SkyUpdate]:
        """Delivers the satellites that the receiver sees, and turns it on unless it is passive.

        Args:
            min_interval: Seconds between two deliveries (default: 1).
            passive: Whether it never turns the receiver on: it only delivers what comes for others.
        """
        return Stream[SkyUpdate](self._link, SkyUpdate, "sky.subscribe", {"minInterval": min_interval,
            "passive": passive})

    def visits(self) -> Stream[VisitUpdate]:
        """Delivers arrivals and departures at places where the device stays."""
        return Stream[VisitUpdate](self._link, VisitUpdate, "visit.subscribe", {})

    def status_updates(self) -> Stream[StatusUpdate]:
        """Delivers the status whenever it changes."""
        return Stream[StatusUpdate](self._link, StatusUpdate, "status.subscribe", {})


class DurableMethods(Calls):
    """What is registered under a durable name."""

    async def subscribe_positions(
        self,
        *,
        mode: Optional[UpdateMode] = None,
        accuracy: Optional[Union[AccuracyLevel, float]] = None,
        min_interval: Optional[float] = None,
        min_distance: Optional[float] = None,
        max_interval: Optional[float] = None,
        only_better_than: Optional[float] = None,
        integrity: Optional[IntegrityDemand] = None,
        max_updates: Optional[int] = None,
        duration: Optional[float] = None,
        deferred_distance: Optional[float] = None,
        deferred_timeout: Optional[float] = None,
        significant_distance: Optional[float] = None,
        significant_interval: Optional[float] = None,
        acquire: Optional[Acquire] = None,
        activity: Optional[Activity] = None,
        auto_pause: Optional[bool] = None,
        replay: Optional[Replay] = None,
    ) -> SubscriptionResult:
        """Delivers fixes as they arrive, until it is cancelled, expires or the connection ends.

        Args:
            mode: Which fixes are delivered: each one (`continuous`), one far from the last (`significant`), what
                others need (`passive`), or many at once (`deferred`) (default: continuous).
            accuracy: The accuracy requested of the receiver: a level, or metres; it does not filter fixes (default:
                room).
            min_interval: The least time between two deliveries, in seconds (default: 1).
            min_distance: The least distance from the last delivered fix, in metres (default: 0).
            max_interval: Seconds without a delivery after which the newest fix is delivered again.
            only_better_than: Metres: fixes with a larger or unknown accuracy are not delivered.
            integrity: Delivers fixes for which evidence speaks (`trusted`), all but untrusted ones (`suspect`), or
                `any` (default: suspect).
            max_updates: The number of updates with a fix after which the subscription ends.
            duration: Seconds after which it ends.
            deferred_distance: Metres along the path after which a batch is delivered; mode deferred.
            deferred_timeout: Seconds after its first fix at which a batch is delivered; mode deferred.
            significant_distance: Metres from the last delivery that make a change significant; mode significant
                (default: 500).
            significant_interval: The least time between two significant changes, in seconds; mode significant
                (default: 300).
            acquire: Searches for a good fix after each significant change; mode significant.
            activity: What moves the device (default: other).
            auto_pause: Pauses delivery while the device rests (default: False).
            replay: Whether a cached fix is delivered first: a fresh one, any, or none (default: fresh).
        """
        return await self._call(SubscriptionResult, "position.subscribe", {"mode": mode, "accuracy": accuracy,
            "minInterval": min_interval, "minDistance": min_distance, "maxInterval": max_interval,
            "onlyBetterThan": only_better_than, "integrity": integrity, "maxUpdates": max_updates,
            "duration": duration, "deferredDistance": deferred_distance, "deferredTimeout": deferred_timeout,
            "significantDistance": significant_distance, "significantInterval": significant_interval,
            "acquire": acquire, "activity": activity, "autoPause": auto_pause, "replay": replay})

    async def subscribe_visits(self) -> SubscriptionResult:
        """Delivers arrivals and departures at places where the device stays."""
        return await self._call(SubscriptionResult, "visit.subscribe", {})

    async def pause(self) -> SubscriptionResult:
        """Pauses a position subscription and its need of the receiver until it is resumed."""
        return await self._call(SubscriptionResult, "subscription.pause", {})

    async def resume(self) -> SubscriptionResult:
        """Resumes a paused subscription."""
        return await self._call(SubscriptionResult, "subscription.resume", {})

    async def acquire(self) -> SubscriptionResult:
        """Makes a position subscription search for a fix now, in any mode."""
        return await self._call(SubscriptionResult, "subscription.acquire", {})

    async def flush(self) -> SubscriptionResult:
        """Makes a deferred subscription deliver what it has collected."""
        return await self._call(SubscriptionResult, "subscription.flush", {})


class BlockingPositionStream(BlockingStream[PositionUpdate]):
    """Positions, and commands to their subscription."""

    _asynchronous: PositionStream

    def change(
        self,
        *,
        mode: Union[UpdateMode, None, Unchanged] = UNCHANGED,
        accuracy: Union[Union[AccuracyLevel, float], None, Unchanged] = UNCHANGED,
        min_interval: Union[float, None, Unchanged] = UNCHANGED,
        min_distance: Union[float, None, Unchanged] = UNCHANGED,
        max_interval: Union[float, None, Unchanged] = UNCHANGED,
        only_better_than: Union[float, None, Unchanged] = UNCHANGED,
        integrity: Union[IntegrityDemand, None, Unchanged] = UNCHANGED,
        max_updates: Union[int, None, Unchanged] = UNCHANGED,
        duration: Union[float, None, Unchanged] = UNCHANGED,
        deferred_distance: Union[float, None, Unchanged] = UNCHANGED,
        deferred_timeout: Union[float, None, Unchanged] = UNCHANGED,
        significant_distance: Union[float, None, Unchanged] = UNCHANGED,
        significant_interval: Union[float, None, Unchanged] = UNCHANGED,
        acquire: Union[Acquire, None, Unchanged] = UNCHANGED,
        activity: Union[Activity, None, Unchanged] = UNCHANGED,
        auto_pause: Union[bool, None, Unchanged] = UNCHANGED,
    ) -> SubscriptionResult:
        """Changes a subscription's parameters; absent ones stay the same, null resets one to its default.

        Args:
            mode: Which fixes are delivered: each one (`continuous`), one far from the last (`significant`), what
                others need (`passive`), or many at once (`deferred`).
            accuracy: The accuracy requested of the receiver: a level, or metres; it does not filter fixes.
            min_interval: The least time between two deliveries, in seconds.
            min_distance: The least distance from the last delivered fix, in metres.
            max_interval: Seconds without a delivery after which the newest fix is delivered again.
            only_better_than: Metres: fixes with a larger or unknown accuracy are not delivered.
            integrity: Delivers fixes for which evidence speaks (`trusted`), all but untrusted ones (`suspect`), or
                `any`.
            max_updates: The number of updates with a fix after which the subscription ends.
            duration: Seconds after which it ends.
            deferred_distance: Metres along the path after which a batch is delivered; mode deferred.
            deferred_timeout: Seconds after its first fix at which a batch is delivered; mode deferred.
            significant_distance: Metres from the last delivery that make a change significant; mode significant.
            significant_interval: The least time between two significant changes, in seconds; mode significant.
            acquire: Searches for a good fix after each significant change; mode significant.
            activity: What moves the device.
            auto_pause: Pauses delivery while the device rests.
        """
        return self._wait(self._asynchronous.change(mode=mode, accuracy=accuracy, min_interval=min_interval,
            min_distance=min_distance, max_interval=max_interval, only_better_than=only_better_than,
            integrity=integrity, max_updates=max_updates, duration=duration, deferred_distance=deferred_distance,
            deferred_timeout=deferred_timeout, significant_distance=significant_distance,
            significant_interval=significant_interval, acquire=acquire, activity=activity, auto_pause=auto_pause))

    def pause(self) -> SubscriptionResult:
        """Pauses a position subscription and its need of the receiver until it is resumed."""
        return self._wait(self._asynchronous.pause())

    def resume(self) -> SubscriptionResult:
        """Resumes a paused subscription."""
        return self._wait(self._asynchronous.resume())

    def acquire(self) -> SubscriptionResult:
        """Makes a position subscription search for a fix now, in any mode."""
        return self._wait(self._asynchronous.acquire())

    def flush(self) -> SubscriptionResult:
        """Makes a deferred subscription deliver what it has collected."""
        return self._wait(self._asynchronous.flush())


class BlockingMethods(Waits[AsyncMethods]):
    """The methods of `Client` that are the protocol's."""

    def position(
        self,
        *,
        accuracy: Optional[Union[AccuracyLevel, float]] = None,
        acceptable_accuracy: Optional[Union[AccuracyLevel, float]] = None,
        max_age: Optional[float] = None,
        timeout: Optional[float] = None,
        activity: Optional[Activity] = None,
        integrity: Optional[IntegrityDemand] = None,
        delay_until_authorized: Optional[bool] = None,
    ) -> PositionGetResult:
        """Gets one fix: at once if a cached one is good enough, else within the timeout.

        Args:
            accuracy: The desired accuracy: a level, or metres (default: block).
            acceptable_accuracy: The accuracy that is accepted at the timeout: a level, or metres; if absent, the
                desired one.
            max_age: The greatest age of the fix in seconds; if absent, that of the accuracy's level.
            timeout: Seconds to wait; 0 means as long as the daemon allows (default: 30).
            activity: What moves the device (default: other).
            integrity: The least integrity of the fix: one for which evidence speaks (`trusted`), all but untrusted
                ones (`suspect`), or `any` (default: suspect).
            delay_until_authorized: Starts the timeout only once the client's permission is decided (default: False).
        """
        return self._wait(self._asynchronous.position(accuracy=accuracy, acceptable_accuracy=acceptable_accuracy,
            max_age=max_age, timeout=timeout, activity=activity, integrity=integrity,
            delay_until_authorized=delay_until_authorized))

    def last(self) -> PositionLastResult:
        """Returns the newest fix, and never turns the receiver on."""
        return self._wait(self._asynchronous.last())

    def heading(
        self,
        *,
        max_age: Optional[float] = None,
        timeout: Optional[float] = None,
    ) -> HeadingGetResult:
        """Gets one heading: at once if a recent one is known, else within the timeout.

        Args:
            max_age: The greatest age of the heading in seconds (default: 5).
            timeout: Seconds to wait; 0 means as long as the daemon allows (default: 30).
        """
        return self._wait(self._asynchronous.heading(max_age=max_age, timeout=timeout))

    def sky(self) -> Sky:
        """Returns the satellites that the receiver saw last."""
        return self._wait(self._asynchronous.sky())

    def time(self) -> TimeGetResult:
        """Returns the receiver's time, and what is known of this machine's clock."""
        return self._wait(self._asynchronous.time())

    def status(self) -> Status:
        """Returns the status of the daemon and its receiver."""
        return self._wait(self._asynchronous.status())

    def authorization(self) -> Authorization:
        """Returns what the client may know."""
        return self._wait(self._asynchronous.authorization())

    def request_authorization(
        self,
        *,
        level: Optional[AuthorizationLevel] = None,
        precision: Optional[Precision] = None,
        force: Optional[bool] = None,
    ) -> Authorization:
        """Requests permission: a person is asked if no rule decides and an agent is attached.

        Args:
            level: While connected, or also for durable registrations (default: whenInUse).
            precision: The requested precision: precise, or reduced to a few kilometres (default: precise).
            force: Asks again after a person answered no; a rule cannot be overridden (default: False).
        """
        return self._wait(self._asynchronous.request_authorization(level=level, precision=precision, force=force))

    def admin_clients(self) -> AdminClientsResult:
        """Lists the connected clients, what each may know and what it has open; for administrators."""
        return self._wait(self._asynchronous.admin_clients())

    def admin_grants(self) -> AdminGrantsResult:
        """Lists the decisions of persons and administrators; for administrators."""
        return self._wait(self._asynchronous.admin_grants())

    def admin_grant(
        self,
        user: Union[str, int],
        level: GrantLevel,
        *,
        precision: Optional[Precision] = None,
    ) -> Grant:
        """Grants or denies a user permission, as the user's answer to a prompt would; for administrators.

        Args:
            user: The user's name or number.
            level: The level for all programs of the user.
            precision: How precisely they may know the position; not allowed with deny (default: precise).
        """
        return self._wait(self._asynchronous.admin_grant(user=user, level=level, precision=precision))

    def admin_revoke(
        self,
        user: Union[str, int],
    ) -> Grant:
        """Removes the decision for a user, who may then be asked again; for administrators.

        Args:
            user: The user's name or number.
        """
        return self._wait(self._asynchronous.admin_revoke(user=user))

    def admin_enable(self) -> EnabledResult:
        """Turns the master switch on; for administrators."""
        return self._wait(self._asynchronous.admin_enable())

    def admin_disable(self) -> EnabledResult:
        """Turns the master switch off: nobody gets a position until it is on again; for administrators."""
        return self._wait(self._asynchronous.admin_disable())

    def positions(
        self,
        *,
        mode: Optional[UpdateMode] = None,
        accuracy: Optional[Union[AccuracyLevel, float]] = None,
        min_interval: Optional[float] = None,
        min_distance: Optional[float] = None,
        max_interval: Optional[float] = None,
        only_better_than: Optional[float] = None,
        integrity: Optional[IntegrityDemand] = None,
        max_updates: Optional[int] = None,
        duration: Optional[float] = None,
        deferred_distance: Optional[float] = None,
        deferred_timeout: Optional[float] = None,
        significant_distance: Optional[float] = None,
        significant_interval: Optional[float] = None,
        acquire: Optional[Acquire] = None,
        activity: Optional[Activity] = None,
        auto_pause: Optional[bool] = None,
        replay: Optional[Replay] = None,
    ) -> BlockingPositionStream:
        """Delivers fixes as they arrive, until it is cancelled, expires or the connection ends.

        Args:
            mode: Which fixes are delivered: each one (`continuous`), one far from the last (`significant`), what
                others need (`passive`), or many at once (`deferred`) (default: continuous).
            accuracy: The accuracy requested of the receiver: a level, or metres; it does not filter fixes (default:
                room).
            min_interval: The least time between two deliveries, in seconds (default: 1).
            min_distance: The least distance from the last delivered fix, in metres (default: 0).
            max_interval: Seconds without a delivery after which the newest fix is delivered again.
            only_better_than: Metres: fixes with a larger or unknown accuracy are not delivered.
            integrity: Delivers fixes for which evidence speaks (`trusted`), all but untrusted ones (`suspect`), or
                `any` (default: suspect).
            max_updates: The number of updates with a fix after which the subscription ends.
            duration: Seconds after which it ends.
            deferred_distance: Metres along the path after which a batch is delivered; mode deferred.
            deferred_timeout: Seconds after its first fix at which a batch is delivered; mode deferred.
            significant_distance: Metres from the last delivery that make a change significant; mode significant
                (default: 500).
            significant_interval: The least time between two significant changes, in seconds; mode significant
                (default: 300).
            acquire: Searches for a good fix after each significant change; mode significant.
            activity: What moves the device (default: other).
            auto_pause: Pauses delivery while the device rests (default: False).
            replay: Whether a cached fix is delivered first: a fresh one, any, or none (default: fresh).
        """
        return BlockingPositionStream(self._asynchronous.positions(mode=mode, accuracy=accuracy,
            min_interval=min_interval, min_distance=min_distance, max_interval=max_interval,
            only_better_than=only_better_than, integrity=integrity, max_updates=max_updates, duration=duration,
            deferred_distance=deferred_distance, deferred_timeout=deferred_timeout,
            significant_distance=significant_distance, significant_interval=significant_interval, acquire=acquire,
            activity=activity, auto_pause=auto_pause, replay=replay), self._wait)

    def headings(
        self,
        *,
        min_change: Optional[float] = None,
        min_interval: Optional[float] = None,
        max_interval: Optional[float] = None,
    ) -> BlockingStream[HeadingUpdate]:
        """Delivers headings as they change, and turns the receiver on.

        Args:
            min_change: The least angle in degrees from the last delivered heading (default: 1).
            min_interval: Seconds between two deliveries (default: 0).
            max_interval: Seconds without a delivery after which the newest heading is delivered again.
        """
        return BlockingStream[HeadingUpdate](self._asynchronous.headings(min_change=min_change,
            min_interval=min_interval, max_interval=max_interval), self._wait)

    def sky_updates(
        self,
        *,
        min_interval: Optional[float] = None,
        passive: Optional[bool] = None,
    ) -> BlockingStream[SkyUpdate]:
        """Delivers the satellites that the receiver sees, and turns it on unless it is passive.

        Args:
            min_interval: Seconds between two deliveries (default: 1).
            passive: Whether it never turns the receiver on: it only delivers what comes for others.
        """
        return BlockingStream[SkyUpdate](self._asynchronous.sky_updates(min_interval=min_interval, passive=passive),
            self._wait)

    def visits(self) -> BlockingStream[VisitUpdate]:
        """Delivers arrivals and departures at places where the device stays."""
        return BlockingStream[VisitUpdate](self._asynchronous.visits(), self._wait)

    def status_updates(self) -> BlockingStream[StatusUpdate]:
        """Delivers the status whenever it changes."""
        return BlockingStream[StatusUpdate](self._asynchronous.status_updates(), self._wait)


class BlockingDurableMethods(Waits[DurableMethods]):
    """What is registered under a durable name."""

    def subscribe_positions(
        self,
        *,
        mode: Optional[UpdateMode] = None,
        accuracy: Optional[Union[AccuracyLevel, float]] = None,
        min_interval: Optional[float] = None,
        min_distance: Optional[float] = None,
        max_interval: Optional[float] = None,
        only_better_than: Optional[float] = None,
        integrity: Optional[IntegrityDemand] = None,
        max_updates: Optional[int] = None,
        duration: Optional[float] = None,
        deferred_distance: Optional[float] = None,
        deferred_timeout: Optional[float] = None,
        significant_distance: Optional[float] = None,
        significant_interval: Optional[float] = None,
        acquire: Optional[Acquire] = None,
        activity: Optional[Activity] = None,
        auto_pause: Optional[bool] = None,
        replay: Optional[Replay] = None,
    ) -> SubscriptionResult:
        """Delivers fixes as they arrive, until it is cancelled, expires or the connection ends.

        Args:
            mode: Which fixes are delivered: each one (`continuous`), one far from the last (`significant`), what
                others need (`passive`), or many at once (`deferred`) (default: continuous).
            accuracy: The accuracy requested of the receiver: a level, or metres; it does not filter fixes (default:
                room).
            min_interval: The least time between two deliveries, in seconds (default: 1).
            min_distance: The least distance from the last delivered fix, in metres (default: 0).
            max_interval: Seconds without a delivery after which the newest fix is delivered again.
            only_better_than: Metres: fixes with a larger or unknown accuracy are not delivered.
            integrity: Delivers fixes for which evidence speaks (`trusted`), all but untrusted ones (`suspect`), or
                `any` (default: suspect).
            max_updates: The number of updates with a fix after which the subscription ends.
            duration: Seconds after which it ends.
            deferred_distance: Metres along the path after which a batch is delivered; mode deferred.
            deferred_timeout: Seconds after its first fix at which a batch is delivered; mode deferred.
            significant_distance: Metres from the last delivery that make a change significant; mode significant
                (default: 500).
            significant_interval: The least time between two significant changes, in seconds; mode significant
                (default: 300).
            acquire: Searches for a good fix after each significant change; mode significant.
            activity: What moves the device (default: other).
            auto_pause: Pauses delivery while the device rests (default: False).
            replay: Whether a cached fix is delivered first: a fresh one, any, or none (default: fresh).
        """
        return self._wait(self._asynchronous.subscribe_positions(mode=mode, accuracy=accuracy,
            min_interval=min_interval, min_distance=min_distance, max_interval=max_interval,
            only_better_than=only_better_than, integrity=integrity, max_updates=max_updates, duration=duration,
            deferred_distance=deferred_distance, deferred_timeout=deferred_timeout,
            significant_distance=significant_distance, significant_interval=significant_interval, acquire=acquire,
            activity=activity, auto_pause=auto_pause, replay=replay))

    def subscribe_visits(self) -> SubscriptionResult:
        """Delivers arrivals and departures at places where the device stays."""
        return self._wait(self._asynchronous.subscribe_visits())

    def pause(self) -> SubscriptionResult:
        """Pauses a position subscription and its need of the receiver until it is resumed."""
        return self._wait(self._asynchronous.pause())

    def resume(self) -> SubscriptionResult:
        """Resumes a paused subscription."""
        return self._wait(self._asynchronous.resume())

    def acquire(self) -> SubscriptionResult:
        """Makes a position subscription search for a fix now, in any mode."""
        return self._wait(self._asynchronous.acquire())

    def flush(self) -> SubscriptionResult:
        """Makes a deferred subscription deliver what it has collected."""
        return self._wait(self._asynchronous.flush())
