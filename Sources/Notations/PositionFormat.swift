package import Positioning
import Printable

/// How a person reads positions: in which units, and in which notation of places. Every text for people that shows a
/// position uses one.
///
/// ```swift
/// let format = PositionFormat(units: .nautical, notation: .dms)
/// format.place(latitude: 48.137154, longitude: 11.576124, accuracy: 11)  // 48°08′13.8″N 11°34′34.0″E
/// format.speed(1.2)                                                      // 2.3 kn
/// ```
package struct PositionFormat: Hashable, Sendable {
  package var units: UnitSystem
  package var notation: CoordinateNotation

  package init(units: UnitSystem = .metric, notation: CoordinateNotation = .decimal) {
    self.units = units
    self.notation = notation
  }

  /// The place, with the digits that its accuracy carries.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north.
  ///   - longitude: Degrees east.
  ///   - accuracy: Metres; `nil`: the place is exact, or nobody knows how wrong it is.
  package func place(latitude: Double, longitude: Double, accuracy: Double?) -> String {
    self.notation.text(Coordinate(latitude: latitude, longitude: longitude), accuracy: accuracy)
  }

  /// The place of a fix.
  package func place(_ fix: Fix) -> String {
    self.place(latitude: fix.latitude, longitude: fix.longitude, accuracy: fix.horizontalAccuracy)
  }

  /// `±11 m`, from metres; `nil` is unknown.
  package func accuracy(_ meters: Double?) -> String {
    meters.map { "±\(self.units.length($0))" } ?? "(accuracy unknown)"
  }

  /// An accuracy or another short length, such as `9.8 m`, from metres.
  package func length(_ meters: Double) -> String { self.units.length(meters) }
  /// How far something is, such as `5.02 km`, from metres.
  package func distance(_ meters: Double) -> String { self.units.distance(meters) }
  /// `545 m`, from metres.
  package func altitude(_ meters: Double) -> String { self.units.altitude(meters) }
  /// `1.2 m/s`, from metres per second.
  package func speed(_ metersPerSecond: Double) -> String { self.units.speed(metersPerSecond) }
}
