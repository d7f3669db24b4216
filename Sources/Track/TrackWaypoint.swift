import Geodesy
package import Positioning

/// A named place that a track's file shows beside the track.
package struct TrackWaypoint: Hashable, Sendable {
  let name: String
  let description: String
  let place: Coordinate
  /// Metres around the place; `nil`: it is a place only.
  let radius: Double?

  /// The middle of a region: the centre of a circle, and of a polygon what its corners are around.
  ///
  /// - Parameter description: What it is, in words.
  package init(_ region: Region, description: String) {
    self.name = region.id
    self.description = description
    switch region.shape {
    case .circle(let center, let radius): (self.place, self.radius) = (center, radius)
    case .polygon(let corners): (self.place, self.radius) = (Self.middle(of: corners), nil)
    }
  }

  private static func middle(of corners: [Coordinate]) -> Coordinate {
    var mean: MeanPlace?
    for corner in corners {
      if mean == nil { mean = MeanPlace(corner, accuracy: 1) } else { mean?.add(corner, accuracy: 1) }
    }
    return mean?.coordinate ?? Coordinate(latitude: 0, longitude: 0)
  }
}
