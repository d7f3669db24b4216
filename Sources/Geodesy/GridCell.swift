import Glibc
package import Positioning

/// One cell of a fixed grid over the earth. All positions in it are represented by one point, the cell's centre.
///
/// Bands of latitude are one cell high, and cells divide each band evenly; none is narrower than it is high. No cell is
/// cut by the antimeridian, and around each pole is a round cell. Neighbouring bands have the same number of cells for
/// hundreds of kilometres: if the edges of each band were elsewhere, a route to the north would cross so many different
/// edges that they would reveal the longitude to a few metres.
package struct GridCell: Hashable, Sendable {
  /// The point that represents all places in the cell.
  package let middle: Coordinate
  /// Degrees of latitude: 1990 m at the equator, 2010 m at the poles.
  package let height: Double
  /// Degrees of longitude: 2000 to 2260 m along the middle of the cell.
  package let width: Double

  /// Metres.
  private static let size = 2000.0
  /// From pole to pole.
  private static let bands = 10_000.0
  /// The number of cells in a band has so many significant binary digits, so that it is the same in neighbouring bands.
  private static let digits = 4

  /// - Parameter place: a latitude of -90...90, and any longitude.
  package init(holding place: Coordinate) {
    // Adding 0 takes the sign from -0.
    let band = (place.latitude * Self.bands / 180).rounded() + 0
    let latitude = band * 180 / Self.bands
    let count = Self.cells(at: latitude)
    // The last cell of the band ends where the first begins.
    let cell = (place.longitude.wrappedLongitude * count / 360).rounded() + 0
    let longitude = (cell < 0 ? cell + count : cell) * 360 / count
    self.middle = Coordinate(latitude: latitude, longitude: longitude < 180 ? longitude : longitude - 360)
    self.height = 180 / Self.bands
    self.width = 360 / count
  }

  private static func cells(at latitude: Double) -> Double {
    let most = Int(2 * .pi * GreatCircle.radius * cos(latitude.radians) / self.size)
    guard most > 0 else { return 1 }
    let zeros = max(0, Int.bitWidth - most.leadingZeroBitCount - self.digits)
    return Double((most >> zeros) << zeros)
  }
}
