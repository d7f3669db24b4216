import Positioning

/// The text of a file during its recording. It is complete after each step: the closing lines follow every addition,
/// and the next addition overwrites them.
struct GrowingText: Sendable {
  private enum Form {
    case gpx
    case geojson
  }

  private let form: Form
  private var pieces = TrackPieces()
  private var hasBegun = false

  /// `nil` if a file of the format cannot grow.
  init?(_ format: TrackFormat) {
    switch format {
    case .gpx: self.form = .gpx
    case .geojson: self.form = .geojson
    case .svg: return nil
    }
  }

  /// The closing lines.
  var closing: String {
    switch self.form {
    case .gpx: GPXWriter.segmentEnd + GPXWriter.end
    case .geojson: "\n]}\n"
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
        GeoJSONWriter.write(RecordedTrack(piece, device: recorder.device), to: &text)
        text.removeLast()
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
        title: title, summary: "recording in progress", start: start, device: device, to: &text)
    case .geojson: text += #"{"type":"FeatureCollection","features":["# + "\n"
    }
  }

  private static func writeGPX(_ piece: TrackPieces.Piece, isFirst: Bool, to text: inout String) {
    if piece.last == nil { text += (isFirst ? "" : GPXWriter.segmentEnd) + GPXWriter.segmentStart }
    for (point, time) in zip(piece.points, piece.times) { text += GPXWriter.line(point, time) }
  }
}

extension RecordedTrack {
  /// A piece of a recording as a track of its own, which begins at the end of the previous piece.
  fileprivate init(_ piece: TrackPieces.Piece, device: String?) {
    let link = piece.last
    let segment = Segment(
      points: (link.map { [$0.point] } ?? []) + piece.points, times: (link.map { [$0.time] } ?? []) + piece.times)
    var odometer = Odometer()
    for point in segment.points { odometer.moved(to: point.place, accuracy: point.horizontalAccuracy) }
    self.init(segment, count: piece.points.count, length: odometer.length, device: device)
  }
}
