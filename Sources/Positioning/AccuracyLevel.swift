/// A named pair of bounds on accuracy and age, from coarse to fine.
public enum AccuracyLevel: String, Hashable, Sendable, CaseIterable, Codable, Comparable {
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

  /// The level whose age bound goes with the demand: the finest whose bound is not smaller, beyond the coarsest: that.
  public var level: AccuracyLevel {
    switch self {
    case .level(let level): level
    case .meters(let meters): AccuracyLevel.allCases.last { $0.meters >= meters } ?? .city
    }
  }

  /// The greatest age that serves when the client names none.
  public var maximumAge: Duration { self.level.maximumAge }
}

extension AccuracyDemand {
  /// What ``AccuracyLevel/city`` demands: 5000 m, and an age of 10 min at most.
  public static let city = Self.level(.city)
  /// What ``AccuracyLevel/neighborhood`` demands: 1000 m, and an age of 5 min at most.
  public static let neighborhood = Self.level(.neighborhood)
  /// What ``AccuracyLevel/block`` demands: 100 m, and an age of 1 min at most.
  public static let block = Self.level(.block)
  /// What ``AccuracyLevel/house`` demands: 15 m, and an age of 15 s at most.
  public static let house = Self.level(.house)
  /// What ``AccuracyLevel/room`` demands: 5 m, and an age of 5 s at most.
  public static let room = Self.level(.room)
}
