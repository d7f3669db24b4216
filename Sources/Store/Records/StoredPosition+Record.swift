import Broker
import JSONRPC
import Positioning

extension StoredPosition: Record {
  static let record = ObjectCodec<StoredPosition>(blank: StoredPosition(parameters: SubscriptionParameters())) {
    Field.optional("expiry", \.expiry, .moment)
    Field.flag("isPaused", \.isPaused)
    Field.optional("lastDelivered", \.lastDelivered, Fix.record.codec)
    Field.required("parameters", \.parameters, SubscriptionParameters.record.codec)
    Field.required("updates", \.updates, .integer)
  } check: { (position: inout StoredPosition, _: JSONView) throws(CodingFailure) in
    try checkCounter(position.updates)
  }

  mutating func map(by clock: ClockMapping) {
    self.lastDelivered?.map(by: clock)
    self.expiry = self.expiry.map { clock.future($0, within: self.parameters.duration) }
  }
}

/// Absent members take the defaults.
extension SubscriptionParameters: Record {
  static let record = ObjectCodec<SubscriptionParameters>(blank: SubscriptionParameters()) {
    Field.optional("acquire", \.acquire, Acquisition.record.codec)
    Field.defaulted("activity", \.activity, .word)
    Field.defaulted("autoPause", \.autoPause, .boolean)
    Field.optional("deferredDistance", \.deferredDistance, .number)
    Field.optional("deferredTimeout", \.deferredTimeout, .duration)
    Field.optional("duration", \.duration, .duration)
    Field.optional("level", \.level, .word)
    Field.optional("maxInterval", \.maxInterval, .duration)
    Field.optional("maxUpdates", \.maxUpdates, .integer)
    Field.optional("meters", \.meters, .number)
    Field.defaulted("minDistance", \.minDistance, .number)
    Field.defaulted("minInterval", \.minInterval, .duration)
    Field.required("mode", \.mode, .word)
    Field.optional("onlyBetterThan", \.onlyBetterThan, .number)
    Field.defaulted("replay", \.replay, .word)
    Field.defaulted("significantDistance", \.significantDistance, .number)
    Field.defaulted("significantInterval", \.significantInterval, .duration)
  }

  /// The accuracy if it is a level.
  fileprivate var level: AccuracyLevel? {
    get { if case .level(let level) = self.accuracy { level } else { nil } }
    set { if let newValue { self.accuracy = .level(newValue) } }
  }

  /// The accuracy if it is a number.
  fileprivate var meters: Double? {
    get { if case .meters(let meters) = self.accuracy { meters } else { nil } }
    set { if let newValue { self.accuracy = .meters(newValue) } }
  }
}

extension Acquisition: Record {
  static let record = ObjectCodec<Acquisition>(
    blank: Acquisition(acceptableAccuracy: nil)
  ) {
    Field.optional("acceptableAccuracy", \.acceptableAccuracy, .number)
    Field.required("budget", \.budget, .duration)
    Field.required("desiredAccuracy", \.desiredAccuracy, .number)
  }
}
