import Positioning

extension SubscriptionUpdateRequest {
  private enum CodingKeys: String, CodingKey {
    case subscription
    case mode, accuracy, minInterval, minDistance, maxInterval, onlyBetterThan, maxUpdates, duration
    case deferredDistance, deferredTimeout, significantDistance, significantInterval, acquire, activity, autoPause
  }

  /// Tells null from what is absent, which no optional does.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(subscription: try container.decode(Int.self, forKey: .subscription))
    self.mode = try container.decodeIfPresent(PositionSubscribeRequest.Mode.self, forKey: .mode)
    self.accuracy = try container.decodeIfPresent(AccuracyDemand.self, forKey: .accuracy)
    self.minInterval = try container.decodeIfPresent(Double.self, forKey: .minInterval)
    self.minDistance = try container.decodeIfPresent(Double.self, forKey: .minDistance)
    self.maxInterval = try container.decodeIfPresent(Double.self, forKey: .maxInterval)
    self.onlyBetterThan = try container.decodeIfPresent(Double.self, forKey: .onlyBetterThan)
    self.maxUpdates = try container.decodeIfPresent(Int.self, forKey: .maxUpdates)
    self.duration = try container.decodeIfPresent(Double.self, forKey: .duration)
    self.deferredDistance = try container.decodeIfPresent(Double.self, forKey: .deferredDistance)
    self.deferredTimeout = try container.decodeIfPresent(Double.self, forKey: .deferredTimeout)
    self.significantDistance = try container.decodeIfPresent(Double.self, forKey: .significantDistance)
    self.significantInterval = try container.decodeIfPresent(Double.self, forKey: .significantInterval)
    self.acquire = try container.decodeIfPresent(AcquisitionObject.self, forKey: .acquire)
    self.activity = try container.decodeIfPresent(Activity.self, forKey: .activity)
    self.autoPause = try container.decodeIfPresent(Bool.self, forKey: .autoPause)
    for key in container.allKeys where try container.decodeNil(forKey: key) {
      if let parameter = Parameter(rawValue: key.rawValue) { self.cleared.insert(parameter) }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.subscription, forKey: .subscription)
    try container.encodeIfPresent(self.mode, forKey: .mode)
    try container.encodeIfPresent(self.accuracy, forKey: .accuracy)
    try container.encodeIfPresent(self.minInterval, forKey: .minInterval)
    try container.encodeIfPresent(self.minDistance, forKey: .minDistance)
    try container.encodeIfPresent(self.maxInterval, forKey: .maxInterval)
    try container.encodeIfPresent(self.onlyBetterThan, forKey: .onlyBetterThan)
    try container.encodeIfPresent(self.maxUpdates, forKey: .maxUpdates)
    try container.encodeIfPresent(self.duration, forKey: .duration)
    try container.encodeIfPresent(self.deferredDistance, forKey: .deferredDistance)
    try container.encodeIfPresent(self.deferredTimeout, forKey: .deferredTimeout)
    try container.encodeIfPresent(self.significantDistance, forKey: .significantDistance)
    try container.encodeIfPresent(self.significantInterval, forKey: .significantInterval)
    try container.encodeIfPresent(self.acquire, forKey: .acquire)
    try container.encodeIfPresent(self.activity, forKey: .activity)
    try container.encodeIfPresent(self.autoPause, forKey: .autoPause)
    for parameter in self.cleared {
      if let key = CodingKeys(rawValue: parameter.rawValue) { try container.encodeNil(forKey: key) }
    }
  }
}
