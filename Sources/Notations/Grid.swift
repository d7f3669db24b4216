import CGeographic
import Positioning
import Printable

/// Grids of GeographicLib: UTM and UPS, MGRS, geohash; and its reader of angles.
enum Grid {
  /// The sides, in degrees, of the cells of geohashes, which divide longitude and latitude in turns, five times a letter.
  static let geohashCells = (1...12).map { length in
    let bits = 5 * length
    return (count: length, latitude: 180 / Double(1 << (bits / 2)), longitude: 360 / Double(1 << (bits - bits / 2)))
  }

  /// `u281z7j7p`; `nil`: GeographicLib refuses it.
  static func geohash(_ place: Coordinate, length: Int) -> String? {
    unsafe self.text { unsafe cgeographic_geohash(place.latitude, place.longitude, Int32(length), $0) }
  }

  /// `32U PU 91650 34754`; a square of 100 km, `32U PU`, has no digits.
  static func mgrs(_ place: Coordinate, _ digits: Digits) -> String? {
    let count = digits.squares
    guard
      let text = unsafe self.text({ unsafe cgeographic_mgrs(place.latitude, place.longitude, Int32(count), $0) }),
      text.utf8.count >= count * 2 + 3
    else { return nil }
    let head = text.dropLast(count * 2)
    let words = [head.dropLast(2), head.suffix(2), text.suffix(count * 2).prefix(count), text.suffix(count)]
    return words.prefix(count == 0 ? 2 : 4).joined(separator: " ")
  }

  /// `32U 691650 5334754`: the zone with its latitude band, easting and northing; at the poles the band alone, and UPS.
  static func utm(_ place: Coordinate, _ digits: Digits) -> String? {
    var grid = cgeographic_grid()
    guard unsafe cgeographic_grid(place.latitude, place.longitude, &grid),
      // The square of 100 km begins with the zone and its band.
      let square = unsafe self.text({ unsafe cgeographic_mgrs(place.latitude, place.longitude, 0, $0) })
    else { return nil }
    let zone = square.dropLast(2)
    let step = digits.gridStep
    let decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
    let numbers = [grid.easting, grid.northing].map { (($0 / step).rounded() * step).fixed(decimals) }
    return "\(zone) \(numbers.joined(separator: " "))"
  }

  /// The middle of a square; `nil` for any other text.
  static func place(mgrs text: String) -> Coordinate? {
    unsafe self.place { unsafe cgeographic_place_of_mgrs(text, $0, $1) }
  }

  /// The middle of a cell; `nil` for any other text.
  static func place(geohash text: String) -> Coordinate? {
    unsafe self.place { unsafe cgeographic_place_of_geohash(text, $0, $1) }
  }

  /// `nil` if they are no angles, or not one of each direction.
  static func place(angles first: String, _ second: String) -> Coordinate? {
    unsafe self.place { unsafe cgeographic_place_of_angles(first, second, $0, $1) }
  }

  /// - Parameter zone: 0 is UPS.
  static func place(zone: Int, isNorth: Bool, easting: Double, northing: Double) -> Coordinate? {
    var grid = cgeographic_grid(zone: Int32(zone), is_north: isNorth, easting: easting, northing: northing)
    return unsafe self.place { unsafe cgeographic_place_of_grid(&grid, $0, $1) }
  }

  private static func text(_ write: (UnsafeMutablePointer<CChar>) -> Bool) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CGEOGRAPHIC_TEXT)) { buffer in
      guard let text = buffer.baseAddress, unsafe write(text) else { return nil }
      return unsafe String(cString: text)
    }
  }

  private static func place(
    _ read: (UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>) -> Bool
  ) -> Coordinate? {
    var place = (latitude: 0.0, longitude: 0.0)
    guard unsafe read(&place.latitude, &place.longitude), (-90...90).contains(place.latitude) else { return nil }
    return Coordinate(latitude: place.latitude, longitude: place.longitude.onGlobe)
  }
}

extension Double {
  /// The longitude within -180...180; one in this range is not changed.
  fileprivate var onGlobe: Double { self == 180 ? 180 : self.wrappedLongitude }
}
