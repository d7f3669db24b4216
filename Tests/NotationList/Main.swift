import Notations
import Positioning

/// Writes places, drawn by a seed, in every notation, for judges that know the notations: `scripts/check-notations`.
@main
enum Main {
  /// Where grids have exceptions and ends: south, north, west, east.
  private static let special: [(Double, Double, Double, Double)] = [
    (56, 64, 2, 13), (71.5, 84.5, -1, 43), (83.5, 90, -180, 180), (-90, -79.5, -180, 180), (-90, 90, 179.99, 180),
    (-90, 90, -180, -179.99), (-0.01, 0.01, -180, 180),
  ]
  private static let corners = [-90.0, -80, -0.0, 0, 56, 64, 72, 84, 89.999_999, 90].flatMap { latitude in
    [-180.0, -179.999_999, -0.0, 0, 3, 6, 9, 12, 21, 33, 42, 179.999_999, 180].map {
      Coordinate(latitude: latitude, longitude: $0)
    }
  }

  static func main() {
    let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard words.count == 2, let count = words.first, let seed = words.last else {
      return print("usage: notationlist COUNT SEED")
    }
    var random = SeededRandom(seed: UInt64(seed))
    for place in self.corners { self.write(place) }
    for number in 0..<max(0, count - self.corners.count) {
      let box = number % 2 == 0 ? (-90, 90, -180, 180) : self.special[number / 2 % self.special.count]
      self.write(
        Coordinate(
          latitude: .random(in: box.0...box.1, using: &random), longitude: .random(in: box.2...box.3, using: &random)))
    }
  }

  /// The degrees, then a column for each notation and accuracy that a judge can compare.
  private static func write(_ place: Coordinate) {
    let columns: [(CoordinateNotation, Double)] = [
      (.utm, 0.01), (.mgrs, 1), (.mgrs, 60), (.maidenhead, 500), (.pluscode, 11), (.pluscode, 1), (.geohash, 3),
      (.geohash, 0.5), (.dms, 0.1), (.dm, 0.1), (.decimal, 0.1),
    ]
    let texts = columns.map { $0.text(place, accuracy: $1) }
    print((["\(place.latitude)", "\(place.longitude)"] + texts).joined(separator: "\t"))
  }
}
