public import JSONRPC

/// How a significant change is followed up with a fix.
public struct AcquisitionObject: WireObject, Hashable {
  /// Seconds that it may take, from the receiver's first fix on.
  public var budget: Double?
  /// Metres: a fix of this accuracy ends it at once.
  public var desiredAccuracy: Double?
  /// Metres: the best fix is taken at the end of the budget if it is this accurate.
  public var acceptableAccuracy: Double?

  public init(budget: Double? = nil, desiredAccuracy: Double? = nil, acceptableAccuracy: Double? = nil) {
    self.budget = budget
    self.desiredAccuracy = desiredAccuracy
    self.acceptableAccuracy = acceptableAccuracy
  }

  public static let wire = ObjectCodec<AcquisitionObject>(blank: AcquisitionObject()) {
    Field.optional(
      "budget", \.budget, .number(.heartbeat), default: 15, example: 30,
      "Seconds that it may take, from the receiver's first fix on.")
    Field.optional(
      "desiredAccuracy", \.desiredAccuracy, .number(.meters), default: 10, example: 5,
      "Metres: a fix of this accuracy ends it at once.")
    Field.optional(
      "acceptableAccuracy", \.acceptableAccuracy, .number(.meters), default: 100, example: 50,
      "Metres: the best fix is taken at the end of the budget if it is this accurate.")
  }
}
