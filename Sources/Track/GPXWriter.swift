import PositionProtocol
import Positioning
import Printable

/// Writes a track as GPX 1.1, which every map program and the simulated receiver can read.
///
/// Values that GPX does not define are in extensions: speed and course in Garmin's, which other programs read too, and
/// the accuracy in our own. Unknown values are absent.
enum GPXWriter {
  static let segmentStart = "    <trkseg>\n"
  static let segmentEnd = "    </trkseg>\n"
  static let end = "  </trk>\n</gpx>\n"

  static func write(_ track: RecordedTrack, to output: inout some TextOutputStream) {
    self.writeHead(
      title: track.title, summary: track.summary, start: track.start, device: track.device, waypoints: track.waypoints,
      to: &output)
    for segment in track.segments {
      output.write(self.segmentStart)
      for (point, time) in zip(segment.points, segment.times) { output.write(self.line(point, time)) }
      output.write(self.segmentEnd)
    }
    output.write(self.end)
  }

  /// Writes everything before the first segment.
  static func writeHead(
    title: String, summary: String, start: Timestamp, device: String?, waypoints: [TrackWaypoint],
    to output: inout some TextOutputStream
  ) {
    output.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="positionctl \(Release.version)" xmlns="http://www.topografix.com/GPX/1/1"
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:positiond="urn:positiond:gpx:1">
        <metadata><time>\(start)</time></metadata>
      \(waypoints.map(self.waypoint).joined())  <trk>
          <name>\(XML.escaped(title))</name>
          <desc>\(XML.escaped(summary))</desc>

      """)
    if let device { output.write("    <src>\(XML.escaped(device))</src>\n") }
  }

  private static func waypoint(_ waypoint: TrackWaypoint) -> String {
    let radius = waypoint.radius.map {
      "<extensions><positiond:radius>\($0.fixed(1))</positiond:radius></extensions>"
    }
    return "  <wpt \(self.place(waypoint.place))><name>\(XML.escaped(waypoint.name))</name>"
      + "<desc>\(XML.escaped(waypoint.description))</desc><type>region</type>\(radius ?? "")</wpt>\n"
  }

  private static func place(_ place: Coordinate) -> String {
    // The schema excludes 180, which equals -180.
    let longitude = place.longitude.fixed(8)
    return "lat=\"\(place.latitude.fixed(8))\" lon=\"\(longitude == "180.00000000" ? "-\(longitude)" : longitude)\""
  }

  /// The elements are in the order of the schema.
  static func line(_ point: TrackPoint, _ time: Timestamp) -> String {
    var line = "      <trkpt \(self.place(point.place))>"
    if let altitude = point.altitude { line += "<ele>\(altitude.fixed(2))</ele>" }
    line += "<time>\(time)</time>"
    if let altitude = point.altitude, let ellipsoidal = point.ellipsoidalAltitude {
      line += "<geoidheight>\((ellipsoidal - altitude).fixed(2))</geoidheight>"
    }
    line += "<fix>\(self.kind(point))</fix>"
    if let satellites = point.satellitesUsed { line += "<sat>\(satellites)</sat>" }
    if let hdop = point.hdop { line += "<hdop>\(hdop.fixed(2))</hdop>" }
    return line + self.extensions(point) + "</trkpt>\n"
  }

  /// GPX has only one kind of correction.
  private static func kind(_ point: TrackPoint) -> String {
    switch (point.status, point.mode) {
    case (.dgnss, _), (.rtkFixed, _), (.rtkFloat, _): "dgps"
    case (.gnss, let mode), (.deadReckoning, let mode), (.combined, let mode), (.surveyed, let mode),
      (.simulated, let mode):
      mode.rawValue
    }
  }

  private static func extensions(_ point: TrackPoint) -> String {
    var movement = ""
    if let speed = point.speed { movement += "<gpxtpx:speed>\(speed.fixed(2))</gpxtpx:speed>" }
    if let course = point.course {
      let degrees = course.fixed(1)
      movement += "<gpxtpx:course>\(degrees == "360.0" ? "0.0" : degrees)</gpxtpx:course>"
    }
    var text = movement.isEmpty ? "" : "<gpxtpx:TrackPointExtension>\(movement)</gpxtpx:TrackPointExtension>"
    if let accuracy = point.horizontalAccuracy {
      text += "<positiond:accuracy>\(accuracy.fixed(2))</positiond:accuracy>"
    }
    if let accuracy = point.verticalAccuracy {
      text += "<positiond:verticalAccuracy>\(accuracy.fixed(2))</positiond:verticalAccuracy>"
    }
    return text.isEmpty ? "" : "<extensions>\(text)</extensions>"
  }
}

/// Escaping of text for XML.
package enum XML {
  /// The text as an element's content or an attribute's value in quotes; a character that XML does not allow becomes
  /// U+FFFD.
  package static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where self.isAllowed(scalar): result.unicodeScalars.append(scalar)
      default: result += "\u{FFFD}"
      }
    }
  }

  /// XML 1.0 allows only these three control characters; those of C1 are discouraged.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0x00...0x1F, 0x7F...0x9F, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}
