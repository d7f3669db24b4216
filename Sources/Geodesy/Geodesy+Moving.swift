import Glibc
package import Positioning

extension Geodesy {
  /// The place that is so many metres east and north of another, computed on the mean sphere: within 0.6 % for
  /// distances of some kilometres. At a pole, east and north are those of the place's longitude.
  package static func moved(_ place: Coordinate, east: Double, north: Double) -> Coordinate {
    let (latitude, longitude) = (place.latitude.radians, place.longitude.radians)
    let eastward = Vector(x: -sin(longitude), y: cos(longitude), z: 0)
    let northward = Vector(
      x: -sin(latitude) * cos(longitude), y: -sin(latitude) * sin(longitude), z: cos(latitude))
    return Coordinate(
      normal: place.normal + eastward * (east / GreatCircle.radius) + northward * (north / GreatCircle.radius))
  }
}
