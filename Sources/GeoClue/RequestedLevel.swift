package import Positioning

/// How accurately a program wants the position, in GeoClue's numbers (`GClueAccuracyLevel`).
package enum RequestedLevel: UInt32, Hashable, Sendable, CaseIterable {
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
    case .none, .country, .city: .city
    case .neighborhood: .neighborhood
    case .street: .block
    case .exact: .room
    }
  }

  /// The precision that a person is asked for: a program that wants a city needs no more than the reduced one.
  package var precision: Precision { self <= .city ? .reduced : .precise }
}

extension RequestedLevel: Comparable {
  package static func < (left: RequestedLevel, right: RequestedLevel) -> Bool { left.rawValue < right.rawValue }
}
