package import Positioning

/// An event of a visit.
package enum VisitEvent: Hashable, Sendable {
  /// The device has rested for long enough; the visit has no departure yet.
  case arrived(Visit)
  /// The device has left; the visit has its departure, and everything that `arrived` had.
  case departed(Visit)

  package var visit: Visit {
    switch self {
    case .arrived(let visit), .departed(let visit): visit
    }
  }
}
