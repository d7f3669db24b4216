/// The formats of a track.
package enum TrackFormat: String, Sendable, CaseIterable {
  case gpx, geojson, svg

  func write(_ track: RecordedTrack, to output: inout some TextOutputStream) {
    switch self {
    case .gpx: GPXWriter.write(track, to: &output)
    case .geojson: GeoJSONWriter.write(track, to: &output)
    case .svg: SVGWriter.write(track, to: &output)
    }
  }
}
