import Positioning

/// Commands of a client to its subscription.
extension PositionSubscription {
  mutating func pause() -> [PositionUpdate] {
    guard self.phase != .pausedByClient else { return [] }
    let wasAcquiring = self.isAcquiring
    self.phase = .pausedByClient
    return self.outcome(ofSearchThatIsCutOff: wasAcquiring) + [self.update(reason: .paused)]
  }

  /// - Parameter availability: The present one, which may have changed meanwhile.
  mutating func resume(availability: Availability, lastFix: Instant?, now: Instant) -> [PositionUpdate] {
    guard self.isPaused else { return [] }
    self.begin(lastFix: lastFix, now: now)
    self.lastDelivery = now
    let change = self.availabilityChanged(to: availability)
    return [self.update(reason: .resumed)] + (change.map { [$0] } ?? [])
  }

  /// Searches for a fix now. Has no effect on a paused one, or during a search.
  mutating func acquire(now: Instant) -> [PositionUpdate] {
    guard self.phase == .following else { return [] }
    self.phase = .acquiring(self.acquisition(now: now))
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
}

extension PositionSubscription {
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
}
