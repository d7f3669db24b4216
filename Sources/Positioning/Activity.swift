/// What moves the device, which limits how fast it can move.
public enum Activity: String, Hashable, Sendable, CaseIterable {
  case other, automotive, fitness, otherNavigation, airborne

  /// The speed that predictions assume, in metres per second.
  public var speedBound: Double {
    switch self {
    case .fitness: 12
    case .automotive, .other: 70
    case .otherNavigation: 100
    case .airborne: 300
    }
  }

  /// Metres: a device that stays within this radius is at rest.
  public var restRadius: Double {
    switch self {
    case .fitness: 25
    case .other, .automotive, .otherNavigation: 50
    case .airborne: 200
    }
  }

  /// How long the device must stay within `restRadius` to be at rest.
  public var restTime: Duration {
    switch self {
    case .fitness: .seconds(180)
    case .other, .automotive: .seconds(300)
    case .otherNavigation, .airborne: .seconds(600)
    }
  }

  /// The activity that covers all of these: theirs if they agree, else `other`.
  public static func merged(_ activities: some Sequence<Activity>) -> Activity {
    var merged: Activity?
    for activity in activities {
      if let merged, merged != activity { return .other }
      merged = activity
    }
    return merged ?? .other
  }
}
