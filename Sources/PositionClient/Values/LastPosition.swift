import PositionProtocol
public import Positioning

/// The newest fix that the daemon has, and why there is or is not a fresher one.
public struct LastPosition: Hashable, Sendable {
  /// However old; absent where there has been none.
  public var fix: Fix?
  /// The finest level that the fix reaches.
  public var achievedAccuracy: AccuracyLevel?
  public var availability: Availability

  init(_ result: PositionLastRequest.Result) {
    self.fix = result.fix?.fix
    self.achievedAccuracy = result.achievedAccuracy
    self.availability = result.availability
  }
}
