import Geodesy
import Positioning

/// One position subscription: what it has delivered, and what to do with the next fix.
///
/// Its deliveries depend only on its parameters and on the accepted fixes. The baseline moves only on delivery, so that
/// a slow movement is delivered once it has added up.
struct PositionSubscription: Hashable, Sendable {
  private enum Phase: Hashable {
    /// It takes fixes according to its mode.
    case following
    /// It searches for one good fix, after a significant change or because the client asked for it.
    case acquiring(FixAcquisition)
    case pausedByClient
    /// The device rests; probes check at intervals whether it still does.
    case pausedByRest(ProbeSchedule)
  }

  let id: SubscriptionID
  private(set) var parameters: SubscriptionParameters
  /// The feed that judges it; `nil` while its client may know nothing.
  private(set) var feed: FixFeedKey?
  private(set) var availability: Availability
  private(set) var updates = 0
  /// When it expires.
  private(set) var expiry: Instant?
  /// The baseline of distances and intervals.
  private(set) var lastDelivered: Fix?
  let began: Instant
  private var phase = Phase.following
  /// The probes of the mode significant; absent in others.
  private var probe: ProbeSchedule?
  private var batch = FixBatch()
  private var rest = RestDetector()
  /// Whether nothing was delivered but a cached fix that was not fresh.
  private var awaitsLook = false
  private var deliveredEpoch: Int?
  private var newestEpoch: Int?
  /// When a fix was last delivered, repeated or not.
  private var lastDelivery: Instant
  /// Whether there have been fixes since it began.
  private var hadFixes: Bool
  /// Whether its client was notified of `lost`, and not yet of `restored`.
  private var isLossReported = false
  /// Whether the receiver sleeps until the next fix is due, or was started for it.
  private var sleeps = false
  private var beat = FixBeat()

  /// - Parameter lastFix: The time of the receiver's last fix, from which the time of a start follows.
  init(
    id: SubscriptionID, parameters: SubscriptionParameters, feed: FixFeedKey? = .everything,
    availability: Availability, lastFix: Instant? = nil, now: Instant
  ) {
    self.id = id
    self.parameters = parameters
    self.feed = feed
    self.availability = availability
    self.hadFixes = availability.meansFixes
    self.lastDelivery = now
    self.began = now
    self.expiry = parameters.duration.map { now + $0 }
    self.begin(lastFix: lastFix, now: now)
  }

  /// A subscription from before a restart of the daemon.
  init(
    id: SubscriptionID, restoring stored: StoredPosition, feed: FixFeedKey? = .everything, availability: Availability,
    now: Instant
  ) {
    self.init(
      id: id, parameters: stored.parameters, feed: feed, availability: availability,
      lastFix: stored.lastDelivered.flatMap { $0.arrival.isBeforeBoot ? nil : $0.arrival }, now: now)
    self.expiry = stored.expiry
    self.updates = stored.updates
    self.lastDelivered = stored.lastDelivered
    // A search that was reported is still owed its outcome; one that had its outcome is not repeated.
    self.phase = stored.isAcquiring ? .acquiring(self.parameters.acquisition(now: now)) : .following
    if stored.isPaused { self.phase = .pausedByClient }
    self.beginProbesAgain(lastFix: self.lastArrival, now: now)
  }

  /// The client is notified that it began, and of its availability.
  mutating func begin(with availability: Availability) {
    self.availability = availability
    self.hadFixes = availability.meansFixes
  }

  var stored: StoredPosition {
    StoredPosition(
      parameters: self.parameters, lastDelivered: self.lastDelivered, expiry: self.expiry, updates: self.updates,
      isPaused: self.phase == .pausedByClient, isAcquiring: self.isAcquiring)
  }

  /// Whether it ends now: its time is over, or it has delivered as often as requested.
  func isExpired(now: Instant) -> Bool {
    if let expiry, now >= expiry { return true }
    return self.isComplete
  }

  /// Whether it has delivered as often as requested.
  private var isComplete: Bool { self.parameters.maxUpdates.map { self.updates >= $0 } ?? false }

  // MARK: Fixes

  /// The fix from before the subscription, as `replay` demands.
  mutating func replay(_ fix: Fix, epoch: Int, now: Instant) -> PositionUpdate? {
    let isFresh = self.parameters.isFresh(fix, now: now)
    switch self.parameters.replay {
    case .none: return nil
    case .any: break
    case .fresh: guard isFresh else { return nil }
    }
    guard self.parameters.isGoodEnough(fix) else { return nil }
    // An older one shows where the device was, and is no look at where it is.
    if isFresh { self.phase = .following }
    var update = self.deliver(fix, epoch: epoch, now: now)
    self.awaitsLook = !isFresh
    if isFresh { self.scheduleProbe(hasMoved: true, now: fix.arrival) }
    update.isReplay = true
    self.restartBeat()
    return update
  }

  /// A new epoch's fix, or a better one of the newest epoch; no epoch is delivered twice.
  mutating func fixed(_ fix: Fix, epoch: Int, now: Instant) -> [PositionUpdate] {
    self.newestEpoch = epoch
    switch self.phase {
    case .pausedByClient: return []
    case .pausedByRest(var probe):
      guard fix.castsVotes else { return [] }
      switch self.rest.fixed(fix, activity: self.parameters.activity) {
      case .unclear: return []
      case .rests:
        probe.fixed(next: RestDetector.probeInterval, now: now)
        self.phase = .pausedByRest(probe)
        return []
      case .moves:
        self.phase = .following
        return [self.update(reason: .resumed)] + self.followed(fix, epoch: epoch, now: now)
      }
    case .acquiring(var acquisition):
      guard self.parameters.integrity.accepts(fix) else { return [] }
      let outcome = acquisition.fixed(fix, now: now)
      self.phase = .acquiring(acquisition)
      return outcome.map { [self.acquired($0, now: now)] } ?? []
    case .following:
      if self.parameters.autoPause, fix.castsVotes, self.rest.fixed(fix, activity: self.parameters.activity) == .rests {
        self.phase = .pausedByRest(ProbeSchedule(next: RestDetector.probeInterval, now: now))
        return [self.update(reason: .paused)]
      }
      return self.followed(fix, epoch: epoch, now: now)
    }
  }

  private mutating func followed(_ fix: Fix, epoch: Int, now: Instant) -> [PositionUpdate] {
    guard self.deliveredEpoch != epoch else { return [] }
    let interval = self.parameters.minInterval
    let isLongEnough = self.lastDelivered.map { fix.isLater(than: $0, by: interval) } ?? true
    guard self.parameters.isGoodEnough(fix) else {
      self.beat.withheld(at: fix.arrival, self.parameters.sleepInterval, isLongEnough: isLongEnough)
      return []
    }
    let isDue = isLongEnough && self.isFarEnough(fix)
    if let interval = self.parameters.sleepInterval {
      self.beat.fixed(at: fix.arrival, interval, isDelivered: isDue, isLongEnough: isLongEnough)
    }
    switch self.parameters.mode {
    case .continuous, .passive:
      return isDue ? [self.deliver(fix, epoch: epoch, now: now)] : []
    case .deferred:
      // An older one has only become better since.
      guard isDue, fix.arrival >= self.began else { return [] }
      self.beat.endSearch()
      self.batch.add(fix)
      self.lastDelivered = fix
      self.deliveredEpoch = epoch
      return self.batch.dueReason(self.parameters, now: now).map { [self.deliverBatch($0, now: now)] } ?? []
    case .significant:
      // After a fix that decides nothing the probe continues.
      guard self.parameters.isDecisive(fix) else { return [] }
      let isChange = self.isSignificant(fix)
      if !isChange { self.scheduleProbe(hasMoved: false, now: now) }
      return isChange ? [self.changed(fix, epoch: epoch, now: now)] : []
    }
  }

  /// A significant change is delivered, and is the next one's baseline whatever the search for a better fix results in.
  private mutating func changed(_ fix: Fix, epoch: Int, now: Instant) -> PositionUpdate {
    var update = self.deliver(fix, epoch: epoch, now: now)
    self.scheduleProbe(hasMoved: true, now: now)
    guard self.parameters.acquire != nil else { return update }
    // Nothing can follow the last update.
    if !self.isComplete { self.phase = .acquiring(self.parameters.acquisition(now: now)) }
    (update.reason, update.state) = (.significantChange, self.state)
    return update
  }

  private mutating func acquired(_ outcome: FixAcquisition.Outcome, now: Instant) -> PositionUpdate {
    self.phase = .following
    var update: PositionUpdate
    switch outcome {
    case .failed: update = self.update(reason: .acquisitionFailed)
    case .acquired(let fix):
      update = self.deliver(fix, epoch: self.newestEpoch, now: now)
      update.reason = .acquired
    }
    self.scheduleProbe(hasMoved: true, now: now)
    return update
  }

  /// The beat begins anew with the last delivery.
  private mutating func restartBeat() { self.beat.restart(after: self.lastArrival, self.parameters.sleepInterval) }

  /// The arrival of the last delivered fix; `nil` if its age is unknown.
  private var lastArrival: Instant? { self.lastDelivered.flatMap { $0.arrival.isBeforeBoot ? nil : $0.arrival } }

  // MARK: Time

  /// What happens because time has passed, while it goes on: a heartbeat, a batch, the end of an acquisition, a probe.
  mutating func deadlineReached(current: Fix?, now: Instant) -> [PositionUpdate] {
    guard self.feed != nil else { return [] }
    var updates: [PositionUpdate] = []
    switch self.phase {
    case .pausedByClient: return []
    case .pausedByRest(var probe):
      probe.deadlineReached(now: now)
      self.phase = .pausedByRest(probe)
    case .acquiring(let acquisition):
      if let outcome = acquisition.deadlineReached(now: now) { updates.append(self.acquired(outcome, now: now)) }
    case .following:
      self.probe?.deadlineReached(now: now)
      if let missed = self.missedFix(now: now) { updates.append(missed) }
      // Its state is another one, the first time.
      let before = self.state
      if self.beat.searchEnded(self.parameters.sleepInterval, now: now), self.state != before {
        updates.append(self.update(reason: .changed))
      }
    }
    if let deadline = self.batch.deadline(self.parameters), now >= deadline {
      updates.append(self.deliverBatch(.timeout, now: now))
    }
    if let heartbeat = self.heartbeat(current: current, now: now) { updates.append(heartbeat) }
    return updates
  }

  /// The daemon did not run for so long: searches, probes, the heartbeat and the wait for a fix that is due
  /// get that time. The fix stays due when it was, and the batch and the subscription end when they would have.
  mutating func putOff(by gap: Duration) {
    switch self.phase {
    case .following, .pausedByClient: break
    case .acquiring(var acquisition):
      acquisition.putOff(by: gap)
      self.phase = .acquiring(acquisition)
    case .pausedByRest(var probe):
      probe.putOff(by: gap)
      self.phase = .pausedByRest(probe)
    }
    self.probe?.putOff(by: gap)
    self.lastDelivery = self.lastDelivery + gap
    self.beat.putOff(by: gap)
  }

  /// The newest fix again, or that there is none. Does not move the baseline.
  private mutating func heartbeat(current: Fix?, now: Instant) -> PositionUpdate? {
    guard !self.isPaused, let interval = self.heartbeatInterval, now >= self.lastDelivery + interval else { return nil }
    self.lastDelivery = now
    var update = self.update(reason: nil)
    update.isRepeat = true
    // While the receiver sleeps between two fixes the newest one is what there is.
    if self.availability.meansFixes || self.gets(self.availability) || self.isAsleep, let current,
      self.parameters.isGoodEnough(current)
    {
      self.updates += 1
      update.fix = current
      update.achievedAccuracy = current.achievedAccuracy(at: now)
    }
    return update
  }

  // MARK: Availability

  /// The availability has changed. A subscription that its client paused is notified when it resumes.
  mutating func availabilityChanged(to availability: Availability) -> PositionUpdate? {
    guard availability != self.availability, self.feed != nil, self.phase != .pausedByClient else { return nil }
    let isSleep = !availability.isFault && !self.isLossReported && self.isSleep(availability)
    self.availability = availability
    // That the receiver sleeps between two probes is not reported.
    if isSleep {
      self.hadFixes = self.hadFixes || availability.meansFixes
      return nil
    }
    let reason: DeliveryReason
    if availability.meansFixes {
      reason = self.isLossReported ? .restored : .available
      self.isLossReported = false
      self.hadFixes = true
    } else if self.isLossReported || !self.hadFixes || !availability.isFault || self.gets(availability) {
      reason = .changed
    } else {
      reason = .lost
      self.isLossReported = true
    }
    return self.update(reason: reason)
  }

  /// Whether fixes that cannot be trusted are delivered too, so that none are missing.
  private func gets(_ availability: Availability) -> Bool {
    availability == .untrusted && self.parameters.integrity == .any
  }

  /// Whether it is only that the receiver sleeps between two fixes, or is started for the next one.
  private mutating func isSleep(_ availability: Availability) -> Bool {
    if self.mayReceiverSleep { return true }
    switch availability {
    case .poweredDown where self.isRegular && self.beat.due != nil:
      self.sleeps = true
      return true
    case .searching: return self.sleeps
    case .available, .untrusted, .accuracyLimited, .poweredDown, .stale, .lost, .receiverMissing, .gpsdFull, .gpsdDown,
      .denied,
      .unknown:
      let wakes = self.sleeps && availability.meansFixes
      self.sleeps = false
      return wakes
    }
  }

  /// Whether the receiver sleeps between two fixes, and nothing was lost.
  private var isAsleep: Bool {
    (self.sleeps || self.mayReceiverSleep) && self.hadFixes && !self.isLossReported && !self.availability.isFault
  }

  /// A fix for which the receiver was started has not come.
  private mutating func missedFix(now: Instant) -> PositionUpdate? {
    guard self.beat.takeLateness(now: now), self.sleeps, !self.isLossReported, self.availability == .searching else {
      return nil
    }
    self.sleeps = false
    self.isLossReported = true
    return self.update(reason: .lost)
  }

  // MARK: Permission

  /// Its client's permission has changed: it begins again without its state.
  ///
  /// - Parameter keepsStates: Whether it keeps its state instead, now or once its user is known again.
  mutating func move(
    to feed: FixFeedKey?, keepsStates: Bool = false, availability: Availability, now: Instant
  ) -> PositionUpdate? {
    let (before, old) = (self.state, self.feed)
    self.feed = feed
    self.availability = availability
    self.hadFixes = availability.meansFixes
    self.isLossReported = false
    self.lastDelivery = now
    if keepsStates {
      self.beginAgain(now: now)
    } else {
      let wasAcquiring = self.isAcquiring
      (self.lastDelivered, self.deliveredEpoch) = (nil, nil)
      self.batch = FixBatch()
      if self.phase != .pausedByClient { self.begin(lastFix: nil, now: now) }
      // The search goes on, with the fixes that its client may have now.
      if wasAcquiring { self.phase = .acquiring(self.parameters.acquisition(now: now)) }
    }
    if old?.precision == feed?.precision, self.state == before { return nil }
    return self.update(reason: feed != nil && old == nil ? .resumed : .changed)
  }

  // MARK: Commands of its client

  mutating func execute(
    _ command: SubscriptionCommand, availability: Availability, lastFix: Instant?, now: Instant
  ) -> [PositionUpdate] {
    switch command {
    case .pause: self.pause()
    case .resume: self.resume(availability: availability, lastFix: lastFix, now: now)
    case .acquire: self.acquire(now: now)
    case .flush: self.flush(.flush, now: now)
    }
  }

  private mutating func pause() -> [PositionUpdate] {
    guard self.phase != .pausedByClient else { return [] }
    let wasAcquiring = self.isAcquiring
    self.phase = .pausedByClient
    return self.outcome(ofSearchThatIsCutOff: wasAcquiring) + [self.update(reason: .paused)]
  }

  /// - Parameter availability: The present one, which may have changed meanwhile.
  private mutating func resume(availability: Availability, lastFix: Instant?, now: Instant) -> [PositionUpdate] {
    guard self.isPaused else { return [] }
    self.begin(lastFix: lastFix, now: now)
    self.lastDelivery = now
    let change = self.availabilityChanged(to: availability)
    return [self.update(reason: .resumed)] + (change.map { [$0] } ?? [])
  }

  /// Searches for a fix now. Has no effect on a paused one, or during a search.
  private mutating func acquire(now: Instant) -> [PositionUpdate] {
    guard self.phase == .following else { return [] }
    self.phase = .acquiring(self.parameters.acquisition(now: now))
    return [self.update(reason: .acquiring)]
  }

  /// Each search has one outcome, also one that a pause or another mode ends.
  private func outcome(ofSearchThatIsCutOff isCutOff: Bool) -> [PositionUpdate] {
    isCutOff ? [self.update(reason: .acquisitionFailed)] : []
  }

  /// Delivers what was collected, if anything was.
  mutating func flush(_ reason: DeliveryReason, now: Instant) -> [PositionUpdate] {
    self.batch.isEmpty ? [] : [self.deliverBatch(reason, now: now)]
  }

  /// Changes it in place; its last delivery remains the baseline.
  ///
  /// - Parameter renewsDuration: Whether its duration starts again.
  /// - Returns: The batch that it will not continue.
  mutating func change(
    to parameters: SubscriptionParameters, renewsDuration: Bool, now: Instant
  ) -> [PositionUpdate] {
    let old = self.parameters
    self.parameters = parameters
    self.restartBeat()
    if parameters.significantInterval != old.significantInterval {
      self.beginProbesAgain(lastFix: self.lastArrival, now: now)
    }
    if renewsDuration || parameters.duration == nil { self.expiry = parameters.duration.map { now + $0 } }
    // The rest was reported as a pause. Another mode begins without it, too.
    if !self.parameters.autoPause || parameters.mode != old.mode, case .pausedByRest = self.phase {
      self.phase = .following
      self.lastDelivery = now
      return [self.update(reason: .resumed)] + self.changeOfMode(from: old, now: now)
    }
    return self.changeOfMode(from: old, now: now)
  }

  /// Its client registers it again, in the same mode: nothing that it has delivered is delivered again, and a batch or a
  /// search continues. Its duration and its number of updates begin anew, and a paused one goes on.
  mutating func register(
    again parameters: SubscriptionParameters, availability: Availability, now: Instant
  ) -> [PositionUpdate] {
    self.updates = 0
    let updates = self.change(to: parameters, renewsDuration: true, now: now)
    guard self.phase == .pausedByClient else { return updates }
    self.begin(lastFix: self.lastArrival, now: now)
    // It begins with a search only if it has delivered nothing.
    if self.lastDelivered != nil { self.phase = .following }
    self.begin(with: availability)
    self.restartBeat()
    return updates
  }

  private mutating func changeOfMode(from old: SubscriptionParameters, now: Instant) -> [PositionUpdate] {
    guard self.parameters.mode != old.mode else { return [] }
    let wasAcquiring = self.isAcquiring
    let collected = self.flush(.ended, now: now)
    if self.phase != .pausedByClient { self.begin(lastFix: self.lastArrival, now: now) }
    return self.outcome(ofSearchThatIsCutOff: wasAcquiring) + collected
  }

  // MARK: Phases

  /// Begins to take fixes, according to its mode.
  private mutating func begin(lastFix: Instant?, now: Instant) {
    self.phase = .following
    self.rest = RestDetector()
    self.probe = nil
    self.sleeps = false
    self.beat = FixBeat()
    guard self.parameters.mode == .significant else { return }
    self.probe = ProbeSchedule(lastFix: lastFix, notBefore: self.nextChange, now: now)
    if self.parameters.acquire != nil { self.phase = .acquiring(self.parameters.acquisition(now: now)) }
  }

  /// Begins its present phase again, because it had no fixes in the time that passed.
  private mutating func beginAgain(now: Instant) {
    switch self.phase {
    case .following, .pausedByClient: break
    case .acquiring(var acquisition):
      acquisition.beginAgain(now: now)
      self.phase = .acquiring(acquisition)
    case .pausedByRest: self.phase = .pausedByRest(ProbeSchedule(lastFix: nil, now: now))
    }
    self.beginProbesAgain(lastFix: nil, now: now)
  }

  /// Its probes begin again, if it has any.
  private mutating func beginProbesAgain(lastFix: Instant?, now: Instant) {
    guard self.probe != nil else { return }
    self.probe = ProbeSchedule(lastFix: lastFix, notBefore: self.nextChange, now: now)
  }

  private func isFarEnough(_ fix: Fix) -> Bool {
    guard self.parameters.minDistance > 0, let last = self.lastDelivered else { return true }
    return Geodesy.distance(from: last.coordinate, to: fix.coordinate) >= self.parameters.minDistance
  }

  /// Whether the device has moved since the last delivery: by the distance, and by more than the errors of both fixes
  /// explain.
  private func isSignificant(_ fix: Fix) -> Bool {
    guard let last = self.lastDelivered else { return true }
    // The interval begins with the first look.
    guard self.awaitsLook || fix.isLater(than: last, by: self.parameters.significantInterval) else {
      return false
    }
    // A cached fix that was delivered unchecked may be too inaccurate.
    guard self.parameters.isDecisive(last) else { return true }
    let displacement = Displacement(from: last, to: fix)
    return displacement.distance >= self.parameters.significantDistance && displacement.isBeyond(0)
  }

  /// The next probe comes when a change could be delivered again, and not before.
  private mutating func scheduleProbe(hasMoved: Bool, now: Instant) {
    let earliest = self.nextChange
    self.probe?.fixed(hasMoved: hasMoved, notBefore: earliest, now: now)
  }

  /// Before this moment no change can be delivered.
  private var nextChange: Instant? {
    guard !self.awaitsLook else { return nil }
    let interval = self.parameters.significantInterval
    return self.lastArrival.map { $0 + interval - interval.tolerance }
  }

  private mutating func deliver(_ fix: Fix, epoch: Int?, now: Instant) -> PositionUpdate {
    self.lastDelivered = fix
    self.awaitsLook = false
    self.deliveredEpoch = epoch
    self.lastDelivery = now
    self.updates += 1
    self.beat.endSearch()
    var update = self.update(reason: nil)
    update.fix = fix
    update.achievedAccuracy = fix.achievedAccuracy(at: now)
    return update
  }

  private mutating func deliverBatch(_ reason: DeliveryReason, now: Instant) -> PositionUpdate {
    var update = self.update(reason: reason)
    update.fixes = Array(self.batch.fixes)
    update.dropped = self.batch.dropped
    self.batch = FixBatch()
    self.lastDelivery = now
    self.updates += 1
    return update
  }

  /// The last update, for a client that is not notified of the end in another way.
  var ended: PositionUpdate { PositionUpdate(availability: self.availability, state: .ended, reason: .expired) }

  private func update(reason: DeliveryReason?) -> PositionUpdate {
    PositionUpdate(availability: self.availability, state: self.state, reason: reason)
  }

  // MARK: Its state, and what it needs

  var state: SubscriptionState {
    guard self.feed != nil else { return .suspended }
    return switch self.phase {
    case .pausedByClient, .pausedByRest: .paused
    case .acquiring: .acquiring
    case .following: self.isSearching ? .acquiring : self.parameters.state(self.shownAvailability)
    }
  }

  /// Whether there are fixes, but none that it may deliver.
  private var isSearching: Bool {
    guard self.availability.meansFixes, self.parameters.mode != .significant else { return false }
    // Reduced fixes are made of those whose error is known and small, and a client does not learn how good the others are.
    let hasNoReducedFix = self.feed?.precision == .reduced && self.lastDelivered == nil
    return self.beat.isWithheld || hasNoReducedFix
  }

  /// The availability that its updates show. While the receiver sleeps between two fixes, it does not search for one.
  private var shownAvailability: Availability {
    guard self.isRegular, self.isAsleep else { return self.availability }
    return self.feed?.precision == .reduced ? .accuracyLimited : .available
  }

  var info: SubscriptionInfo {
    SubscriptionInfo(
      number: self.id.number, kind: .position(self.parameters), state: self.state, availability: self.availability,
      updates: self.updates)
  }

  /// Whether it needs the receiver, and when.
  var need: Need {
    guard self.feed != nil else { return .none }
    return switch self.phase {
    case .pausedByClient: .none
    case .pausedByRest(let probe): self.parameters.mode == .passive ? .none : probe.need
    case .acquiring: .now
    case .following:
      switch self.parameters.mode {
      case .passive: .none
      // Its first fix is overdue from the beginning.
      case .continuous, .deferred: self.parameters.sleepInterval == nil ? .now : .from(self.beat.due ?? self.began)
      case .significant: self.probe?.need ?? .none
      }
    }
  }

  /// Whether it follows fixes between which the receiver may sleep.
  var isRegular: Bool { self.phase == .following && self.parameters.sleepInterval != nil }

  /// What it asks of the receiver while it needs it.
  var demand: Demand {
    var accuracy = self.parameters.accuracy.meters
    if case .acquiring = self.phase, let acquire = self.parameters.acquire { accuracy = acquire.desiredAccuracy }
    return Demand(
      accuracy: accuracy, interval: self.parameters.minInterval, activity: self.parameters.activity)
  }

  /// When to call `deadlineReached`.
  var nextDeadline: Instant? {
    guard self.feed != nil else { return self.expiry }
    let own: Instant? =
      switch self.phase {
      case .pausedByClient: nil
      case .pausedByRest(let probe): self.parameters.mode == .passive ? nil : probe.nextDeadline
      case .acquiring(let acquisition): acquisition.nextDeadline
      case .following: (self.probe?.nextDeadline).earlier(self.beat.nextDeadline)
      }
    let heartbeat = self.isPaused ? nil : self.heartbeatInterval.map { self.lastDelivery + $0 }
    let batch = self.phase == .pausedByClient ? nil : self.batch.deadline(self.parameters)
    return self.expiry.earlier(own).earlier(heartbeat).earlier(batch)
  }

  /// Whether its mode lets the receiver sleep between fixes.
  private var mayReceiverSleep: Bool {
    if let feed, feed.isSampled { return true }
    return switch self.phase {
    case .pausedByRest: true
    case .following: self.parameters.mode == .significant
    case .acquiring, .pausedByClient: false
    }
  }

  private var isPaused: Bool {
    switch self.phase {
    case .pausedByClient, .pausedByRest: true
    case .following, .acquiring: false
    }
  }

  /// Whether it searches for a fix.
  private var isAcquiring: Bool {
    switch self.phase {
    case .acquiring: true
    case .following, .pausedByClient, .pausedByRest: false
    }
  }

  /// The shortest heartbeat, whatever the client requests, since each one wakes the daemon.
  static let fastestHeartbeat: Duration = .milliseconds(100)

  /// A durable one has no heartbeat: a repeated value is of no use to a client that attaches later.
  var heartbeatInterval: Duration? {
    guard self.id.holder.durable == nil else { return nil }
    return self.parameters.maxInterval.map { max($0, Self.fastestHeartbeat) }
  }
}
