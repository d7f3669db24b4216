import EventLoop
import JSONRPC
import PositionProtocol
import Positioning
import Printable
import TestSupport
import Testing

@testable import ControlCommands
@testable import Track

/// The files of tracks.
struct TrackWriterTests {
  private typealias Sample = TrackSamples

  /// A fix with all values, one with none, and one after a loss.
  private static func sample() throws -> RecordedTrack {
    var whole = Sample.fix(0, 48.137154321, 11.575382123, accuracy: 3.14)
    whole.altitude = 519.2
    whole.ellipsoidalAltitude = 565.9
    whole.verticalAccuracy = 6
    whole.speed = 1.42
    whole.course = 359.97
    whole.status = .dgnss
    whole.satellitesUsed = 9
    whole.device = "/dev/<tty>&\"\u{1b}"
    var bare = Sample.fix(1, -48.1, 180)
    bare.mode = .twoDimensional
    var recorder = TrackRecorder()
    recorder.saw(Sky(satellites: [], hdop: 0.9, arrival: Instant(sinceBoot: .seconds(1000))))
    recorder.fixed(whole)
    recorder.lost()
    recorder.fixed(bare)
    recorder.fixed(Sample.fix(2.5, -48.1001, -179.9999))
    return try #require(RecordedTrack(recorder, boot: 0))
  }

  @Test("GPX")
  func gpx() throws {
    #expect(
      Sample.written(try Self.sample(), .gpx) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="positionctl 0.1.0" xmlns="http://www.topografix.com/GPX/1/1"
          xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" xmlns:positiond="urn:positiond:gpx:1">
          <metadata><time>2026-01-31T12:00:00.000Z</time></metadata>
          <trk>
            <name>Track of 2026-01-31, 12:00:00 to 12:00:02 UTC</name>
            <desc>3 fixes, 0 m in 2.5 s, 2 segments</desc>
            <src>/dev/&lt;tty&gt;&amp;&quot;\u{FFFD}</src>
            <trkseg>
              <trkpt lat="48.13715432" lon="11.57538212"><ele>519.20</ele><time>2026-01-31T12:00:00.000Z</time>\
        <geoidheight>46.70</geoidheight><fix>dgps</fix><sat>9</sat><hdop>0.90</hdop><extensions>\
        <gpxtpx:TrackPointExtension><gpxtpx:speed>1.42</gpxtpx:speed><gpxtpx:course>0.0</gpxtpx:course>\
        </gpxtpx:TrackPointExtension><positiond:accuracy>3.14</positiond:accuracy>\
        <positiond:verticalAccuracy>6.00</positiond:verticalAccuracy></extensions></trkpt>
            </trkseg>
            <trkseg>
              <trkpt lat="-48.10000000" lon="-180.00000000"><time>2026-01-31T12:00:01.000Z</time><fix>2d</fix>\
        <hdop>0.90</hdop></trkpt>
              <trkpt lat="-48.10010000" lon="-179.99990000"><time>2026-01-31T12:00:02.500Z</time><fix>3d</fix>\
        <hdop>0.90</hdop></trkpt>
            </trkseg>
          </trk>
        </gpx>

        """)
  }

  @Test("CSV, with units in the header, empty where a value is unknown")
  func csv() throws {
    #expect(
      Sample.written(try Self.sample(), .csv).split(separator: "\r\n", omittingEmptySubsequences: false) == [
        "time,latitude_deg,longitude_deg,accuracy_m,altitude_m,ellipsoid_m,vertical_m,speed_mps,course_deg,satellites,hdop,"
          + "mode,segment",
        "2026-01-31T12:00:00.000Z,48.13715432,11.57538212,3.14,519.20,565.90,6.00,1.42,360.0,9,0.90,3d,1",
        "2026-01-31T12:00:01.000Z,-48.10000000,180.00000000,,,,,,,,0.90,2d,2",
        "2026-01-31T12:00:02.500Z,-48.10010000,-179.99990000,,,,,,,,0.90,3d,2", "",
      ])
  }

  @Test("KML, whose parts have altitudes only if each point has one")
  func kml() throws {
    #expect(
      Sample.written(try Self.sample(), .kml) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
          <Document><name>Track of 2026-01-31, 12:00:00 to 12:00:02 UTC</name>
            <Schema id="fix"><gx:SimpleArrayField name="accuracy" type="float"><displayName>Accuracy (m)</displayName>\
        </gx:SimpleArrayField><gx:SimpleArrayField name="verticalAccuracy" type="float"><displayName>Accuracy of the \
        altitude (m)</displayName></gx:SimpleArrayField><gx:SimpleArrayField name="speed" type="float"><displayName>Speed \
        (m/s)</displayName></gx:SimpleArrayField></Schema>
            <Placemark>
            <name>Track of 2026-01-31, 12:00:00 to 12:00:02 UTC</name>
            <description>3 fixes, 0 m in 2.5 s, 2 segments</description>
            <gx:MultiTrack>
              <gx:interpolate>0</gx:interpolate>
              <gx:Track><altitudeMode>absolute</altitudeMode>
                <when>2026-01-31T12:00:00.000Z</when>
                <gx:coord>11.57538212 48.13715432 519.20</gx:coord>
                <ExtendedData><SchemaData schemaUrl="#fix">
                  <gx:SimpleArrayData name="accuracy"><gx:value>3.14</gx:value></gx:SimpleArrayData>
                  <gx:SimpleArrayData name="verticalAccuracy"><gx:value>6.00</gx:value></gx:SimpleArrayData>
                  <gx:SimpleArrayData name="speed"><gx:value>1.42</gx:value></gx:SimpleArrayData>
                </SchemaData></ExtendedData>
              </gx:Track>
              <gx:Track><altitudeMode>clampToGround</altitudeMode>
                <when>2026-01-31T12:00:01.000Z</when>
                <when>2026-01-31T12:00:02.500Z</when>
                <gx:coord>180.00000000 -48.10000000 0.00</gx:coord>
                <gx:coord>-179.99990000 -48.10010000 0.00</gx:coord>
              </gx:Track>
            </gx:MultiTrack>
          </Placemark></Document>
        </kml>

        """)
  }

  @Test(
    "gpsbabel reads each file, while it grows and at its end, with all points",
    arguments: ["gpx", "kml", "csv", "geojson"])
  func read(name: String) throws {
    let format = try #require(TrackFormat(rawValue: name))
    let fixes = (0..<20).map { Sample.fix(Double($0), 48.1 + 0.001 * Double($0)) }
    let folder = try TemporaryFolder()
    var recorder = TrackRecorder()
    var (growing, kept) = (try #require(GrowingText(format)), "")
    for fix in fixes {
      recorder.fixed(fix)
      kept += growing.addition(recorder, boot: 0)
    }
    let whole = Sample.written(try #require(RecordedTrack(recorder, boot: 0)), format)
    for text in [kept + growing.closing, whole] {
      let file = "\(folder.path)/track.\(name)"
      try SystemDisk().replace(file, with: Array(text.utf8), mode: 0o600)
      let kind = name == "csv" ? "unicsv" : name
      let run = try SystemProgram.run(
        "/usr/bin/gpsbabel", ["-t", "-i", kind, "-f", file, "-o", "gpx", "-F", "-"])
      #expect(run.code == 0, "\(run.words)")
      for fix in fixes { #expect(run.words.contains("lat=\"\(fix.latitude.fixed(9))\""), "\(name): \(run.words)") }
      #expect(run.words.split(separator: "<trkpt").count >= 1 + fixes.count, "\(name): \(run.words)")
      // gpsbabel reads no times of GeoJSON.
      if format != .geojson { #expect(run.words.contains("<time>2026-01-31T12:00:19Z</time>"), "\(run.words)") }
    }
  }

  @Test("GeoJSON, with the line cut on the antimeridian")
  func geoJSON() throws {
    let text = Sample.written(try Self.sample(), .geojson)
    #expect(
      text == """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{"name":"Track of 2026-01-31, 12:00:00 to 12:00:02 UTC",\
        "device":"/dev/<tty>&\\"\\u001b","start":"2026-01-31T12:00:00.000Z","end":"2026-01-31T12:00:02.500Z",\
        "fixes":3,"segments":2,"distance":0.0,"duration":2.500,
        "coordinateProperties":{"times":[["2026-01-31T12:00:00.000Z","2026-01-31T12:00:00.000Z"],
        ["2026-01-31T12:00:01.000Z","2026-01-31T12:00:01.000Z"],
        ["2026-01-31T12:00:01.000Z","2026-01-31T12:00:02.500Z"]],
        "horizontalAccuracies":[[3.14,3.14],
        [null,null],
        [null,null]],
        "altitudes":[[519.20,519.20],
        [null,null],
        [null,null]],
        "verticalAccuracies":[[6.00,6.00],
        [null,null],
        [null,null]],
        "speeds":[[1.42,1.42],
        [null,null],
        [null,null]]}},
        "geometry":{"type":"MultiLineString","coordinates":[\
        [[11.57538212,48.13715432,565.90],[11.57538212,48.13715432,565.90]],
        [[180.00000000,-48.10000000],[180.00000000,-48.10000000]],
        [[-180.00000000,-48.10000000],[-179.99990000,-48.10010000]]]}}
        ]}

        """)
    _ = try JSONValue(parsing: Array(text.utf8))
  }

  @Test("Waypoints come before the track, and gpsbabel reads them", arguments: [TrackFormat.gpx, .kml, .geojson])
  func waypoints(format: TrackFormat) throws {
    let home = Region(
      id: "home <&>", shape: .circle(center: Coordinate(latitude: 48.137, longitude: 11.575), radius: 150))
    let field = Region(
      id: "field",
      shape: .polygon([
        Coordinate(latitude: 48, longitude: 11), Coordinate(latitude: 48, longitude: 11.2),
        Coordinate(latitude: 48.2, longitude: 11.2), Coordinate(latitude: 48.2, longitude: 11),
      ]))
    let waypoints = [home, field].map { TrackWaypoint($0, description: "of tracker") }
    let recorder = Sample.recorder([[Sample.fix(0), Sample.fix(1)]])
    var growing = try #require(GrowingText(format, waypoints: waypoints))
    let kept = growing.addition(recorder, boot: 0)
    var track = try #require(RecordedTrack(recorder, boot: 0))
    track.waypoints = waypoints
    let folder = try TemporaryFolder()
    for text in [kept + growing.closing, Sample.written(track, format)] {
      let file = "\(folder.path)/track.\(format.rawValue)"
      try SystemDisk().replace(file, with: Array(text.utf8), mode: 0o600)
      let run = try SystemProgram.run(
        "/usr/bin/gpsbabel", ["-w", "-i", format.rawValue, "-f", file, "-o", "unicsv", "-F", "-"])
      #expect(run.code == 0 && run.words.contains("48.137000,11.575000,\"home <&>\"".dropLast()), "\(run.words)")
      #expect(run.words.contains("48.10") && run.words.contains("field"), "\(run.words)")
    }
  }

  @Test("A line over the antimeridian ends on it and begins on its other side", arguments: [1.0, -1])
  func antimeridian(direction: Double) throws {
    var (west, east) = (Sample.fix(0, 10, 179.9 * direction), Sample.fix(4, 20, -179.7 * direction))
    west.ellipsoidalAltitude = 100
    east.ellipsoidalAltitude = 200
    let track = try #require(Sample.track([[west, east]]))
    let lines = GeoLine.lines(of: track.segments[0])
    #expect(lines.map { $0.positions.count } == [2, 2])
    let (end, start) = (lines[0].positions[1], lines[1].positions[0])
    #expect(end.place.longitude == 180 * direction && start.place.longitude == -180 * direction)
    for cut in [end, start] {
      #expect(abs(cut.place.latitude - 12.5) < 1e-9)
      #expect(abs((cut.height ?? 0) - 125) < 1e-9)
      #expect(cut.time == Sample.noon + .seconds(1))
    }
  }

  @Test("XML has only the characters that it allows")
  func escaping() {
    #expect(XML.escaped("<a b=\"c\">&'\u{e9}\u{1F6F0}") == "&lt;a b=&quot;c&quot;&gt;&amp;'\u{e9}\u{1F6F0}")
    #expect(XML.escaped("\u{0}\t\u{1b}\u{9b}\u{FFFF}") == "\u{FFFD}\t\u{FFFD}\u{FFFD}\u{FFFD}")
  }

  @Test(
    "The file's name decides its format",
    arguments: [
      ("a.gpx", .gpx), ("./x/a.b.GeoJSON", .geojson), ("/tmp/A.SVG", .svg), ("a", nil), ("-", nil), ("a.txt", nil),
      (".gpx", nil), ("x.gpx/", nil), ("", nil), ("x.svg/a", nil),
    ] as [(String, TrackFormat?)])
  func names(path: String, format: TrackFormat?) {
    #expect(TrackFile(path)?.format == format)
  }
}
