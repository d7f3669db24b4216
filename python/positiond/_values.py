"""The values of the protocol, written by scripts/write-python from the daemon's OpenRPC document."""


from dataclasses import dataclass
from datetime import datetime
from typing import Dict, List, Literal, Optional, Union


AccuracyLevel = Literal["city", "neighborhood", "block", "house", "room"]


Availability = Literal["available", "untrusted", "searching", "stale", "lost", "accuracyLimited", "poweredDown",
    "receiverMissing", "gpsdFull", "gpsdDown", "denied", "unknown"]


FixMode = Literal["2d", "3d"]


PowerState = Literal["on", "released", "off", "turningOn", "turningOff", "unknown"]


Problem = Literal["repeating", "late", "noAccuracy", "antennaShort", "antennaOpen"]


@dataclass(frozen=True)
class Diagnostics:
    """Diagnostics."""

    #: Why there is or is not a fresh fix.
    availability: Availability
    #: What is known of the receiver's power.
    power: PowerState
    #: The state of the receiver and gpsd in words, if there is something to say.
    detail: Optional[str] = None
    #: Seconds by which positions arrive later than the receiver's best ones; absent up to 2 s.
    lag: Optional[float] = None
    #: Seconds since the newest fix.
    last_fix_age: Optional[float] = None
    #: How many dimensions the receiver solves for; absent without a fix.
    mode: Optional[FixMode] = None
    #: What is wrong with the receiver's reports; absent if nothing is.
    problem: Optional[Problem] = None
    #: The receiver's path.
    receiver: Optional[str] = None
    #: How many satellites the receiver sees.
    satellites_seen: Optional[int] = None
    #: How many of them its solution uses.
    satellites_used: Optional[int] = None


Integrity = Literal["trusted", "suspect", "untrusted"]


IntegrityReason = Literal["jamming", "spoofing", "time", "speed", "signal", "stuck", "disagreement"]


FixStatus = Literal["gnss", "dgnss", "rtkFixed", "rtkFloat", "deadReckoning", "combined", "surveyed", "simulated"]


@dataclass(frozen=True)
class Fix:
    """Fix."""

    #: Seconds since the arrival when this was sent, and the lag.
    age: float
    #: When the receiver's report arrived: seconds on CLOCK_BOOTTIME, for programs on the same machine.
    arrival: float
    #: Degrees north, WGS 84.
    latitude: float
    #: Degrees east, WGS 84.
    longitude: float
    #: How many dimensions the receiver solved for.
    mode: FixMode
    #: What kind of solution it is.
    status: FixStatus
    #: Metres above mean sea level.
    altitude: Optional[float] = None
    #: The direction of movement in degrees from true north.
    course: Optional[float] = None
    #: Degrees.
    course_accuracy: Optional[float] = None
    #: The receiver's path as gpsd knows it.
    device: Optional[str] = None
    #: Metres above the WGS 84 ellipsoid.
    ellipsoidal_altitude: Optional[float] = None
    #: Metres: the position lies within this radius with a probability of 68 %.
    horizontal_accuracy: Optional[float] = None
    #: Metres: the radius of 95 % probability.
    horizontal_accuracy95: Optional[float] = None
    #: Whether it can be trusted; absent if nothing speaks for or against it.
    integrity: Optional[Integrity] = None
    #: What speaks against it; absent if nothing does.
    integrity_reasons: Optional[List[IntegrityReason]] = None
    #: Seconds by which it arrived later than the receiver's best ones; absent up to 2 s.
    lag: Optional[float] = None
    #: True if the position is reduced because of the client's permission; else absent.
    reduced: Optional[bool] = None
    #: How many satellites the solution uses.
    satellites_used: Optional[int] = None
    #: Metres per second over ground.
    speed: Optional[float] = None
    #: Metres per second.
    speed_accuracy: Optional[float] = None
    #: The receiver's own time. It does not show how fresh the fix is: receivers are wrong by minutes or decades.
    time: Optional[datetime] = None
    #: Metres: the altitude is that close with a probability of 68 %.
    vertical_accuracy: Optional[float] = None


ResultStatus = Literal["success", "timedOut"]


@dataclass(frozen=True)
class PositionGetResult:
    """Position get result."""

    #: Why there is no better answer.
    diagnostics: Diagnostics
    #: Seconds that the request took.
    elapsed: float
    #: Whether the fix is older than the request.
    from_cache: bool
    #: Whether the fix has the desired accuracy.
    satisfied: bool
    #: Whether there is an acceptable fix.
    status: ResultStatus
    #: The finest level that the fix reaches.
    achieved_accuracy: Optional[AccuracyLevel] = None
    #: The best fix; absent if none is young enough.
    fix: Optional[Fix] = None


@dataclass(frozen=True)
class PositionLastResult:
    """Position last result."""

    #: Why there is or is not a fresh fix.
    availability: Availability
    #: The finest level that it reaches.
    achieved_accuracy: Optional[AccuracyLevel] = None
    #: The newest fix, however old.
    fix: Optional[Fix] = None


HeadingSource = Literal["sensor", "course"]


@dataclass(frozen=True)
class Heading:
    """Heading."""

    #: Seconds since the arrival when this was sent.
    age: float
    #: When the report arrived: seconds on CLOCK_BOOTTIME, for programs on the same machine.
    arrival: float
    #: Where the heading comes from.
    source: HeadingSource
    #: Degrees: the heading is that close with a probability of 68 %.
    accuracy: Optional[float] = None
    #: Degrees from magnetic north.
    magnetic_heading: Optional[float] = None
    #: The receiver's own time, if it reported one.
    time: Optional[datetime] = None
    #: Degrees from true north.
    true_heading: Optional[float] = None


@dataclass(frozen=True)
class HeadingGetResult:
    """Heading get result."""

    #: Whether there is a heading.
    status: ResultStatus
    #: The heading; absent if none arrived in time.
    heading: Optional[Heading] = None


Constellation = Literal["gps", "sbas", "galileo", "beidou", "imes", "qzss", "glonass", "navic", "unknown"]


@dataclass(frozen=True)
class Satellite:
    """Satellite."""

    #: The satellite navigation system.
    constellation: Constellation
    #: The satellite's number within its constellation.
    svid: int
    #: Whether the fix uses it.
    used: bool
    #: Degrees from true north.
    azimuth: Optional[float] = None
    #: Degrees above the horizon.
    elevation: Optional[float] = None
    #: Carrier to noise density in dBHz.
    snr: Optional[float] = None


@dataclass(frozen=True)
class Sky:
    """Sky."""

    #: Seconds since the receiver's report arrived; absent if there was none.
    age: Optional[float] = None
    #: Horizontal dilution of precision.
    hdop: Optional[float] = None
    #: Dilution of precision of the position.
    pdop: Optional[float] = None
    #: The satellites; absent if the receiver has not reported them.
    satellites: Optional[List[Satellite]] = None
    #: Vertical dilution of precision.
    vdop: Optional[float] = None


@dataclass(frozen=True)
class Clock:
    """Clock."""

    #: Seconds since it was asked.
    age: float
    #: Seconds by which its time is ahead of this machine's clock.
    correction: float
    #: By how much that grows each second.
    drift: float
    #: Seconds since it last learned the time.
    updated_age: float
    #: Seconds by which its time was wrong at most when it was asked; absent: it has none.
    error: Optional[float] = None
    #: The clock or the server that chrony follows; absent: none.
    reference: Optional[str] = None
    #: True if that is a clock of this machine; else absent.
    reference_clock: Optional[bool] = None


@dataclass(frozen=True)
class TimeGetResultReceiver:
    """The time in the receiver's newest fix; absent without one, or without precise permission."""

    #: Seconds since the arrival when this was sent.
    age: float
    #: Seconds by which the receiver's time was ahead of that.
    difference: float
    #: When its report arrived, less its lag, by this machine's clock.
    system: datetime
    #: The receiver's time.
    time: datetime
    #: Seconds by which it may really have been more.
    uncertainty: float


@dataclass(frozen=True)
class TimeGetResult:
    """Time get result."""

    #: What chrony said of this machine's clock; absent if it did not answer.
    clock: Optional[Clock] = None
    #: The time in the receiver's newest fix; absent without one, or without precise permission.
    receiver: Optional[TimeGetResultReceiver] = None


@dataclass(frozen=True)
class KeptClock:
    """Kept clock."""

    #: What chrony said of it; absent if it did not answer.
    figure: Optional[Clock] = None
    #: Seconds by which it may become wrong; absent: the receiver is not turned on for it.
    keep: Optional[float] = None
    #: True if it needs the receiver now; else absent.
    needed: Optional[bool] = None
    #: Why it is not kept; absent if it is.
    problem: Optional[str] = None


Activity = Literal["other", "automotive", "fitness", "otherNavigation", "airborne"]


@dataclass(frozen=True)
class Principal:
    """Principal."""

    #: The numbers of the groups, the primary one first.
    groups: List[int]
    #: The user's number.
    uid: int
    #: The program's own name for itself, or the durable name. (a string of at most 64 bytes)
    name: Optional[str] = None
    #: The process that connected; a durable name has none.
    pid: Optional[int] = None
    #: What the program claims to need positions for. (a string of at most 256 bytes)
    purpose: Optional[str] = None
    #: The user of the client that speaks for this one, if one does; "pid" is then that client's.
    relay: Optional[int] = None
    #: The process's own number, if that is a subordinate one of the user.
    subordinate: Optional[int] = None
    #: The systemd unit, if it is certain.
    unit: Optional[str] = None
    #: The user's name, if the system has one.
    user: Optional[str] = None


@dataclass(frozen=True)
class DemandingClient:
    """Demanding client."""

    #: Metres.
    accuracy: float
    #: What moves the device.
    activity: Activity
    #: Seconds between two fixes.
    interval: float
    #: The client.
    principal: Principal
    #: The method.
    what: str
    #: True if this request determines the demand; else absent.
    decisive: Optional[bool] = None


@dataclass(frozen=True)
class StatusDemand:
    """Why the receiver is on; absent if nobody needs it."""

    #: Metres.
    accuracy: float
    #: What moves the device.
    activity: Activity
    #: Seconds between two fixes.
    interval: float
    #: The requests, if the client may know them; decisive ones first, at most 64.
    clients: Optional[List[DemandingClient]] = None
    #: How many requests are not listed; absent if all are.
    omitted: Optional[int] = None


GpsdState = Literal["idle", "opening", "streaming", "receiverMissing", "gpsdFull", "gpsdDown"]


@dataclass(frozen=True)
class StatusGpsd:
    """The connection to gpsd."""

    #: Its state.
    state: GpsdState
    #: Where the daemon expects it.
    address: Optional[str] = None
    #: Details about the state, if there are any.
    detail: Optional[str] = None
    #: How often the daemon has reconnected since it started.
    reconnects: Optional[int] = None
    #: The release of gpsd.
    version: Optional[str] = None


@dataclass(frozen=True)
class InUse:
    """In use."""

    #: The programs' own names for themselves, each once.
    programs: List[str]
    #: Since when.
    since: datetime
    #: The user's number.
    uid: int
    #: The systemd unit, if it is certain.
    unit: Optional[str] = None
    #: The user's name, if the system has one.
    user: Optional[str] = None


Part = Literal["receiver", "store"]


@dataclass(frozen=True)
class StatusLastError:
    """The last error; absent once the part that failed works again."""

    #: In words.
    message: str
    #: When.
    time: datetime
    #: What failed; absent from older daemons.
    part: Optional[Part] = None


AccuracySource = Literal["standardDeviations", "earlierDeviations", "receiver", "nominal95", "dilution", "assumed",
    "vague"]


@dataclass(frozen=True)
class StatusLastFix:
    """The newest fix."""

    #: Seconds since it arrived, and its lag.
    age: float
    #: Where its horizontal accuracy comes from; absent if none was reported.
    accuracy_source: Optional[AccuracySource] = None
    #: The finest level that it reaches.
    level: Optional[AccuracyLevel] = None


Assistance = Literal["time", "position", "orbits", "predictedOrbits"]


@dataclass(frozen=True)
class StatusPowerAssist:
    """What the receiver was given at its last start so that it finds itself sooner; absent if nothing was to be given.
    """

    #: When.
    time: datetime
    #: What it was given; absent if nothing was.
    given: Optional[List[Assistance]] = None
    #: Why it was not given all; absent if it was.
    problem: Optional[str] = None


@dataclass(frozen=True)
class StatusPowerDutyCycle:
    """The share of the time that the receiver was on."""

    #: In the last day.
    day: float
    #: In the last hour.
    hour: float


StartReason = Literal["due", "retry", "keepHot"]


@dataclass(frozen=True)
class StatusPowerNextStart:
    """When the receiver is turned on next; absent if nothing is due."""

    #: When it is turned on.
    at: datetime
    #: `due`: a fix is due; `retry`: the last search was without a fix; `keepHot`: so that a later start is quick.
    reason: StartReason
    #: When a fix is due.
    due: Optional[datetime] = None
    #: The method that needs it, or `clock`.
    what: Optional[str] = None


@dataclass(frozen=True)
class StatusPowerPeriod:
    """Status power period."""

    #: When it was turned on.
    from_: datetime
    #: When it was turned off; absent while it is on.
    until: Optional[datetime] = None


Rung = Literal["watch", "ublox", "mtk", "unit"]


Saving = Literal["full", "balanced", "oneHertz", "impossible"]


@dataclass(frozen=True)
class StatusPowerStarts:
    """How often the receiver was started."""

    #: In all.
    total: int


@dataclass(frozen=True)
class StartTimes:
    """After longer; absent if there was no such start."""

    #: How many starts are known.
    count: int
    #: Seconds on average.
    mean: float
    #: Seconds within which 99.5 % of them have a fix.
    most: float


@dataclass(frozen=True)
class StatusPowerTimeToFirstFix:
    """How long its starts take, by how long it was off before."""

    #: After longer; absent if there was no such start.
    cold: Optional[StartTimes] = None
    #: After less than 2 hours off; absent if there was no such start.
    hot: Optional[StartTimes] = None
    #: Seconds of the last start, since the daemon started.
    last: Optional[float] = None
    #: After less than 4 hours off; absent if there was no such start.
    warm: Optional[StartTimes] = None


@dataclass(frozen=True)
class StatusPower:
    """Its power."""

    #: The share of the time that the receiver was on.
    duty_cycle: StatusPowerDutyCycle
    #: Seconds that the receiver was on since the daemon started.
    on_seconds: float
    #: How the receiver is turned off and on; not as configured, where that failed.
    rung: Rung
    #: Since when.
    since: datetime
    #: How often the receiver was started.
    starts: StatusPowerStarts
    #: The receiver's power, as far as it is known.
    state: PowerState
    #: What the receiver was given at its last start so that it finds itself sooner; absent if nothing was to be given.
    assist: Optional[StatusPowerAssist] = None
    #: When the receiver is turned on next; absent if nothing is due.
    next_start: Optional[StatusPowerNextStart] = None
    #: When the receiver was on last, the oldest first; at most 32 times.
    periods: Optional[List[StatusPowerPeriod]] = None
    #: What keeps the receiver from being turned off as configured; absent if nothing does.
    problem: Optional[str] = None
    #: How it works while it is on, as it confirmed; absent if it is not to save power.
    saving: Optional[Saving] = None
    #: How long its starts take, by how long it was off before.
    time_to_first_fix: Optional[StatusPowerTimeToFirstFix] = None
    #: How the state was verified; absent if it was not.
    verified_by: Optional[str] = None


@dataclass(frozen=True)
class StatusReceiver:
    """The receiver."""

    #: Why there is or is not a fresh fix.
    availability: Availability
    #: Since when.
    since: datetime
    #: The receiver's path; absent if gpsd does not have it.
    device: Optional[str] = None
    #: The receiver's type according to gpsd.
    driver: Optional[str] = None
    #: Whether its fixes can be trusted; absent if nothing speaks for or against them.
    integrity: Optional[Integrity] = None
    #: What speaks against them; absent if nothing does.
    integrity_reasons: Optional[List[IntegrityReason]] = None
    #: Seconds by which its positions arrive later than its best ones; absent up to 2 s.
    lag: Optional[float] = None
    #: What is wrong with its reports; absent if nothing is.
    problem: Optional[Problem] = None


@dataclass(frozen=True)
class StatusReports:
    """The receiver's reports by result."""

    #: Reports that became a fix.
    fixes: int
    #: Reports with a position, or without one.
    received: int
    #: Reports that did not, by reason.
    rejected: Dict[str, int]


@dataclass(frozen=True)
class Status:
    """Status."""

    #: Connections.
    clients: int
    #: The connection to gpsd.
    gpsd: StatusGpsd
    #: Its power.
    power: StatusPower
    #: The receiver.
    receiver: StatusReceiver
    #: The receiver's reports by result.
    reports: StatusReports
    #: Requests in flight.
    requests: int
    #: Subscriptions.
    subscriptions: int
    #: Seconds since it started.
    uptime: float
    #: The daemon's version.
    version: str
    #: Whether this machine's clock is kept right; absent if nothing is known of it.
    clock: Optional[KeptClock] = None
    #: Why the receiver is on; absent if nobody needs it.
    demand: Optional[StatusDemand] = None
    #: Calls that were refused for want of permission, since it started.
    denials: Optional[int] = None
    #: The users whose programs get positions, as far as the client may know; at most 64.
    in_use: Optional[List[InUse]] = None
    #: The last error; absent once the part that failed works again.
    last_error: Optional[StatusLastError] = None
    #: The newest fix.
    last_fix: Optional[StatusLastFix] = None


Precision = Literal["precise", "reduced"]


AuthorizationState = Literal["notDetermined", "denied", "restricted", "disabled", "whenInUse", "always"]


@dataclass(frozen=True)
class Authorization:
    """Authorization."""

    #: How precisely the client may know the position.
    precision: Precision
    #: Whether, and when, the client may know the position.
    state: AuthorizationState
    #: Who can grant more, and how; absent if everything is granted.
    remedy: Optional[str] = None
    #: The rule that decided.
    rule: Optional[str] = None


@dataclass(frozen=True)
class ConnectedClient:
    """Connected client."""

    #: What it may know.
    authorization: Authorization
    #: Who the client is.
    principal: Principal
    #: The client's regions that end with the connection.
    regions: int
    #: The client's requests in flight.
    requests: int
    #: The client's subscriptions.
    subscriptions: int


@dataclass(frozen=True)
class AdminClientsResult:
    """Admin clients result."""

    #: In the order in which they connected.
    clients: List[ConnectedClient]
    #: How many are not listed; absent if all are.
    omitted: Optional[int] = None


GrantLevel = Literal["deny", "whenInUse", "always"]


@dataclass(frozen=True)
class Grant:
    """Grant."""

    #: The level that the programs have.
    level: GrantLevel
    #: When it was decided.
    time: datetime
    #: The user's number.
    uid: int
    #: The user's name at the time of the decision, which holds only for this number and name together.
    user: str
    #: How precisely they may know the position; absent with deny.
    precision: Optional[Precision] = None
    #: False if it applies but is not stored yet because of an error: a restart may undo it until then; else absent.
    stored: Optional[bool] = None


@dataclass(frozen=True)
class AdminGrantsResult:
    """Admin grants result."""

    #: In the order of the users' numbers.
    grants: List[Grant]
    #: How many are not listed; absent if all are.
    omitted: Optional[int] = None


@dataclass(frozen=True)
class EnabledResult:
    """Enabled result."""

    #: Whether the master switch is on; the configuration can keep it off.
    enabled: bool
    #: False if it applies but is not stored yet because of an error: a restart may undo it until then; else absent.
    stored: Optional[bool] = None
    #: Why earlier decisions cannot be read, if the switch was off for that reason: denials from then no longer apply
    #: and must be repeated. Absent if they could be read.
    unread: Optional[str] = None


IntegrityDemand = Literal["trusted", "suspect", "any"]


AuthorizationLevel = Literal["whenInUse", "always"]


UpdateMode = Literal["continuous", "significant", "passive", "deferred"]


@dataclass(frozen=True)
class Acquire:
    """Searches for a good fix after each significant change; mode significant."""

    #: Metres within which the best fix is delivered when the budget ends.
    acceptable_accuracy: Optional[float] = None
    #: Seconds of the search from the receiver's first fix on, at most.
    budget: Optional[float] = None
    #: Metres: a fix of this accuracy ends the search at once.
    desired_accuracy: Optional[float] = None


Replay = Literal["fresh", "any", "none"]


@dataclass(frozen=True)
class Circle:
    """A circle: its centre and its radius."""

    #: Degrees north, WGS 84.
    latitude: float
    #: Degrees east, WGS 84.
    longitude: float
    #: Metres.
    radius: float


RequestedEvent = Literal["enter", "exit", "dwell", "crossed"]


InitialReport = Literal["none", "ifInside", "always"]


@dataclass(frozen=True)
class Region:
    """A region to watch: a circle or a polygon."""

    #: The id: 1 to 128 bytes without control characters.
    id: str
    #: A circle: its centre and its radius.
    circle: Optional[Circle] = None
    #: The corners of a polygon, each a latitude and a longitude; the last is joined with the first.
    polygon: Optional[List[List[float]]] = None
    #: The events to report, in addition to `expired`.
    notify: Optional[List[RequestedEvent]] = None
    #: Seconds inside after which `dwell` is reported.
    dwell_time: Optional[float] = None
    #: Seconds by which an event may be late, so that the receiver can sleep.
    latency: Optional[float] = None
    #: Seconds after which it ends.
    expires_in: Optional[float] = None
    #: Whether the initial state is reported, although nothing was entered or left.
    initial: Optional[InitialReport] = None


@dataclass(frozen=True)
class Limits:
    """Limits."""

    #: Messages in one batch.
    batch: int
    #: Bytes of one message to the daemon.
    frame: int
    #: The longest time in seconds that a request may wait.
    max_request_time: float
    #: Requests in flight on one connection.
    requests: int
    #: Subscriptions on one connection.
    subscriptions: int
    #: The most events that wait under one durable name; beyond it the oldest are dropped.
    inbox_events: Optional[int] = None
    #: Durable names of one user.
    names: Optional[int] = None
    #: Regions of one user.
    regions: Optional[int] = None


@dataclass(frozen=True)
class SessionServer:
    """The program that answers."""

    #: Its name.
    name: str
    #: Its version.
    version: str


@dataclass(frozen=True)
class Session:
    """Session."""

    #: What it may know.
    authorization: Authorization
    #: The daemon's features beyond the protocol's first version.
    capabilities: List[str]
    #: The client's limits.
    limits: Limits
    #: Who the client is.
    principal: Principal
    #: The protocol's version; a major version is only ever extended.
    protocol: str
    #: The program that answers.
    server: SessionServer


RegionState = Literal["unknown", "inside", "outside"]


@dataclass(frozen=True)
class RegionResult:
    """Region result."""

    #: Where the device is, as decided by the fixes.
    state: RegionState
    #: A warning about the accepted region.
    warning: Optional[str] = None


@dataclass(frozen=True)
class WatchedRegion:
    """Watched region."""

    #: The id: 1 to 128 bytes without control characters. (a string of at most 128 bytes)
    id: str
    #: Where the device is, as decided by the fixes.
    state: RegionState
    #: A circle: its centre and its radius.
    circle: Optional[Circle] = None
    #: Seconds inside after which `dwell` is reported.
    dwell_time: Optional[float] = None
    #: Seconds after which it ends.
    expires_in: Optional[float] = None
    #: Whether the initial state is reported, although nothing was entered or left.
    initial: Optional[InitialReport] = None
    #: Seconds by which an event may be late, so that the receiver can sleep.
    latency: Optional[float] = None
    #: The events to report, in addition to `expired`.
    notify: Optional[List[RequestedEvent]] = None
    #: The corners of a polygon, each a latitude and a longitude; the last is joined with the first.
    polygon: Optional[List[List[float]]] = None
    #: Seconds until it ends; absent if it does not.
    remaining: Optional[float] = None
    #: Since when; absent while that is unknown.
    since: Optional[datetime] = None


@dataclass(frozen=True)
class RegionListResult:
    """Region list result."""

    #: In the order in which they were added; as many as fit into one answer.
    regions: List[WatchedRegion]
    #: How many more follow; absent if the list is complete.
    omitted: Optional[int] = None


@dataclass(frozen=True)
class PositionParameters:
    """The parameters of its position subscription; absent if it has none."""

    #: The accuracy requested of the receiver: a level, or metres; it does not filter fixes.
    accuracy: Optional[Union[AccuracyLevel, float]] = None
    #: Searches for a good fix after each significant change; mode significant.
    acquire: Optional[Acquire] = None
    #: What moves the device.
    activity: Optional[Activity] = None
    #: Pauses delivery while the device rests.
    auto_pause: Optional[bool] = None
    #: Metres along the path after which a batch is delivered; mode deferred.
    deferred_distance: Optional[float] = None
    #: Seconds after its first fix at which a batch is delivered; mode deferred.
    deferred_timeout: Optional[float] = None
    #: Seconds after which it ends.
    duration: Optional[float] = None
    #: Delivers fixes for which evidence speaks (`trusted`), all but untrusted ones (`suspect`), or `any`.
    integrity: Optional[IntegrityDemand] = None
    #: Seconds without a delivery after which the newest fix is delivered again.
    max_interval: Optional[float] = None
    #: The number of updates with a fix after which the subscription ends.
    max_updates: Optional[int] = None
    #: The least distance from the last delivered fix, in metres.
    min_distance: Optional[float] = None
    #: The least time between two deliveries, in seconds.
    min_interval: Optional[float] = None
    #: Which fixes are delivered: each one (`continuous`), one far from the last (`significant`), what others need
    #: (`passive`), or many at once (`deferred`).
    mode: Optional[UpdateMode] = None
    #: Metres: fixes with a larger or unknown accuracy are not delivered.
    only_better_than: Optional[float] = None
    #: Whether a cached fix is delivered first: a fresh one, any, or none.
    replay: Optional[Replay] = None
    #: Metres from the last delivery that make a change significant; mode significant.
    significant_distance: Optional[float] = None
    #: The least time between two significant changes, in seconds; mode significant.
    significant_interval: Optional[float] = None


@dataclass(frozen=True)
class Durable:
    """Durable."""

    #: Whether a client is attached.
    attached: bool
    #: The name.
    durable: str
    #: The number of the newest event; 0 before the first.
    last_event: int
    #: The regions in the order in which they were added; only the first if there are many.
    regions: List[WatchedRegion]
    #: Whether it has a subscription of visits.
    visits: bool
    #: How many events wait to be acknowledged.
    waiting: int
    #: How many regions are not listed; absent if all are.
    omitted: Optional[int] = None
    #: The parameters of its position subscription; absent if it has none.
    position: Optional[PositionParameters] = None
    #: The systemd unit that an event starts if no client is attached.
    wake: Optional[str] = None
    #: Why the unit could not be started the last time.
    wake_trouble: Optional[str] = None


@dataclass(frozen=True)
class DurableListResult:
    """Durable list result."""

    #: In alphabetical order.
    names: List[Durable]


SubscriptionState = Literal["waiting", "acquiring", "delivering", "paused", "suspended", "ended"]


@dataclass(frozen=True)
class SubscriptionResult:
    """Subscription result."""

    #: Why there is or is not a fresh fix.
    availability: Availability
    #: Its state.
    state: SubscriptionState
    #: The durable name to which it belongs.
    durable: Optional[str] = None
    #: The subscription's number on this connection; absent for a durable one.
    subscription: Optional[int] = None


@dataclass(frozen=True)
class AuthorizationChanged:
    """The client's authorization has changed; afterwards nothing is sent that only the old one allowed."""

    #: Whether, and when, the client may know the position.
    state: AuthorizationState
    #: How precisely the client may know the position.
    precision: Precision
    #: The authorization before.
    previous: Authorization
    #: The rule that decided.
    rule: Optional[str] = None
    #: Who can grant more, and how; absent if everything is granted.
    remedy: Optional[str] = None


@dataclass(frozen=True)
class AuthorizationPrompted:
    """A person is being asked whether this client may know the position."""

    #: The requested level: while connected, or also for durable registrations.
    level: AuthorizationLevel
    #: The requested precision.
    precision: Precision
    #: Seconds until the prompt ends.
    expires_in: float


@dataclass(frozen=True)
class PositionUpdate:
    """One delivery of a position subscription: a fix, a batch, or a change of its availability or state."""

    #: Its state.
    state: SubscriptionState
    #: Why there is or is not a fresh fix.
    availability: Availability
    #: The subscription's number on this connection; absent for a durable one.
    subscription: Optional[int] = None
    #: The durable name to which it belongs.
    durable: Optional[str] = None
    #: The number with which to acknowledge the event, if it is durable.
    event_id: Optional[int] = None
    #: The fix; absent for a batch, or if only availability or state changed.
    fix: Optional[Fix] = None
    #: A batch, oldest first.
    fixes: Optional[List[Fix]] = None
    #: The finest level that the fix reaches.
    achieved_accuracy: Optional[AccuracyLevel] = None
    #: Why availability or state changed, or why the batch is delivered now.
    reason: Optional[str] = None
    #: True if the fix is older than the subscription; else absent.
    replay: Optional[bool] = None
    #: True for a heartbeat, which repeats the last value because nothing new came; else absent.
    repeat: Optional[bool] = None
    #: How many fixes were dropped since the last delivery: the client did not read in time, or the batch was full.
    dropped: Optional[int] = None


@dataclass(frozen=True)
class SkyUpdate:
    """One delivery of a sky subscription."""

    #: The subscription's number on this connection.
    subscription: int
    #: The satellites; absent if the receiver has not reported them.
    satellites: Optional[List[Satellite]] = None
    #: Horizontal dilution of precision.
    hdop: Optional[float] = None
    #: Vertical dilution of precision.
    vdop: Optional[float] = None
    #: Dilution of precision of the position.
    pdop: Optional[float] = None
    #: Seconds since the receiver's report arrived; absent if there was none.
    age: Optional[float] = None


@dataclass(frozen=True)
class Visit:
    """Visit."""

    #: Metres: the middle lies within this radius with a probability of 68 %.
    horizontal_accuracy: float
    #: The visit's number, the same in both reports; later visits have greater ones.
    id: int
    #: Degrees north, WGS 84: the middle of the stay.
    latitude: float
    #: Degrees east, WGS 84.
    longitude: float
    #: When the device arrived, by the best estimate; absent if it may have been there before visits were watched.
    arrival: Optional[datetime] = None
    #: How many seconds earlier or later it may have arrived.
    arrival_uncertainty: Optional[float] = None
    #: When it left, by the best estimate; absent while it stays.
    departure: Optional[datetime] = None
    #: How many seconds earlier or later it may have left.
    departure_uncertainty: Optional[float] = None


@dataclass(frozen=True)
class VisitUpdate:
    """The device has arrived at a place and stays, or has left it."""

    #: The stay.
    visit: Visit
    #: The subscription's number on this connection; absent for a durable one.
    subscription: Optional[int] = None
    #: The durable name to which it belongs.
    durable: Optional[str] = None
    #: The number with which to acknowledge the event, if it is durable.
    event_id: Optional[int] = None


RegionEventKind = Literal["enter", "exit", "dwell", "crossed", "expired"]


@dataclass(frozen=True)
class RegionEvent:
    """An event of a region."""

    #: The region's id.
    id: str
    #: What happened.
    event: RegionEventKind
    #: The region's state after the event.
    state: RegionState
    #: The durable name to which it belongs.
    durable: Optional[str] = None
    #: The number with which to acknowledge the event, if it is durable.
    event_id: Optional[int] = None
    #: The fix that caused it; absent if only time did.
    fix: Optional[Fix] = None
    #: True if no fix was inside and only the path between two fixes shows it; else absent.
    inferred: Optional[bool] = None
    #: True if it is the state in which the region began, and nothing was entered or left; else absent.
    initial: Optional[bool] = None
    #: The probability that the device is inside, if a fix decided.
    probability: Optional[float] = None


@dataclass(frozen=True)
class DurableOverflow:
    """The oldest events of a durable name were dropped, because nobody acknowledged them in time."""

    #: The name.
    durable: str
    #: How many were dropped since the last such notification.
    dropped: int


HeadingState = Literal["valid", "invalid", "unavailable"]


@dataclass(frozen=True)
class HeadingUpdate:
    """One delivery of a heading subscription: a heading, or a change of its state."""

    #: The subscription's number on this connection.
    subscription: int
    #: Whether the heading is known.
    state: HeadingState
    #: The heading; absent unless the state is valid.
    heading: Optional[Heading] = None
    #: True for a heartbeat, which repeats the last value because nothing new came; else absent.
    repeat: Optional[bool] = None
    #: How many headings were dropped since the last delivery because the client did not read in time.
    dropped: Optional[int] = None


StatusPart = Literal["receiver", "power", "gpsd", "demand", "lastError", "clock", "clients", "inUse"]


@dataclass(frozen=True)
class StatusUpdate:
    """One delivery of a status subscription: the whole status, and which of its parts changed."""

    #: The subscription's number on this connection.
    subscription: int
    #: The parts that changed since the last update; all of them in the first.
    changed: List[StatusPart]
    #: The daemon's version.
    version: str
    #: Seconds since it started.
    uptime: float
    #: The receiver.
    receiver: StatusReceiver
    #: Its power.
    power: StatusPower
    #: The connection to gpsd.
    gpsd: StatusGpsd
    #: The receiver's reports by result.
    reports: StatusReports
    #: Connections.
    clients: int
    #: Requests in flight.
    requests: int
    #: Subscriptions.
    subscriptions: int
    #: Why the receiver is on; absent if nobody needs it.
    demand: Optional[StatusDemand] = None
    #: The users whose programs get positions, as far as the client may know; at most 64.
    in_use: Optional[List[InUse]] = None
    #: The newest fix.
    last_fix: Optional[StatusLastFix] = None
    #: The last error; absent once the part that failed works again.
    last_error: Optional[StatusLastError] = None
    #: Whether this machine's clock is kept right; absent if nothing is known of it.
    clock: Optional[KeptClock] = None
    #: Calls that were refused for want of permission, since it started.
    denials: Optional[int] = None


@dataclass(frozen=True)
class SubscriptionEnded:
    """A subscription, or the attachment to a durable name, has ended; nothing more is delivered for it."""

    #: Why.
    reason: str
    #: The subscription's number; absent if the attachment to a durable name ended.
    subscription: Optional[int] = None
    #: The durable name to which the connection is no longer attached.
    durable: Optional[str] = None


@dataclass(frozen=True)
class SessionClosing:
    """The daemon closes the connection."""

    #: Why.
    reason: str


@dataclass(frozen=True)
class AgentAuthorize:
    """From the daemon to an agent: asks a person whether a program may know the position."""

    #: The program that asks; its name and purpose are its own claims.
    principal: Principal
    #: The requested level: while connected, or also for durable registrations.
    level: AuthorizationLevel
    #: The requested precision.
    precision: Precision
    #: Seconds within which an answer is accepted.
    expires_in: float


#: The names of the protocol's errors.
ERROR_NAMES = {
    -32001: "denied",
    -32002: "restricted",
    -32003: "disabled",
    -32004: "notDetermined",
    -32005: "accuracyLimited",
    -32006: "unavailable",
    -32007: "limitExceeded",
    -32008: "notFound",
    -32009: "frameTooLarge",
    -32010: "shuttingDown",
    -32600: "invalidRequest",
    -32601: "methodNotFound",
    -32602: "invalidParams",
    -32603: "internalError",
    -32700: "parseError",
    -32800: "requestCancelled",
}


__all__ = [
    "AccuracyLevel",
    "AccuracySource",
    "Acquire",
    "Activity",
    "AdminClientsResult",
    "AdminGrantsResult",
    "AgentAuthorize",
    "Assistance",
    "Authorization",
    "AuthorizationChanged",
    "AuthorizationLevel",
    "AuthorizationPrompted",
    "AuthorizationState",
    "Availability",
    "Circle",
    "Clock",
    "ConnectedClient",
    "Constellation",
    "DemandingClient",
    "Diagnostics",
    "Durable",
    "DurableListResult",
    "DurableOverflow",
    "ERROR_NAMES",
    "EnabledResult",
    "Fix",
    "FixMode",
    "FixStatus",
    "GpsdState",
    "Grant",
    "GrantLevel",
    "Heading",
    "HeadingGetResult",
    "HeadingSource",
    "HeadingState",
    "HeadingUpdate",
    "InUse",
    "InitialReport",
    "Integrity",
    "IntegrityDemand",
    "IntegrityReason",
    "KeptClock",
    "Limits",
    "Part",
    "PositionGetResult",
    "PositionLastResult",
    "PositionParameters",
    "PositionUpdate",
    "PowerState",
    "Precision",
    "Principal",
    "Problem",
    "Region",
    "RegionEvent",
    "RegionEventKind",
    "RegionListResult",
    "RegionResult",
    "RegionState",
    "Replay",
    "RequestedEvent",
    "ResultStatus",
    "Rung",
    "Satellite",
    "Saving",
    "Session",
    "SessionClosing",
    "SessionServer",
    "Sky",
    "SkyUpdate",
    "StartReason",
    "StartTimes",
    "Status",
    "StatusDemand",
    "StatusGpsd",
    "StatusLastError",
    "StatusLastFix",
    "StatusPart",
    "StatusPower",
    "StatusPowerAssist",
    "StatusPowerDutyCycle",
    "StatusPowerNextStart",
    "StatusPowerPeriod",
    "StatusPowerStarts",
    "StatusPowerTimeToFirstFix",
    "StatusReceiver",
    "StatusReports",
    "StatusUpdate",
    "SubscriptionEnded",
    "SubscriptionResult",
    "SubscriptionState",
    "TimeGetResult",
    "TimeGetResultReceiver",
    "UpdateMode",
    "Visit",
    "VisitUpdate",
    "WatchedRegion",
]
