import Positioning

/// The text of a file during its recording. It is complete after each step: the closing lines follow every addition,
/// and the next addition overwrites them.
struct GrowingText: Sendable {
  private enum Form {
    case gpx
    case geojson
    case kml
    case csv
  }

  private let form: Form
  private let waypoints: [TrackWaypoint]
  private var pieces = TrackPieces()
  private var hasBegun = false
  /// The number of the segment that the newest piece belongs to, from 1 on.
  private var segment = 0

  /// `nil` if a file of the format cannot grow.
  init?(_ format: TrackFormat, waypoints: [TrackWaypoint] = []) {
    self.waypoints = waypoints
    switch format {
    case .gpx: self.form = .gpx
    case .geojson: self.form = .geojson
    case .kml: self.form = .kml
    case .csv: self.form = .csv
    case .svg: return nil
    }
  }

  /// The closing lines.
  var closing: String {
    switch self.form {
    case .gpx: GPXWriter.segmentEnd + GPXWriter.end
    case .geojson: GeoJSONWriter.end
    case .kml: KMLWriter.end
    case .csv: ""
    }
  }

  /// The text that overwrites the closing lines, which must be written after it; empty if nothing was recorded since.
  mutating func addition(_ recorder: TrackRecorder, boot: Double) -> String {
    let pieces = self.pieces.take(recorder, boot: boot)
    guard let first = pieces.first?.times.first else { return "" }
    var text = ""
    if !self.hasBegun { self.begin(at: first, device: recorder.device, to: &text) }
    for (place, piece) in pieces.enumerated() {
      let isFirst = !self.hasBegun && place == 0
      switch self.form {
      case .gpx: Self.writeGPX(piece, isFirst: isFirst, to: &text)
      case .geojson:
        if !isFirst { text += ",\n" }
        if let track = RecordedTrack([piece.segment], device: recorder.device) {
          GeoJSONWriter.writeFeature(track, fixes: piece.points.count, to: &text)
        }
      case .kml:
        // The line to the first point of the piece belongs to it.
        text += KMLWriter.track(piece.segment)
      case .csv:
        if piece.last == nil { self.segment += 1 }
        for (point, time) in zip(piece.points, piece.times) {
          text += CSVWriter.line(point, time, segment: self.segment)
        }
      }
    }
    self.hasBegun = true
    return text
  }

  private func begin(at start: Timestamp, device: String?, to text: inout String) {
    switch self.form {
    case .gpx:
      let title = "Track of \(start.description.prefix(10))"
      GPXWriter.writeHead(
        title: title, summary: "recording in progress", start: start, device: device, waypoints: self.waypoints,
        to: &text)
    case .kml:
      KMLWriter.writeHead(
        title: "Track of \(start.description.prefix(10))", summary: "recording in progress", waypoints: self.waypoints,
        to: &text)
    case .csv: text += CSVWriter.header
    case .geojson: GeoJSONWriter.writeHead(self.waypoints, to: &text)
    }
  }

  private static func writeGPX(_ piece: TrackPieces.Piece, isFirst: Bool, to text: inout String) {
    if piece.last == nil { text += (isFirst ? "" : GPXWriter.segmentEnd) + GPXWriter.segmentStart }
    for (point, time) in zip(piece.points, piece.times) { text += GPXWriter.line(point, time) }
  }
}

/// Divides a growing recording into pieces, each of which is taken once.
struct TrackPieces: Hashable, Sendable {
  /// Fixes of one segment.
  struct Piece: Hashable, Sendable {
    /// At least one.
    let points: [TrackPoint]
    /// The time of each point, as far as known now; times are computed again at the end of the recording.
    let times: [Timestamp]
    /// The last point of the previous piece, if this piece continues its segment.
    let last: Link?

    /// From the end of the previous piece on.
    var segment: RecordedTrack.Segment {
      RecordedTrack.Segment(
        points: (self.last.map { [$0.point] } ?? []) + self.points,
        times: (self.last.map { [$0.time] } ?? []) + self.times)
    }
  }

  struct Link: Hashable, Sendable {
    let point: TrackPoint
    let time: Timestamp
  }

  /// The number of newest fixes by which the receiver's clock is judged.
  private static let judged = 1000

  private var segment = 0
  /// The number of fixes of the segment that were taken.
  private var taken = 0

  /// The fixes since the last call.
  mutating func take(_ recorder: TrackRecorder, boot: Double) -> [Piece] {
    let segments = recorder.segments
    guard self.segment < segments.count else { return [] }
    let waiting = segments[self.segment...].map(\.count).reduce(0, +) - self.taken
    let clock = TrackClock(segments.joined().suffix(max(waiting, Self.judged)), boot: boot)
    var pieces: [Piece] = []
    for place in self.segment..<segments.count {
      let points = Array(segments[place].dropFirst(self.taken))
      if !points.isEmpty {
        var clock = clock
        let link = self.taken > 0 ? segments[place][self.taken - 1] : nil
        let last = link.map { Link(point: $0, time: clock.time(of: $0)) }
        pieces.append(Piece(points: points, times: points.map { clock.time(of: $0) }, last: last))
      }
      (self.segment, self.taken) = (place, segments[place].count)
      if place < segments.count - 1 { self.taken = 0 }
    }
    return pieces
  }
}
