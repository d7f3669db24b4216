import Broker
import Positioning

extension SubscriptionParameters.Mode: Codable {}
extension SubscriptionParameters.Replay: Codable {}

/// The parameters of a subscription, as stored. Absent members take the defaults.
struct ParametersForm: Codable {
  private struct Acquisition: Codable {
    var budget: DurationForm
    var desiredAccuracy: Double
    var acceptableAccuracy: Double?
  }

  private var mode: SubscriptionParameters.Mode
  private var level: AccuracyLevel?
  /// In place of a level.
  private var meters: Double?
  private var minInterval: DurationForm?
  private var minDistance: Double?
  private var maxInterval: DurationForm?
  private var onlyBetterThan: Double?
  private var maxUpdates: Int?
  private var duration: DurationForm?
  private var deferredDistance: Double?
  private var deferredTimeout: DurationForm?
  private var significantDistance: Double?
  private var significantInterval: DurationForm?
  private var acquire: Acquisition?
  private var activity: Activity?
  private var autoPause: Bool?
  private var replay: SubscriptionParameters.Replay?

  init(_ parameters: SubscriptionParameters) {
    self.mode = parameters.mode
    switch parameters.accuracy {
    case .level(let level): self.level = level
    case .meters(let meters): self.meters = meters
    }
    self.minInterval = DurationForm(parameters.minInterval)
    self.minDistance = parameters.minDistance
    self.maxInterval = parameters.maxInterval.map { DurationForm($0) }
    self.onlyBetterThan = parameters.onlyBetterThan
    self.maxUpdates = parameters.maxUpdates
    self.duration = parameters.duration.map { DurationForm($0) }
    self.deferredDistance = parameters.deferredDistance
    self.deferredTimeout = parameters.deferredTimeout.map { DurationForm($0) }
    self.significantDistance = parameters.significantDistance
    self.significantInterval = DurationForm(parameters.significantInterval)
    self.acquire = parameters.acquire.map {
      Acquisition(
        budget: DurationForm($0.budget), desiredAccuracy: $0.desiredAccuracy,
        acceptableAccuracy: $0.acceptableAccuracy)
    }
    self.activity = parameters.activity
    self.autoPause = parameters.autoPause
    self.replay = parameters.replay
  }

  var value: SubscriptionParameters {
    let usual = SubscriptionParameters(mode: self.mode)
    return SubscriptionParameters(
      mode: self.mode,
      accuracy: self.level.map { .level($0) } ?? self.meters.map { .meters($0) } ?? usual.accuracy,
      minInterval: self.minInterval?.value ?? usual.minInterval, minDistance: self.minDistance ?? usual.minDistance,
      maxInterval: self.maxInterval?.value, onlyBetterThan: self.onlyBetterThan, maxUpdates: self.maxUpdates,
      duration: self.duration?.value, deferredDistance: self.deferredDistance,
      deferredTimeout: self.deferredTimeout?.value,
      significantDistance: self.significantDistance ?? usual.significantDistance,
      significantInterval: self.significantInterval?.value ?? usual.significantInterval,
      acquire: self.acquire.map {
        SubscriptionParameters.Acquisition(
          budget: $0.budget.value, desiredAccuracy: $0.desiredAccuracy, acceptableAccuracy: $0.acceptableAccuracy)
      },
      activity: self.activity ?? usual.activity, autoPause: self.autoPause ?? usual.autoPause,
      replay: self.replay ?? usual.replay)
  }
}

/// A position registration, in a body.
struct PositionForm: Codable {
  private var parameters: ParametersForm
  private var lastDelivered: FixForm?
  private var expiry: MomentForm?
  private var updates: Int
  private var isPaused: Bool?

  init(_ position: StoredPosition) {
    self.parameters = ParametersForm(position.parameters)
    self.lastDelivered = position.lastDelivered.map { FixForm($0) }
    self.expiry = position.expiry.map { MomentForm($0) }
    self.updates = position.updates
    self.isPaused = position.isPaused ? true : nil
  }

  func value(_ placement: Placement) throws(UnreadableForm) -> StoredPosition {
    let parameters = self.parameters.value
    return StoredPosition(
      parameters: parameters, lastDelivered: try self.lastDelivered?.value(placement),
      expiry: self.expiry.map { placement.future($0, within: parameters.duration) },
      updates: try counter(self.updates),
      isPaused: self.isPaused ?? false)
  }
}
