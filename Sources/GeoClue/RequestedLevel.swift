package import Positioning

/// How accurately a program wants the position, in GeoClue's numbers (`GClueAccuracyLevel`).
package enum RequestedLevel: UInt32, Hashable, Sendable, CaseIterable {
  /// The program does not say, as Qt's programs do by default: as exact.
  case none = 0
  case country = 1
  case city = 4
  case neighborhood = 5
  case street = 6
  case exact = 8

  /// The finest level that is not above the number.
  package init(number: UInt32) {
    self = Self.allCases.last { $0.rawValue <= number } ?? .none
  }

  /// What is requested of the receiver. Fixes that are worse are delivered all the same, as GeoClue does.
  package var demand: AccuracyDemand {
    switch self {
    case .country, .city: .city
    case .neighborhood: .neighborhood
    case .street: .block
    case .exact, .none: .room
    }
  }

  /// The precision that a person is asked for: a program that wants a city needs no more than the reduced one.
  package var precision: Precision { self.isCoarse ? .reduced : .precise }

  /// Whether a reduced position is enough.
  var isCoarse: Bool { self == .country || self == .city }
}
