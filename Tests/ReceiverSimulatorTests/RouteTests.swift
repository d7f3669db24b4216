import Positioning
import ProgramArguments
import Testing

@testable import ReceiverSimulator

@Suite("Routes") struct RouteTests {
  @Test("a point stands still")
  func point() throws {
    let route = try Route(parsing: "point:48.1,-11.5")
    for seconds in [0, 1, 86_400] {
      #expect(
        route.motion(at: .seconds(seconds)) == Motion(coordinate: Coordinate(latitude: 48.1, longitude: -11.5)))
    }
  }

  @Test("a line has its speed and its course")
  func line() throws {
    let motion = try Route(parsing: "line:0,0,90,100").motion(at: .seconds(1000))
    // 100 km along the equator, whose radius is 6378137 m.
    #expect(abs(motion.coordinate.longitude - 0.898_315_284) < 1e-8)
    #expect(motion.coordinate.latitude.magnitude < 1e-12)
    #expect(motion.speed == 100)
    #expect(motion.course == 90)
    let north = try Route(parsing: "line:45,0,0,10").motion(at: .seconds(1000))
    // A degree of the meridian at 45 degrees is 111132 m long.
    #expect(abs(north.coordinate.latitude - 45 - 10_000 / 111_132.0) < 1e-5)
  }

  @Test("a line crosses the antimeridian")
  func antimeridian() throws {
    let motion = try Route(parsing: "line:0,179.999,90,100").motion(at: .seconds(10))
    #expect(motion.coordinate.longitude < -179.99)
  }

  @Test("a circle's speed and course are those of its positions")
  func circle() throws {
    let route = try Route(parsing: "circle:48.1,11.5,2000,10")
    for second in [0, 100, 500, 900, 1200] {
      let motion = route.motion(at: .seconds(second))
      let path = motion.coordinate.path(to: route.motion(at: .seconds(second) + .milliseconds(100)).coordinate)
      #expect(abs(path.distance - 1) < 0.002)
      #expect(abs((path.course - motion.course + 180).wrappedCourse - 180) < 0.05)
    }
  }

  @Test("moving away and the path back agree")
  func pathInvertsMovement() {
    let start = Coordinate(latitude: -33, longitude: 151)
    for course in stride(from: 0.0, to: 360, by: 37) {
      let path = start.path(to: start.moved(distance: 1234, course: course))
      #expect(abs(path.distance - 1234) < 0.01)
      #expect(abs(path.course - course) < 0.01)
    }
  }

  @Test(
    "an invalid route is refused with the reason",
    arguments: [
      ("circle", "\"circle\" is no route"), ("square:1,2", "\"square\" is no kind of route"),
      ("point:1", "point:1 has 1 numbers, expected 2"), ("circle:1,2", "expected 3 or 4"),
      ("point:95,0", "LAT is 95, outside -89.9 to 89.9"), ("point:x,0", "LAT is \"x\", not a number"),
      ("point:nan,0", "LAT is \"nan\", not a number"), ("line:1,2,400,5", "COURSE is 400, outside 0.0 to 360.0"),
      ("circle:1,2,0", "RADIUS is 0"), ("line:1,2,3,-5", "SPEED is -5"),
    ])
  func refused(text: String, expected: String) {
    let error = #expect(throws: UsageError.self) { try Route(parsing: text) }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }
}

@Suite("GPX tracks") struct GPXTrackTests {
  static let timed = """
    <?xml version="1.0"?><gpx><trk><trkseg>
    <trkpt lat="48.0" lon="11.0"><ele> 500 </ele><time>2025-01-31T12:00:00Z</time></trkpt>
    <trkpt lon='11.0' lat='48.001'><time>2025-01-31T13:00:10.000+01:00</time><extensions/></trkpt>
    <trkpt lat="48.001" lon="11.002"><time>2025-01-31T12:00:30Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  @Test("between two points the speed is constant, and the track ends standing")
  func timedTrack() throws {
    let track = try Track(gpx: Self.timed, name: "track.gpx")
    let middle = track.motion(at: .seconds(5))
    #expect(abs(middle.coordinate.latitude - 48.0005) < 1e-8)
    #expect(abs(middle.speed - 11.12) < 0.01)
    #expect(middle.course == 0)
    #expect(abs(middle.altitude - (500 + Motion.usualAltitude) / 2) < 0.001)
    #expect(abs(track.motion(at: .seconds(20)).coordinate.longitude - 11.001) < 1e-8)
    let end = track.motion(at: .seconds(1000))
    #expect(end.speed == 0)
    #expect(end.coordinate == Coordinate(latitude: 48.001, longitude: 11.002))
    #expect(abs(end.course - 90) < 0.01)
  }

  @Test("a track without times is traversed at the requested speed")
  func untimedTrack() throws {
    let gpx = "<trkpt lat=\"0\" lon=\"0\"/><trkpt lat=\"0\" lon=\"0.01\"/>"
    let track = try Track(gpx: gpx, name: "track.gpx", speed: 5)
    #expect(abs(track.motion(at: .seconds(1)).speed - 5) < 1e-9)
    #expect(abs(track.waypoints[1].elapsed.seconds - 1113.195 / 5) < 0.01)
  }

  @Test(
    "a file that is no track is refused with the reason",
    arguments: [
      ("", "no track point"), ("<gpx></gpx>", "no track point"), ("<trkpt lon=\"1\"/>", "track point 1 has no lat"),
      ("<trkpt lat=\"1\" lon=\"x\"/>", "track point 1: lon is \"x\""), ("<trkpt lat=\"1\" lon=\"2\">", "has no end"),
      ("<trkpt lat=\"1\" lon=\"2\"><time>noon</time></trkpt>", "<time> is \"noon\""),
      ("<trkpt lat=\"1\" lon=\"2\"><time>2025-02-30T00:00:00Z</time></trkpt>", "<time> is"),
      (
        "<trkpt lat=\"1\" lon=\"2\"><time>2025-01-31T12:00:00Z</time></trkpt><trkpt lat=\"1\" lon=\"2\"></trkpt>",
        "track point 2 has no <time>"
      ),
      (
        "<trkpt lat=\"1\" lon=\"2\"><time>2025-01-31T12:00:00Z</time></trkpt>"
          + "<trkpt lat=\"1\" lon=\"2\"><time>2025-01-31T11:00:00Z</time></trkpt>", "run backwards"
      ),
    ])
  func refused(gpx: String, expected: String) {
    let error = #expect(throws: UsageError.self) { try Track(gpx: gpx, name: "a.gpx") }
    #expect(error?.message.hasPrefix("a.gpx: ") == true)
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }

  @Test("whatever a file has, reading it ends with a track or with an error")
  func survivesMutation() {
    var random = SeededRandom(seed: 7)
    let original = Array(Self.timed.utf8)
    for _ in 0..<500 {
      var bytes = original
      for _ in 0..<3 {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      let track = try? Track(gpx: String(decoding: bytes, as: UTF8.self), name: "a.gpx")
      #expect(track?.waypoints.isEmpty != true)
    }
  }
}

@Suite("UTC") struct UTCTests {
  @Test(
    "a moment and its date agree",
    arguments: [
      (0, 1970, 1, 1, 0), (951_782_400_000, 2000, 2, 29, 0), (1_735_689_599_000, 2024, 12, 31, 23),
      (-1000, 1969, 12, 31, 23), (4_107_542_400_000, 2100, 3, 1, 0),
    ])
  func calendar(milliseconds: Int64, year: Int, month: Int, day: Int, hour: Int) {
    let calendar = Timestamp(milliseconds: milliseconds).calendar
    #expect((calendar.year, calendar.month, calendar.day, calendar.hour) == (year, month, day, hour))
    #expect(Timestamp(calendar) == Timestamp(milliseconds: milliseconds))
  }

  @Test("GPS time counts weeks from 1980 and is 18 s ahead")
  func gps() {
    let time = Timestamp(milliseconds: 1_738_326_896_200).gps
    #expect(time.week == 2351)
    #expect(time.timeOfWeek == 477_314_200)
  }

  @Test("the next epoch is a round time after now")
  func nextEpoch() {
    #expect(Timestamp(milliseconds: 1001).next(every: .milliseconds(40)).milliseconds == 1040)
    #expect(Timestamp(milliseconds: 1000).next(every: .seconds(1)).milliseconds == 2000)
  }
}
