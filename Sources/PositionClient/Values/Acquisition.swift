import PositionProtocol

/// How a significant change is followed up with a better fix.
public struct Acquisition: Hashable, Sendable {
  /// How long it may take, from the receiver's first fix on.
  public var budget: Duration
  /// Metres: a fix of this accuracy ends it at once.
  public var desiredAccuracy: Double
  /// Metres: at the end of the budget the best fix is taken if it is this accurate.
  public var acceptableAccuracy: Double

  /// An acquisition; what is left out is as the daemon has it by default.
  public init(
    budget: Duration = .seconds(15), desiredAccuracy: Double = 10, acceptableAccuracy: Double = 100
  ) {
    self.budget = budget
    self.desiredAccuracy = desiredAccuracy
    self.acceptableAccuracy = acceptableAccuracy
  }
}

extension AcquisitionObject {
  init(_ acquisition: Acquisition) {
    self.init(
      budget: acquisition.budget.wireSeconds, desiredAccuracy: acquisition.desiredAccuracy,
      acceptableAccuracy: acquisition.acceptableAccuracy)
  }
}
