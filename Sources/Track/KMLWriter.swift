import PositionProtocol
import Positioning
import Printable

/// Writes a track as KML 2.2 with Google's tracks, which have a time for each point.
///
/// Each part is one track of a multiple one. Its points have altitudes only if all of them do: KML knows no unknown one. Errors
/// and speeds are arrays beside the places, which Google Earth draws as profiles; an unknown value is empty.
enum KMLWriter {
  private static let arrays: [(name: String, title: String, value: @Sendable (TrackPoint) -> Double?)] = [
    ("accuracy", "Accuracy (m)", { $0.horizontalAccuracy }),
    ("verticalAccuracy", "Accuracy of the altitude (m)", { $0.verticalAccuracy }),
    ("speed", "Speed (m/s)", { $0.speed }),
  ]
  private static let schema = "fix"
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
        <Document><name>\(XML.escaped(title))</name>
          <Schema id="\(self.schema)">\(self.arrays.map(self.field).joined())</Schema>
          \(waypoints.map(self.placemark).joined())<Placemark>
          <name>\(XML.escaped(title))</name>
          <description>\(XML.escaped(summary))</description>
          <gx:MultiTrack>
            <gx:interpolate>0</gx:interpolate>

      """)
  }

  private static func field(_ name: String, _ title: String, _: (TrackPoint) -> Double?) -> String {
    "<gx:SimpleArrayField name=\"\(name)\" type=\"float\"><displayName>\(title)</displayName></gx:SimpleArrayField>"
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
    return text + self.data(segment.points) + "      </gx:Track>\n"
  }

  /// The arrays of which at least one point has a value.
  private static func data(_ points: [TrackPoint]) -> String {
    let known = self.arrays.filter { array in points.contains { array.value($0) != nil } }
    guard !known.isEmpty else { return "" }
    var text = "        <ExtendedData><SchemaData schemaUrl=\"#\(self.schema)\">\n"
    for array in known {
      text += "          <gx:SimpleArrayData name=\"\(array.name)\">"
      for point in points { text += "<gx:value>\(array.value(point)?.fixed(2) ?? "")</gx:value>" }
      text += "</gx:SimpleArrayData>\n"
    }
    return text + "        </SchemaData></ExtendedData>\n"
  }
}
