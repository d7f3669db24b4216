import JSONRPC
import PositionProtocol
import Positioning
import Printable

/// Writes a track as GeoJSON (RFC 7946): a collection of features, of which one is the track, with a line for each segment. The
/// others are the waypoints.
///
/// The properties of the positions are in `coordinateProperties`, in the same order and nesting as the positions. The
/// geometry is always a MultiLineString, so that programs need to know one nesting only; and gpsbabel takes a single line for
/// a route. The text is written piece by piece: as one value, a day of positions would be a hundred thousand small arrays.
enum GeoJSONWriter {
  static let end = "\n]}\n"

  static func write(_ track: RecordedTrack, to output: inout some TextOutputStream) {
    self.writeHead(track.waypoints, to: &output)
    self.writeFeature(track, fixes: track.count, to: &output)
    output.write(self.end)
  }

  /// Writes everything before the first feature of the track.
  static func writeHead(_ waypoints: [TrackWaypoint], to output: inout some TextOutputStream) {
    output.write(#"{"type":"FeatureCollection","features":["# + "\n")
    for waypoint in waypoints { output.write(self.feature(waypoint) + ",\n") }
  }

  /// - Parameter fixes: How many of its points no earlier feature has.
  static func writeFeature(_ track: RecordedTrack, fixes: Int, to output: inout some TextOutputStream) {
    let lines = track.segments.flatMap { GeoLine.lines(of: $0) }
    output.write(#"{"type":"Feature","properties":{"#)
    output.write(self.members(track, fixes: fixes).map { "\"\($0)\":\($1)" }.joined(separator: ","))
    output.write(",\n" + #""coordinateProperties":{"#)
    for (place, property) in self.properties(of: lines).enumerated() {
      output.write("\(place == 0 ? "" : ",\n")\"\(property.name)\":")
      self.write(lines, property.value, to: &output)
    }
    output.write("}},\n" + #""geometry":{"type":"MultiLineString","coordinates":"#)
    self.write(lines, self.coordinates, to: &output)
    output.write("}}")
  }

  private static func feature(_ waypoint: TrackWaypoint) -> String {
    let radius = waypoint.radius.map { ",\"radius\":\($0.fixed(1))" } ?? ""
    return #"{"type":"Feature","properties":{"name":\#(self.text(waypoint.name)),"#
      + #""description":\#(self.text(waypoint.description))\#(radius)},"#
      + #""geometry":{"type":"Point","coordinates":[\#(waypoint.place.longitude.fixed(8)),"#
      + "\(waypoint.place.latitude.fixed(8))]}}"
  }

  /// An array of arrays.
  private static func write(
    _ lines: [GeoLine], _ value: (GeoLine.Position) -> String, to output: inout some TextOutputStream
  ) {
    output.write("[")
    for (number, line) in lines.enumerated() {
      output.write(number == 0 ? "[" : ",\n[")
      for (place, position) in line.positions.enumerated() { output.write((place == 0 ? "" : ",") + value(position)) }
      output.write("]")
    }
    output.write("]")
  }

  /// A JSON string without control characters, which is safe for a terminal.
  private static func text(_ text: String) -> String {
    String(decoding: JSONValue.string(text).encoded(), as: UTF8.self).printableJSON
  }

  private static func coordinates(_ position: GeoLine.Position) -> String {
    let height = position.height.map { ",\($0.fixed(2))" } ?? ""
    return "[\(position.place.longitude.fixed(8)),\(position.place.latitude.fixed(8))\(height)]"
  }

  private static func members(_ track: RecordedTrack, fixes: Int) -> [(String, String)] {
    var members = [("name", self.text(track.title))]
    if let device = track.device { members.append(("device", self.text(device))) }
    return members + [
      ("start", "\"\(track.start)\""), ("end", "\"\(track.end)\""), ("fixes", "\(fixes)"),
      ("segments", "\(track.segments.count)"), ("distance", track.length.fixed(1)),
      ("duration", track.duration.fixed(3)),
    ]
  }

  private typealias Property = (name: String, value: (GeoLine.Position) -> String)

  /// The times, and the values that at least one fix has; `null` for a fix without one.
  private static func properties(of lines: [GeoLine]) -> [Property] {
    let numbers: [(name: String, path: @Sendable (TrackPoint) -> Double?)] = [
      ("horizontalAccuracies", { $0.horizontalAccuracy }), ("altitudes", { $0.altitude }),
      ("verticalAccuracies", { $0.verticalAccuracy }), ("speeds", { $0.speed }),
    ]
    let times: Property = ("times", { "\"\($0.time)\"" })
    return [times]
      + numbers.filter { number in
        lines.contains { $0.positions.contains { $0.point.flatMap(number.path) != nil } }
      }.map { number in (number.name, { $0.point.flatMap(number.path)?.fixed(2) ?? "null" }) }
  }
}

/// A line of positions that does not cross the antimeridian, as RFC 7946 recommends.
struct GeoLine: Hashable, Sendable {
  struct Position: Hashable, Sendable {
    var place: Coordinate
    /// Metres above the ellipsoid, which is GeoJSON's definition of height.
    var height: Double?
    var time: Timestamp
    /// The fix; `nil` at the antimeridian.
    var point: TrackPoint?
  }

  /// At least two, as GeoJSON requires: a single position is repeated.
  let positions: [Position]

  /// The lines of a segment, cut where it crosses the antimeridian: each part begins or ends on the antimeridian.
  static func lines(of segment: RecordedTrack.Segment) -> [GeoLine] {
    var lines: [[Position]] = [[]]
    for (point, time) in zip(segment.points, segment.times) {
      let position = Position(place: point.place, height: point.ellipsoidalAltitude, time: time, point: point)
      if let last = lines[lines.count - 1].last, abs(position.place.longitude - last.place.longitude) > 180 {
        let cut = self.cut(from: last, to: position)
        lines[lines.count - 1].append(cut.end)
        lines.append([cut.start])
      }
      lines[lines.count - 1].append(position)
    }
    return lines.map { GeoLine(positions: $0.count == 1 ? $0 + $0 : $0) }
  }

  /// The point at which the way between two positions crosses the antimeridian, on both of its sides.
  private static func cut(from last: Position, to next: Position) -> (end: Position, start: Position) {
    let side: Double = last.place.longitude < 0 ? -180 : 180
    let width = next.place.longitude + 2 * side - last.place.longitude
    let share = width == 0 ? 0 : (side - last.place.longitude) / width
    var end = last
    end.point = nil
    end.place.longitude = side
    end.place.latitude += share * (next.place.latitude - last.place.latitude)
    end.time = last.time + (next.time - last.time) * share
    end.height = nil
    if let one = last.height, let other = next.height { end.height = one + share * (other - one) }
    var start = end
    start.place.longitude = -side
    return (end, start)
  }
}
