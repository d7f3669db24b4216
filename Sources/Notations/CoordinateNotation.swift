package import Positioning

/// A way to write a place.
package enum CoordinateNotation: String, Hashable, Sendable, CaseIterable {
  /// `48.137154 N, 11.576124 E`
  case decimal
  /// Degrees and minutes: `48°08.2292′N 11°34.5674′E`
  case dm
  /// Degrees, minutes and seconds: `48°08′13.75″N 11°34′34.05″E`
  case dms
  /// `32U 691650 5334754`; at the poles UPS: `Z 2000000 2000000`
  case utm
  /// `32U PU 91650 34754`
  case mgrs
  /// The Maidenhead locator: `JN58sd`
  case maidenhead
  /// An Open Location Code: `8FWH4HPG+VC9`
  case pluscode
  /// `u281z7j7p`
  case geohash

  /// The name for people, in the middle of a sentence.
  package var words: String {
    switch self {
    case .decimal: "decimal degrees"
    case .dm: "degrees and minutes"
    case .dms: "degrees, minutes and seconds"
    case .utm: "UTM"
    case .mgrs: "MGRS"
    case .maidenhead: "a Maidenhead locator"
    case .pluscode: "a plus code"
    case .geohash: "a geohash"
    }
  }

  /// The place with the digits that its accuracy carries. The ends of a grid lose nothing: UTM and MGRS go on as UPS.
  ///
  /// - Parameter accuracy: Metres; `nil`: as of a place that is exact.
  package func text(_ place: Coordinate, accuracy: Double?) -> String {
    // A negative zero would be south of the equator for GeographicLib.
    let place = Coordinate(latitude: place.latitude + 0, longitude: place.longitude + 0)
    let digits = Digits(accuracy: accuracy)
    return switch self {
    case .decimal: Angles.decimal(place, decimals: digits.decimals(of: Digits.degree, upTo: 8))
    case .dm: Angles.minutes(place, decimals: digits.decimals(of: Digits.degree / 60, upTo: 6))
    case .dms: Angles.seconds(place, digits)
    case .utm: Grid.utm(place, digits) ?? self.fallback(place, accuracy)
    case .mgrs: Grid.mgrs(place, digits) ?? self.fallback(place, accuracy)
    case .maidenhead: Maidenhead.locator(place, pairs: digits.cell(Maidenhead.cells, at: place.latitude))
    case .pluscode: PlusCode.code(place, length: digits.cell(PlusCode.cells, at: place.latitude))
    case .geohash:
      Grid.geohash(place, length: digits.cell(Grid.geohashCells, at: place.latitude)) ?? self.fallback(place, accuracy)
    }
  }

  /// For a place that no grid has, which is none on the Earth.
  private func fallback(_ place: Coordinate, _ accuracy: Double?) -> String {
    Self.decimal.text(place, accuracy: accuracy)
  }
}
