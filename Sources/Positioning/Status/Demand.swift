/// A need of the receiver; merged, the finest accuracy and the shortest interval of all.
public struct Demand: Hashable, Sendable {
  /// Metres.
  public var accuracy: Double
  /// Between two fixes.
  public var interval: Duration
  /// What moves the device.
  public var activity: Activity

  public init(accuracy: Double, interval: Duration, activity: Activity) {
    self.accuracy = accuracy
    self.interval = interval
    self.activity = activity
  }
}
