import Geodesy
import Glibc
import Positioning

/// A track laid flat onto a sheet: where each fix stands on it, and how long a metre is.
///
/// Distances and directions from the middle of the track are true (the azimuthal equidistant projection). Within the
/// size of a country so is all the rest, as far as one can see, wherever on the globe that is.
struct TrackMap: Hashable, Sendable {
  /// A fix on the sheet.
  struct Spot: Hashable, Sendable {
    /// From the left and from the top of the sheet.
    var x: Double
    var y: Double
    /// Of the accuracy's circle; `nil` where it is not known.
    var radius: Double?

    func distance(to other: Spot) -> Double { hypot(other.x - self.x, other.y - self.y) }
  }

  /// What the track is drawn within, from the left and from the top of the sheet.
  struct Frame: Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  /// From the track's outermost fixes to the frame.
  private static let margin = 48.0
  /// Metres: a device that stands is not to be looked at through a microscope.
  private static let smallestExtent = 40.0

  let frame: Frame
  /// Units of the sheet for a metre.
  let scale: Double
  /// The fixes of each segment.
  let segments: [[Spot]]

  /// - Parameters:
  ///   - origin: The frame's upper left corner.
  ///   - heights: How high the frame may be; as high as the track needs.
  init(_ track: RecordedTrack, origin: (x: Double, y: Double), width: Double, heights: ClosedRange<Double>) {
    let middle = Self.middle(of: track)
    let flat = track.segments.map { segment in
      segment.points.map { point in Self.flat(point.place, around: middle, accuracy: point.horizontalAccuracy) }
    }
    let xs = flat.joined().map(\.x)
    let ys = flat.joined().map(\.y)
    let (west, east, north, south) = (xs.min() ?? 0, xs.max() ?? 0, ys.min() ?? 0, ys.max() ?? 0)
    // Half of the circles are to be seen whole, and not so large that nothing else is.
    let accuracies = track.accuracies
    let typical = accuracies.isEmpty ? 0 : accuracies[accuracies.count / 2]
    let smallest = max(Self.smallestExtent, 4 * typical)
    let (extentX, extentY) = (max(east - west, smallest), max(south - north, smallest))
    let innerWidth = width - 2 * Self.margin
    let wanted = (innerWidth / extentX * extentY + 2 * Self.margin).rounded()
    let height = min(max(heights.lowerBound, wanted), heights.upperBound)
    let scale = min(innerWidth / extentX, (height - 2 * Self.margin) / extentY)
    self.frame = Frame(x: origin.x, y: origin.y, width: width, height: height)
    self.scale = scale
    let (centreX, centreY) = (origin.x + width / 2, origin.y + height / 2)
    self.segments = flat.map { spots in
      spots.map { spot in
        Spot(
          x: centreX + (spot.x - (west + east) / 2) * scale, y: centreY + (spot.y - (north + south) / 2) * scale,
          radius: spot.radius.map { $0 * scale })
      }
    }
  }

  private static func middle(of track: RecordedTrack) -> Coordinate {
    var mean: MeanPlace?
    for point in track.segments.lazy.flatMap(\.points) {
      if mean == nil { mean = MeanPlace(point.place, accuracy: 1) } else { mean?.add(point.place, accuracy: 1) }
    }
    return mean?.coordinate ?? Coordinate(latitude: 0, longitude: 0)
  }

  /// Metres to the east and to the south of the middle.
  private static func flat(_ place: Coordinate, around middle: Coordinate, accuracy: Double?) -> Spot {
    let distance = Geodesy.distance(from: middle, to: place)
    let bearing = (Geodesy.bearing(from: middle, to: place) ?? 0) * .pi / 180
    return Spot(x: distance * sin(bearing), y: -distance * cos(bearing), radius: accuracy)
  }
}
