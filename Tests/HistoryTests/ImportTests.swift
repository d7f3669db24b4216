import Positioning
import Testing

@testable import History

/// Files of other programs: what they have, and where they are wrong.
@Suite struct ImportTests {
  private static func read(_ text: String, _ name: String) throws -> ImportedHistory {
    try ImportedHistory(Array(text.utf8), name: name)
  }

  private static func error(_ text: String, _ name: String) -> String? {
    do throws(ImportFailure) {
      _ = try ImportedHistory(Array(text.utf8), name: name)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static let gpx = """
    <?xml version="1.0"?>
    <!-- <trkpt lat="0" lon="0"> is no point -->
    <gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="48.1" lon='11.5'><ele>545.2</ele><time>2026-01-31T12:00:00Z</time><sat>9</sat>
        <extensions><gpxtpx:speed>1.5</gpxtpx:speed><positiond:accuracy>4.25</positiond:accuracy></extensions></trkpt>
    </trkseg><trkseg>
      <trkpt lon="11.6" lat="48.2"><time>2026-01-31T13:00:00+01:00</time></trkpt>
    </trkseg></trk></gpx>
    """

  @Test func `GPX has places, times, altitudes, speeds, accuracies and segments`() throws {
    let history = try Self.read(Self.gpx, "a.gpx")
    #expect(history.fixes.count == 2)
    let fix = history.fixes[0].fix(arrival: .boot)
    #expect(fix.latitude == 48.1 && fix.altitude == 545.2 && fix.speed == 1.5 && fix.horizontalAccuracy == 4.25)
    #expect(history.fixes.allSatisfy { $0.beginsSegment })
  }

  @Test(arguments: [
    (Self.gpx.replacing("</trk></gpx>", with: ""), "a.gpx", "line 8: it ends without </gpx>: the file is cut"),
    (Self.gpx.replacing("12:00:00Z", with: "noon"), "a.gpx", "line 4: <time> is \"2026-01-31Tnoon\""),
    (Self.gpx.replacing("48.2", with: "98.2"), "a.gpx", "line 7: 98.2, 11.6 is no place"),
    (Self.gpx.replacing("lat=\"48.1\"", with: ""), "a.gpx", "line 4: a track point without lat="),
    (Self.gpx, "a.json", "it is XML"), ("{}", "a.gpx", "its name says GPX"), ("", "a.gpx", "it is empty"),
    ("<html></html>", "a.gpx", "line 1: <html> is not the begin of GPX"), ("PK", "a.json", "line 1: it is neither"),
    ("[1,\n2,\n{\"_type\":\"location\",\n\"lat\":1", "a.json", "line 4: it ends within a value that begins in line 3"),
    ("{\"_type\":\"location\",\"lat\":1}", "a.json", "line 1: a location without lat, lon and tst"),
    ("{\"locations\":[\n{\"latitudeE7\":1,\"longitudeE7\":2}]}", "a.json", "line 2: a record without"),
    ("{\"x\":tru}", "a.json", "line 1: no JSON"), ("{\"x\":1}", "a.json", "it has no position with a time"),
  ])
  func `what is cut or wrong is an error that says where`(text: String, name: String, message: String) {
    #expect(Self.error(text, name)?.contains(message) == true, "\(Self.error(text, name) ?? "no error")")
  }

  @Test(arguments: [
    "{\"_type\":\"location\",\"lat\":48.1,\"lon\":11.5,\"tst\":1780000000,\"acc\":12,\"vel\":36,\"inregions\":[\"a\"]}\n"
      + "{\"_type\":\"waypoint\",\"tst\":1}",
    "[{\"_type\":\"location\",\"lat\":48.1,\"lon\":11.5,\"tst\":1780000000,\"acc\":12,\"vel\":36}]",
    "{\"count\":1,\"data\":[{\"_type\":\"location\",\"lat\":48.1,\"lon\":11.5,\"tst\":1780000000,\"acc\":12,\"vel\":36}],\"x\":2}",
    "2026-05-28T20:26:40Z\t*                 \t{\"_type\":\"location\",\"lat\":48.1,\"lon\":11.5,\"tst\":1780000000,\"acc\":12,\"vel\":36}\n",
  ])
  func `OwnTracks' messages come one a line, in an array, from its recorder's files and its interface`(text: String)
    throws
  {
    let history = try Self.read(text, "a.json")
    #expect(history.fixes.count == 1)
    let fix = history.fixes[0].fix(arrival: .boot)
    #expect(history.fixes[0].time == Timestamp(milliseconds: 1_780_000_000_000))
    #expect(fix.latitude == 48.1 && fix.horizontalAccuracy == 12 && fix.speed == 10)
  }

  @Test func `Takeout's files have records, visits, paths and raw positions`() throws {
    let text = """
      {"locations": [{"latitudeE7": 481000000, "longitudeE7": 115000000, "accuracy": 20, "timestamp": "2020-01-31T12:00:00Z"},
        {"latitudeE7": 481000000, "longitudeE7": 115000000, "timestampMs": "1580472060000", "activity": [{"a": {}}]}],
      "timelineObjects": [{"activitySegment": {}}, {"placeVisit": {"location": {"latitudeE7": 481000000,
        "longitudeE7": 115000000}, "duration": {"startTimestamp": "2020-02-01T12:00:00Z",
        "endTimestamp": "2020-02-01T13:00:00Z"}}}],
      "semanticSegments": [{"startTime": "2024-02-01T12:00:00.000+01:00", "endTime": "2024-02-01T13:00:00.000+01:00",
        "timelinePath": [{"point": "48.1000000°, 11.5000000°", "time": "2024-02-01T12:10:00.000+01:00"}]},
        {"startTime": "2024-02-02T12:00:00.000+01:00", "endTime": "2024-02-02T13:00:00.000+01:00",
        "visit": {"topCandidate": {"placeLocation": {"latLng": "48.1°, 11.5°"}}}}],
      "rawSignals": [{"position": {"LatLng": "48.1°, 11.5°", "accuracyMeters": 9, "timestamp": "2024-02-03T12:00:00Z"}},
        {"wifiScan": {}}]}
      """
    let history = try Self.read(text, "Takeout.json")
    #expect(history.fixes.count == 4 && history.stays.count == 2)
    #expect(
      history.fixes.allSatisfy { $0.coordinate.plainDistance(to: Coordinate(latitude: 48.1, longitude: 11.5)) < 0.01 })
  }

  @Test func `any change of a file is fixes or an error`() {
    var random = SeededRandom(seed: 5)
    let json = "{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":2,\"timestampMs\":\"5\"}],\"a\":[{\"b\":\"\\\"\"}]}"
    for (text, name) in [(Self.gpx, "a.gpx"), (json, "a.json")] {
      for _ in 0..<3000 {
        var bytes = Array(text.utf8)
        for _ in 0..<2 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
        }
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random) / 4)
        // The result does not count: it must not trap.
        do throws(ImportFailure) { _ = try ImportedHistory(bytes, name: name) } catch { #expect(!"\(error)".isEmpty) }
      }
    }
  }
}
