public import JSONRPC

/// How a significant change is followed up with a fix.
public struct AcquisitionObject: DescribedObject {
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

  public static let fields: [FieldDescription] = [
    FieldDescription(
      "budget", .number(.heartbeat), .defaulted(15), example: 30,
      "Seconds that it may take, from the receiver's first fix on."),
    FieldDescription(
      "desiredAccuracy", .number(.meters), .defaulted(10), example: 5,
      "Metres: a fix of this accuracy ends it at once."),
    FieldDescription(
      "acceptableAccuracy", .number(.meters), .defaulted(100), example: 50,
      "Metres: the best fix is taken at the end of the budget if it is this accurate."),
  ]
}
