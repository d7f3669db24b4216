import Positioning

/// The state and the need of a subscription, which follow from its history.
extension PositionSubscription {
  var state: SubscriptionState {
    guard self.feed != nil else { return .suspended }
    return switch self.phase {
    case .pausedByClient, .pausedByRest: .paused
    case .acquiring: .acquiring
    case .following: self.isSearching ? .acquiring : Self.state(self.parameters.mode, self.shownAvailability)
    }
  }

  /// Whether there are fixes, but none that it may deliver.
  private var isSearching: Bool {
    guard self.availability.meansFixes, self.parameters.mode != .significant else { return false }
    // Reduced fixes are made of those whose error is known and small, and a client does not learn how good the others are.
    let hasNoReducedFix = self.feed?.precision == .reduced && self.lastDelivered == nil
    return self.isWithheld || hasNoReducedFix
  }

  /// What its state says of the receiver: that it sleeps between two fixes is no search.
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
      case .continuous, .deferred: self.sleepInterval == nil ? .now : .from(self.nextDue ?? self.began)
      case .significant: self.probe?.need ?? .none
      }
    }
  }

  /// Whether it follows fixes between which the receiver may sleep.
  var isRegular: Bool { self.phase == .following && self.sleepInterval != nil }

  /// The shortest interval in which the receiver could sleep.
  static let shortestSleepInterval: Duration = .seconds(10)

  /// The interval of its fixes, if the receiver could sleep in between.
  var sleepInterval: Duration? {
    switch self.parameters.mode {
    case .continuous, .deferred:
      self.parameters.minInterval >= Self.shortestSleepInterval ? self.parameters.minInterval : nil
    case .passive, .significant: nil
    }
  }

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
      case .following: (self.probe?.nextDeadline).earlier(self.lateAt).earlier(self.searchEnd)
      }
    let heartbeat = self.isPaused ? nil : self.heartbeatInterval.map { self.lastDelivery + $0 }
    let batch = self.phase == .pausedByClient ? nil : self.batch.deadline(self.parameters)
    return self.expiry.earlier(own).earlier(heartbeat).earlier(batch)
  }

  /// Whether its mode lets the receiver sleep between fixes.
  var mayReceiverSleep: Bool {
    if let feed, feed.isSampled { return true }
    return switch self.phase {
    case .pausedByRest: true
    case .following: self.parameters.mode == .significant
    case .acquiring, .pausedByClient: false
    }
  }

  var isPaused: Bool {
    switch self.phase {
    case .pausedByClient, .pausedByRest: true
    case .following, .acquiring: false
    }
  }

  /// Whether it searches for a fix.
  var isAcquiring: Bool {
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

extension Instant? {
  func earlier(_ other: Instant?) -> Instant? {
    guard let self, let other else { return self ?? other }
    return min(self, other)
  }
}
