import Positioning

/// Why a file is no track whose figures can be known.
package struct UnreadableTrack: Error, Hashable, CustomStringConvertible {
  /// Such as `it has no times`.
  package let description: String

  init(_ description: String) { self.description = description }
}

extension RecordedTrack {
  /// The longest file that is read, in bytes: five days at one fix a second, in the longest format.
  package static let longestFile = 1 << 28

  /// Reads a track from a file's text, which may be from another program, or of a recording that was killed.
  package init(reading text: [UInt8], _ format: TrackFormat) throws(UnreadableTrack) {
    var points = ReadPoints()
    switch format {
    case .gpx: GPXReader.read(text, into: &points)
    case .kml: KMLReader.read(text, into: &points)
    case .csv: try CSVReader.read(text, into: &points)
    case .geojson: try GeoJSONReader.read(text, into: &points)
    case .svg: throw UnreadableTrack("a picture has no times")
    }
    guard let track = RecordedTrack(points.segments, device: nil) else {
      throw UnreadableTrack(points.hasUntimed ? "it has no times" : "it has no track")
    }
    self = track
  }
}

/// The points of a file in the order in which it has them.
struct ReadPoints {
  private(set) var segments: [RecordedTrack.Segment] = []
  private var points: [TrackPoint] = []
  private var times: [Timestamp] = []
  /// Whether there are points without a time.
  private(set) var hasUntimed = false

  /// Takes the next point of the segment. One that is not later, or without a time, is ignored.
  mutating func add(_ place: Coordinate?, _ time: Timestamp?, _ change: (inout TrackPoint) -> Void) {
    guard let place else { return }
    guard let time else { return self.hasUntimed = true }
    guard var point = TrackPoint(place, time) else { return }
    if let last = self.times.last, let newest = self.points.last {
      guard time > last || time == last && place != newest.place else { return }
    }
    change(&point)
    point.leaveOutImpossible()
    self.points.append(point)
    self.times.append(time)
  }

  /// The time of the newest point of the segment.
  var newest: Timestamp? { self.times.last }

  /// Ends a segment. What goes on where and when the one before ended continues it: the pieces of a recording that was
  /// killed, and the parts of a line that was cut at the antimeridian.
  mutating func endSegment() {
    defer { (self.points, self.times) = ([], []) }
    guard let start = self.times.first, let first = self.points.first else { return }
    if let before = self.segments.last, let end = before.times.last, let last = before.points.last, start == end,
      Self.areOne(last.place, first.place)
    {
      self.segments[self.segments.count - 1] = RecordedTrack.Segment(
        points: before.points + self.points.dropFirst(), times: before.times + self.times.dropFirst())
    } else {
      self.segments.append(RecordedTrack.Segment(points: self.points, times: self.times))
    }
  }

  private static func areOne(_ one: Coordinate, _ other: Coordinate) -> Bool {
    one.latitude == other.latitude
      && (one.longitude == other.longitude || abs(one.longitude) == 180 && abs(other.longitude) == 180)
  }
}

/// Numbers of files.
enum FileNumber {
  /// A finite number; `nil` for any other text.
  static func read(_ text: String?) -> Double? {
    text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  static func place(latitude: String?, longitude: String?) -> Coordinate? {
    guard let latitude = self.read(latitude), let longitude = self.read(longitude) else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}
