import PositionProtocol
import Positioning
import Printable

/// Writes a track as KML 2.2 with Google's tracks, which have a time for each point.
///
/// Each part is one track of a multiple one. Its points have altitudes only if all of them do: KML knows no unknown one.
enum KMLWriter {
  static let end = "    </gx:MultiTrack>\n  </Placemark></Document>\n</kml>\n"

  static func write(_ track: RecordedTrack, to output: inout some TextOutputStream) {
    self.writeHead(title: track.title, summary: track.summary, waypoints: track.waypoints, to: &output)
    for segment in track.segments { output.write(self.track(segment)) }
    output.write(self.end)
  }

  /// Writes everything before the first part.
  static func writeHead(
    title: String, summary: String, waypoints: [TrackWaypoint], to output: inout some TextOutputStream
  ) {
    output.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
        <Document><name>\(XML.escaped(title))</name>\(waypoints.map(self.placemark).joined())<Placemark>
          <name>\(XML.escaped(title))</name>
          <description>\(XML.escaped(summary))</description>
          <gx:MultiTrack>
            <gx:interpolate>0</gx:interpolate>

      """)
  }

  private static func placemark(_ waypoint: TrackWaypoint) -> String {
    "<Placemark><name>\(XML.escaped(waypoint.name))</name>"
      + "<description>\(XML.escaped(waypoint.description))</description><Point><coordinates>"
      + "\(waypoint.place.longitude.fixed(8)),\(waypoint.place.latitude.fixed(8))</coordinates></Point></Placemark>\n    "
  }

  /// One part: all times, then all places, as the schema wants it.
  static func track(_ segment: RecordedTrack.Segment) -> String {
    let hasAltitudes = segment.points.allSatisfy { $0.altitude != nil }
    let mode = hasAltitudes ? "absolute" : "clampToGround"
    var text = "      <gx:Track><altitudeMode>\(mode)</altitudeMode>\n"
    for time in segment.times { text += "        <when>\(time)</when>\n" }
    for point in segment.points {
      let altitude = (hasAltitudes ? point.altitude : nil) ?? 0
      text +=
        "        <gx:coord>\(point.place.longitude.fixed(8)) \(point.place.latitude.fixed(8)) \(altitude.fixed(2))</gx:coord>\n"
    }
    return text + "      </gx:Track>\n"
  }
}
