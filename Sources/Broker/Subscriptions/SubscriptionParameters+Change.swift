extension SubscriptionParameters {
  /// With what the change names; the rest as it was. With the mode go the parameters that belong to it.
  package func changed(by change: SubscriptionChange) throws(InvalidParameter) -> SubscriptionParameters {
    let usual = SubscriptionParameters()
    let mode = change.mode ?? (change.reset.contains(.mode) ? usual.mode : self.mode)
    if let misplaced = change.modal.first(where: { $0.mode != mode }) {
      throw InvalidParameter(
        parameter: misplaced.rawValue, found: "set with mode \(mode.rawValue)",
        expected: "mode \(misplaced.mode?.rawValue ?? "") with it")
    }
    var reset = change.reset
    if mode != self.mode { reset.formUnion(SubscriptionParameter.allCases.filter { $0.mode == self.mode }) }
    var changed = self
    for parameter in reset { changed.reset(parameter, to: usual) }
    changed.mode = mode
    changed.take(change)
    try changed.check()
    return changed
  }

  private mutating func take(_ change: SubscriptionChange) {
    self.accuracy = change.accuracy ?? self.accuracy
    self.minInterval = change.minInterval ?? self.minInterval
    self.minDistance = change.minDistance ?? self.minDistance
    self.maxInterval = change.maxInterval ?? self.maxInterval
    self.onlyBetterThan = change.onlyBetterThan ?? self.onlyBetterThan
    self.maxUpdates = change.maxUpdates ?? self.maxUpdates
    self.duration = change.duration ?? self.duration
    self.deferredDistance = change.deferredDistance ?? self.deferredDistance
    self.deferredTimeout = change.deferredTimeout ?? self.deferredTimeout
    self.significantDistance = change.significantDistance ?? self.significantDistance
    self.significantInterval = change.significantInterval ?? self.significantInterval
    self.acquire = change.acquire ?? self.acquire
    self.activity = change.activity ?? self.activity
    self.autoPause = change.autoPause ?? self.autoPause
  }

  private mutating func reset(_ parameter: SubscriptionParameter, to usual: SubscriptionParameters) {
    switch parameter {
    case .mode: self.mode = usual.mode
    case .accuracy: self.accuracy = usual.accuracy
    case .minInterval: self.minInterval = usual.minInterval
    case .minDistance: self.minDistance = usual.minDistance
    case .maxInterval: self.maxInterval = usual.maxInterval
    case .onlyBetterThan: self.onlyBetterThan = usual.onlyBetterThan
    case .maxUpdates: self.maxUpdates = usual.maxUpdates
    case .duration: self.duration = usual.duration
    case .deferredDistance: self.deferredDistance = usual.deferredDistance
    case .deferredTimeout: self.deferredTimeout = usual.deferredTimeout
    case .significantDistance: self.significantDistance = usual.significantDistance
    case .significantInterval: self.significantInterval = usual.significantInterval
    case .acquire: self.acquire = usual.acquire
    case .activity: self.activity = usual.activity
    case .autoPause: self.autoPause = usual.autoPause
    }
  }

  /// The one place that says what goes together.
  package func check() throws(InvalidParameter) {
    if self.mode == .deferred, self.deferredDistance == nil, self.deferredTimeout == nil {
      throw InvalidParameter(
        parameter: "deferredDistance", found: "missing",
        expected: "deferredDistance or deferredTimeout with mode deferred")
    }
    if self.acquire != nil, self.mode != .significant {
      throw InvalidParameter(
        parameter: "acquire", found: "set with mode \(self.mode.rawValue)", expected: "mode significant with it")
    }
    if let acquire, let acceptable = acquire.acceptableAccuracy, acceptable < acquire.desiredAccuracy {
      throw InvalidParameter(
        parameter: "acquire.acceptableAccuracy", found: "finer than acquire.desiredAccuracy",
        expected: "no finer than acquire.desiredAccuracy")
    }
  }
}

extension SubscriptionChange {
  /// The parameters it names that belong to one mode.
  fileprivate var modal: [SubscriptionParameter] {
    var named: [SubscriptionParameter] = []
    if self.deferredDistance != nil { named.append(.deferredDistance) }
    if self.deferredTimeout != nil { named.append(.deferredTimeout) }
    if self.significantDistance != nil { named.append(.significantDistance) }
    if self.significantInterval != nil { named.append(.significantInterval) }
    if self.acquire != nil { named.append(.acquire) }
    return named
  }
}

extension CallFailure {
  init(_ error: InvalidParameter) { self = .invalid(parameter: error.parameter, expected: error.expected) }
}
