/// A named pair of bounds on accuracy and age, from coarse to fine.
public enum AccuracyLevel: String, Hashable, Sendable, CaseIterable, Comparable {
  case city, neighborhood, block, house, room

  /// The largest 68 % radius that reaches the level, in metres; inclusive.
  public var meters: Double {
    switch self {
    case .city: 5000
    case .neighborhood: 1000
    case .block: 100
    case .house: 15
    case .room: 5
    }
  }

  /// The greatest age that reaches the level; inclusive.
  public var maximumAge: Duration {
    switch self {
    case .city: .seconds(600)
    case .neighborhood: .seconds(300)
    case .block: .seconds(60)
    case .house: .seconds(15)
    case .room: .seconds(5)
    }
  }

  /// Coarser is less.
  public static func < (left: AccuracyLevel, right: AccuracyLevel) -> Bool {
    left.meters > right.meters
  }

  /// Whether both bounds hold. Unknown accuracy reaches no level.
  public func isReached(accuracy: Double?, age: Duration) -> Bool {
    guard let accuracy, accuracy > 0 else { return false }
    return accuracy <= self.meters && age <= self.maximumAge
  }

  /// The finest level that an accuracy of that age reaches, falling through to coarser ones.
  public static func achieved(accuracy: Double?, age: Duration) -> AccuracyLevel? {
    AccuracyLevel.allCases.last { $0.isReached(accuracy: accuracy, age: age) }
  }
}

/// How accurate a client wants a position to be: a level, or metres.
public enum AccuracyDemand: Hashable, Sendable {
  case level(AccuracyLevel)
  /// Greater than 0 and finite.
  case meters(Double)

  /// The largest acceptable 68 % radius, in metres; inclusive.
  public var meters: Double {
    switch self {
    case .level(let level): level.meters
    case .meters(let meters): meters
    }
  }

  /// The level whose age bound applies: the finest whose radius is not smaller, or the coarsest.
  public var level: AccuracyLevel {
    switch self {
    case .level(let level): level
    case .meters(let meters): AccuracyLevel.allCases.last { $0.meters >= meters } ?? .city
    }
  }

  /// The greatest age that is accepted if the client gives none.
  public var maximumAge: Duration { self.level.maximumAge }
}

extension AccuracyDemand {
  /// ``AccuracyLevel/city``: at most 5000 m, and at most 10 min old.
  public static let city = Self.level(.city)
  /// ``AccuracyLevel/neighborhood``: at most 1000 m, and at most 5 min old.
  public static let neighborhood = Self.level(.neighborhood)
  /// ``AccuracyLevel/block``: at most 100 m, and at most 1 min old.
  public static let block = Self.level(.block)
  /// ``AccuracyLevel/house``: at most 15 m, and at most 15 s old.
  public static let house = Self.level(.house)
  /// ``AccuracyLevel/room``: at most 5 m, and at most 5 s old.
  public static let room = Self.level(.room)
}
