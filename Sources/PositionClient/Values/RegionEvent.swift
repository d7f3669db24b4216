package import PositionProtocol
public import Positioning

/// Something that happened with a region.
public struct RegionEvent: Hashable, Sendable {
  /// The region's id.
  public var id: String
  /// What happened.
  public var kind: RegionEventKind
  /// Where the device is after it.
  public var state: RegionState
  /// The fix that decided it; absent where time alone did.
  public var fix: Fix?
  /// Whether no fix lay inside, and the way between two fixes tells it.
  public var isInferred: Bool
  /// How likely the device is inside, 0...1; where a fix decided.
  public var probability: Double?

  /// An event as a test of a program may want one.
  public init(
    id: String, kind: RegionEventKind, state: RegionState, fix: Fix? = nil, isInferred: Bool = false,
    probability: Double? = nil
  ) {
    self.id = id
    self.kind = kind
    self.state = state
    self.fix = fix
    self.isInferred = isInferred
    self.probability = probability
  }

  package init(_ event: RegionEventNotification) {
    self.init(
      id: event.id, kind: event.event, state: event.state, fix: event.fix, isInferred: event.isInferred,
      probability: event.probability)
  }
}
