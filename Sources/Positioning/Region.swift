/// A place that is watched.
public struct Region: Hashable, Sendable {
  public var id: String
  public var shape: RegionShape
  public var notify: Set<RegionEventKind>
  public var dwellTime: Duration?
  public var latency: Duration?
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

public enum RegionShape: Hashable, Sendable {
  case circle(center: Coordinate, radius: Double)
  case polygon([Coordinate])
}

public enum RegionState: String, Hashable, Sendable, CaseIterable, Codable {
  case unknown, inside, outside
}

public enum RegionEventKind: String, Hashable, Sendable, CaseIterable, Codable {
  case enter, exit, dwell, crossed, expired
}

public enum InitialReport: String, Hashable, Sendable, CaseIterable, Codable {
  case none, ifInside, always
}
