import PositionProtocol
import Positioning
import Printable

/// Writes a track as KML 2.2 with Google's tracks, which have a time for each point.
///
/// Each part is one track of a multiple one. Its points have altitudes only if all of them do: KML knows no unknown one.
enum KMLWriter {
  static let end = "    </gx:MultiTrack>\n  </Placemark></Document>\n</kml>\n"

  static func write(_ track: RecordedTrack, to output: inout some TextOutputStream) {
    self.writeHead(title: track.title, summary: track.summary, to: &output)
    for segment in track.segments { output.write(self.track(segment.points, segment.times)) }
    output.write(self.end)
  }

  /// Writes everything before the first part.
  static func writeHead(title: String, summary: String, to output: inout some TextOutputStream) {
    output.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
        <Document><name>\(XML.escaped(title))</name><Placemark>
          <name>\(XML.escaped(title))</name>
          <description>\(XML.escaped(summary))</description>
          <gx:MultiTrack>
            <gx:interpolate>0</gx:interpolate>

      """)
  }

  /// One part: all times, then all places, as the schema wants it.
  static func track(_ points: [TrackPoint], _ times: [Timestamp]) -> String {
    let hasAltitudes = points.allSatisfy { $0.altitude != nil }
    let mode = hasAltitudes ? "absolute" : "clampToGround"
    var text = "      <gx:Track><altitudeMode>\(mode)</altitudeMode>\n"
    for time in times { text += "        <when>\(time)</when>\n" }
    for point in points {
      let altitude = (hasAltitudes ? point.altitude : nil) ?? 0
      text +=
        "        <gx:coord>\(point.place.longitude.fixed(8)) \(point.place.latitude.fixed(8)) \(altitude.fixed(2))</gx:coord>\n"
    }
    return text + "      </gx:Track>\n"
  }
}
