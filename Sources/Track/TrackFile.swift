package import EventLoop
import Glibc
import ProgramArguments

/// The file for a track. Its name decides its format.
package struct TrackFile: Hashable, Sendable {
  package let path: String
  package let format: TrackFormat

  /// `nil` if the name does not have the extension of a format.
  package init?(_ path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      let format = TrackFormat(rawValue: name[name.index(after: dot)...].lowercased())
    else { return nil }
    self.path = path
    self.format = format
  }

  /// The file for a part of a recording, such as `tour-002.gpx` for the second of `tour.gpx`.
  ///
  /// - Parameter number: From 1 on.
  package func part(_ number: Int) -> TrackFile {
    let dot = self.path.lastIndex(of: ".") ?? self.path.endIndex
    let digits = "\(number)"
    let zeros = String(repeating: "0", count: max(0, 3 - digits.count))
    return TrackFile(path: "\(self.path[..<dot])-\(zeros)\(digits)\(self.path[dot...])", format: self.format)
  }

  private init(path: String, format: TrackFormat) {
    self.path = path
    self.format = format
  }

  /// Throws an error that would prevent writing, before anything is recorded in vain.
  package func check() throws(SystemError) {
    var status = stat()
    if unsafe stat(self.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw SystemError(code: EISDIR, call: "write \(self.path)")
    }
    _ = try NewFile(for: self.path)
  }

  /// Whether a file with this name exists.
  package var exists: Bool { FileIdentity(path: self.path) != nil }
}

/// The formats of a track.
package enum TrackFormat: String, Sendable, CaseIterable {
  case gpx, geojson, kml, csv, svg

  /// Whether it has places beside the track.
  package var hasWaypoints: Bool {
    switch self {
    case .gpx, .geojson, .kml: true
    case .csv, .svg: false
    }
  }

  package func write(_ track: RecordedTrack, to output: inout some TextOutputStream) {
    switch self {
    case .gpx: GPXWriter.write(track, to: &output)
    case .geojson: GeoJSONWriter.write(track, to: &output)
    case .kml: KMLWriter.write(track, to: &output)
    case .csv: CSVWriter.write(track, to: &output)
    case .svg: SVGWriter.write(track, to: &output)
    }
  }
}
