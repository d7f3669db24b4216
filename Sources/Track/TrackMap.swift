import Geodesy
import Glibc
import Positioning
import Printable

/// A projection of a track onto a sheet: the position of each fix on the sheet, and the length of a metre.
///
/// Distances and directions from the middle of the track are exact (the azimuthal equidistant projection). Within the
/// size of a country the distortion of the rest is invisible, anywhere on the globe.
struct TrackMap: Hashable, Sendable {
  /// A fix on the sheet.
  struct Spot: Hashable, Sendable {
    /// From the left and from the top edge of the sheet.
    var x: Double
    var y: Double
    /// The radius of the accuracy's circle; `nil` if it is unknown.
    var radius: Double?

    func distance(to other: Spot) -> Double { hypot(other.x - self.x, other.y - self.y) }
  }

  /// The frame around the track, from the left and from the top edge of the sheet.
  struct Frame: Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  /// The least distance from the track to the frame.
  private static let margin = 48.0
  /// The least extent in metres, so that the noise of a stationary device is not magnified.
  private static let smallestExtent = 40.0

  let frame: Frame
  /// Units of the sheet per metre.
  let scale: Double
  /// The fixes of each segment.
  let segments: [[Spot]]

  /// - Parameters:
  ///   - origin: The frame's upper left corner.
  ///   - heights: The limits of the frame's height, which follows from the track.
  init(_ track: RecordedTrack, origin: (x: Double, y: Double), width: Double, heights: ClosedRange<Double>) {
    let middle = Self.middle(of: track)
    let flat = track.segments.map { segment in
      segment.points.map { point in Self.flat(point.place, around: middle, accuracy: point.horizontalAccuracy) }
    }
    let xs = flat.joined().map(\.x)
    let ys = flat.joined().map(\.y)
    let (west, east, north, south) = (xs.min() ?? 0, xs.max() ?? 0, ys.min() ?? 0, ys.max() ?? 0)
    // Half of the circles must be visible whole, without dominating the map.
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

/// The scale bar of a map, of a round length.
package struct ScaleBar: Hashable, Sendable {
  /// 1, 2 or 5 times a power of ten.
  package let meters: Double
  /// The length on the sheet.
  package let length: Double

  /// - Parameters:
  ///   - scale: Units of the sheet for a metre.
  ///   - limit: The longest that it may be on the sheet.
  package init(scale: Double, limit: Double) {
    let most = limit / scale
    let power = pow(10, floor(log10(most)))
    self.meters = (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1) * power
    self.length = self.meters * scale
  }

  package var label: String {
    switch self.meters {
    case 1000...: "\((self.meters / 1000).fixed(0)) km"
    case 1...: "\(self.meters.fixed(0)) m"
    default: "\((self.meters * 100).fixed(0)) cm"
    }
  }
}
