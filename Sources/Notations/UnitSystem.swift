import Printable

/// The units of lengths and speeds that a person reads.
package enum UnitSystem: String, Hashable, Sendable, CaseIterable {
  /// Metres, kilometres, metres per second.
  case metric
  /// Nautical miles and knots; metres for what is short, and for altitudes.
  case nautical
  /// Feet, miles, miles per hour.
  case imperial

  package static let metersPerNauticalMile = 1852.0
  package static let metersPerMile = 1609.344
  package static let metersPerFoot = 0.3048
  package static let metersPerYard = 0.9144

  /// An accuracy or another short length, from metres: one decimal below ten, none from there on.
  func length(_ meters: Double) -> String {
    switch self {
    case .imperial where meters < Self.metersPerMile: "\((meters / Self.metersPerFoot).short) ft"
    case .imperial: "\((meters / Self.metersPerMile).short) mi"
    case .nautical where meters >= Self.metersPerNauticalMile: "\((meters / Self.metersPerNauticalMile).short) nmi"
    case .metric, .nautical: "\(meters.short) m"
    }
  }

  /// How far something is, from metres, in one unit with three digits.
  func distance(_ meters: Double) -> String {
    switch self {
    case .metric: Distance.words(meters)
    case .nautical where meters < 185.2: "\(meters.fixed(0)) m"
    case .nautical: Self.far(meters / Self.metersPerNauticalMile, "nmi")
    case .imperial where meters < 304.8: "\((meters / Self.metersPerFoot).fixed(0)) ft"
    case .imperial: Self.far(meters / Self.metersPerMile, "mi")
    }
  }

  private static func far(_ miles: Double, _ unit: String) -> String {
    "\(miles.fixed(miles < 9.995 ? 2 : miles < 99.95 ? 1 : 0)) \(unit)"
  }

  /// From metres.
  func altitude(_ meters: Double) -> String {
    switch self {
    case .metric, .nautical: "\(meters.fixed(0)) m"
    case .imperial: "\((meters / Self.metersPerFoot).fixed(0)) ft"
    }
  }

  /// From metres per second.
  func speed(_ metersPerSecond: Double) -> String {
    switch self {
    case .metric: "\(metersPerSecond.fixed(1)) m/s"
    case .nautical: "\((metersPerSecond * 3600 / Self.metersPerNauticalMile).fixed(1)) kn"
    case .imperial: "\((metersPerSecond * 3600 / Self.metersPerMile).fixed(1)) mph"
    }
  }
}
