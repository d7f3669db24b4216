/// The search for a good fix after a significant change.
public struct Acquisition: Hashable, Sendable {
  /// How long the search may take, counted from the receiver's first fix.
  public var budget: Duration
  /// Metres. A fix of this accuracy ends the search at once.
  public var desiredAccuracy: Double
  /// Metres. At the end of the budget the best fix is delivered if it is this accurate; `nil`: whatever its accuracy.
  public var acceptableAccuracy: Double?

  /// An acquisition; omitted values are the daemon's defaults.
  public init(
    budget: Duration = .seconds(15), desiredAccuracy: Double = 10, acceptableAccuracy: Double? = 100
  ) {
    self.budget = budget
    self.desiredAccuracy = desiredAccuracy
    self.acceptableAccuracy = acceptableAccuracy
  }
}
