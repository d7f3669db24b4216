/// A part of the globe; a client is notified when the device enters and leaves it.
public struct Region: Hashable, Sendable {
  /// Its owner's name for it: 1 to 128 bytes of UTF-8 without control characters.
  public var id: String
  public var shape: RegionShape
  /// The events to report, in addition to `expired`, which is always reported.
  public var notify: Set<RegionEventKind>
  /// How long the device must have been inside for `dwell`; greater than 0.
  public var dwellTime: Duration?
  /// How late an event may be: the receiver sleeps so much longer than until the device can have reached the border.
  /// `nil`: no longer.
  public var latency: Duration?
  /// How long after it was added it expires.
  public var expiresIn: Duration?
  public var initial: InitialReport

  public init(
    id: String, shape: RegionShape, notify: Set<RegionEventKind> = [.enter, .exit], dwellTime: Duration? = nil,
    latency: Duration? = nil, expiresIn: Duration? = nil, initial: InitialReport = .none
  ) {
    self.id = id
    self.shape = shape
    self.notify = notify
    self.dwellTime = dwellTime
    self.latency = latency
    self.expiresIn = expiresIn
    self.initial = initial
  }
}

/// What a region covers.
public enum RegionShape: Hashable, Sendable {
  /// The radius is in metres along the ground.
  case circle(center: Coordinate, radius: Double)
  /// Joined in order, the last with the first, by great circles; the smaller side is inside.
  case polygon([Coordinate])
}

/// The events of a region.
public enum RegionEventKind: String, Hashable, Sendable, CaseIterable {
  case enter, exit
  /// The device has been inside for `dwellTime`.
  case dwell
  /// The device passed through between two fixes that both lay outside.
  case crossed
  /// Its time is over, and it was removed.
  case expired
  /// Unknown to a client: a later daemon sent a value that it does not know. No daemon sends it.
  case unknown

  /// The values that a daemon sends.
  public static let allCases: [RegionEventKind] = [.enter, .exit, .dwell, .crossed, .expired]
}

/// Where the device is, as decided by the fixes.
public enum RegionState: String, Hashable, Sendable, CaseIterable {
  case unknown, inside, outside
}

/// Whether the initial state of a new region is reported, although nothing was entered or left.
public enum InitialReport: String, Hashable, Sendable, CaseIterable {
  case none
  /// `enter` if the device is inside.
  case ifInside
  /// `enter` or `exit`.
  case always
}
