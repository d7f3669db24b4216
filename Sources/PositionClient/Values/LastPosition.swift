import PositionProtocol
public import Positioning

/// The newest fix that the daemon has, and why there is or is not a fresher one.
public struct LastPosition: Hashable, Sendable {
  /// However old; absent where there has been none.
  public var fix: Fix?
  /// The finest level that the fix reaches.
  public var achievedAccuracy: AccuracyLevel?
  /// Why there is or is not a fresher fix.
  public var availability: Availability

  /// A position as a test of a program may want one.
  public init(fix: Fix? = nil, achievedAccuracy: AccuracyLevel? = nil, availability: Availability) {
    self.fix = fix
    self.achievedAccuracy = achievedAccuracy
    self.availability = availability
  }

  init(_ result: PositionLastRequest.Result) {
    self.fix = result.fix
    self.achievedAccuracy = result.achievedAccuracy
    self.availability = result.availability
  }
}
