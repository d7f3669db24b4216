/// How a receiver works while it is on, as it has said itself.
public enum PowerSaving: String, Hashable, Sendable, CaseIterable {
  /// It tracks without a break; also while it is off, and where nobody knows.
  case full
  /// It saves what costs no accuracy, as u-blox has it.
  case balanced
  /// It tracks for a part of each second.
  case oneHertz
  /// It works at full power, because it refuses to save power or does not confirm it.
  case impossible
}

/// How far a receiver may save power while it is on. Of several demands the one counts that allows the least.
package enum SavingAllowance: Int, Hashable, Sendable, CaseIterable, Comparable {
  case none
  /// It may be balanced, or track for a part of each second, while its fixes are accurate to 15 m.
  case balanced, fine
  /// It may track for a part of each second while its fixes are accurate to 100 m.
  case coarse

  package static func < (left: SavingAllowance, right: SavingAllowance) -> Bool { left.rawValue < right.rawValue }

  package var mode: PowerSaving {
    switch self {
    case .none: .full
    case .balanced: .balanced
    case .fine, .coarse: .oneHertz
    }
  }

  /// The greatest radius in metres, of 68 %, that its fixes may have.
  package var accuracy: Double {
    switch self {
    case .none: 0
    case .balanced, .fine: AccuracyLevel.house.meters
    case .coarse: AccuracyLevel.block.meters
    }
  }

  /// What a demand allows. Full power is for the finest accuracy, for more than one fix a second, and for a vehicle that is
  /// followed closely.
  package init(_ demand: Demand) {
    let isVehicle =
      switch demand.activity {
      case .automotive, .otherNavigation, .airborne: true
      case .other, .fitness: false
      }
    if demand.accuracy < AccuracyLevel.house.meters || demand.interval < .seconds(1)
      || isVehicle && demand.interval < .seconds(5)
    {
      self = .none
    } else if demand.accuracy >= AccuracyLevel.block.meters {
      self = .coarse
    } else {
      self = demand.interval < .seconds(5) ? .balanced : .fine
    }
  }
}
