/// An event of a region.
public struct RegionEvent: Hashable, Sendable {
  /// The region's id.
  public var id: String
  /// What happened.
  public var kind: RegionEventKind
  /// The region's state after the event.
  public var state: RegionState
  /// The fix that caused it; `nil` if only time did (`dwell`, `expired`).
  public var fix: Fix?
  /// Whether no fix was inside and only the path between two fixes shows it.
  public var isInferred: Bool
  /// Whether it is the state in which the region began, which `initial` requested: nothing was entered or left.
  public var isInitial: Bool
  /// The probability that the device is inside, if a fix decided.
  public var probability: Double?
  /// When the device was inside, computed from the two fixes; of `crossed` only.
  package var passage: ClosedRange<Instant>?
  /// Whether the reduced position decided it.
  package var isReduced = false

  /// An event, for a program's tests.
  public init(
    id: String, kind: RegionEventKind, state: RegionState, fix: Fix? = nil, isInferred: Bool = false,
    isInitial: Bool = false, probability: Double? = nil
  ) {
    self.id = id
    self.kind = kind
    self.state = state
    self.fix = fix
    self.isInferred = isInferred
    self.isInitial = isInitial
    self.probability = probability
  }

  package init(
    id: String, kind: RegionEventKind, state: RegionState, fix: Fix?, isInferred: Bool, isInitial: Bool,
    probability: Double?, passage: ClosedRange<Instant>?, isReduced: Bool
  ) {
    self.init(
      id: id, kind: kind, state: state, fix: fix, isInferred: isInferred, isInitial: isInitial, probability: probability
    )
    self.passage = passage
    self.isReduced = isReduced
  }
}

/// A region, and whether the device is inside.
public struct RegionInfo: Hashable, Sendable {
  public var region: Region
  /// Where the device is, as decided by the fixes.
  public var state: RegionState
  /// Since when; `nil` while that is unknown.
  public var since: Instant?
  /// The time until it ends; `nil` if it does not.
  public var remaining: Duration?
  /// Whether the reduced position decides its state.
  package var isReduced = false

  public init(region: Region, state: RegionState, since: Instant? = nil, remaining: Duration? = nil) {
    self.region = region
    self.state = state
    self.since = since
    self.remaining = remaining
  }

  package init(region: Region, state: RegionState, since: Instant?, remaining: Duration?, isReduced: Bool) {
    self.init(region: region, state: state, since: since, remaining: remaining)
    self.isReduced = isReduced
  }
}
