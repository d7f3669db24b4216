import JSONRPC
import PositionProtocol
import Positioning
import Testing

@Suite("Values on the wire")
struct ConversionTests {
  private static let now = Instant(sinceBoot: .milliseconds(100_250))

  @Test("A fix is written without noise, with its age")
  func fix() throws {
    let fix = Fix(
      latitude: 48.137_154_321_000_4, longitude: -0.000_000_000_4, horizontalAccuracy: 0.1 + 0.2, altitude: 519.123_456,
      ellipsoidalAltitude: 565.9, verticalAccuracy: 1.0 / 3, speed: 0.1 * 3, speedAccuracy: 0.05, course: 359.999_9,
      courseAccuracy: 2, time: Timestamp(seconds: 1_769_860_800.123),
      arrival: Instant(sinceBoot: .microseconds(100_000_123)), mode: .threeDimensional, status: .rtkFixed,
      device: "/dev/ttyACM0", satellitesUsed: 9, isReduced: true)
    let json = try JSONValue(parsing: encoded(fix))
    #expect(
      json
        == JSONValue(
          text: #"{"age":0.25,"altitude":519.123,"arrival":100,"course":360,"courseAccuracy":2,"#
            + #""device":"/dev/ttyACM0","ellipsoidalAltitude":565.9,"horizontalAccuracy":0.3,"#
            + #""horizontalAccuracy95":0.484,"latitude":48.137154321,"longitude":0,"mode":"3d","reduced":true,"#
            + #""satellitesUsed":9,"speed":0.3,"speedAccuracy":0.05,"status":"rtkFixed","#
            + #""time":"2026-01-31T12:00:00.123Z","verticalAccuracy":0.333}"#))
  }

  @Test("A fix is read as it was written, up to the wire's rounding")
  func back() throws {
    let fix = Fix(
      latitude: -90, longitude: 180, horizontalAccuracy: 2.5, altitude: -3, time: Timestamp(seconds: 1.25),
      arrival: Instant(sinceBoot: .milliseconds(99_125)), mode: .twoDimensional, status: .deadReckoning, device: "d",
      satellitesUsed: 0)
    #expect(try self.read(fix) == fix)
    let bare = Fix(latitude: 0, longitude: 0, arrival: Instant(sinceBoot: .zero))
    #expect(try self.read(bare) == bare)
  }

  @Test("A fix from the future has no negative age")
  func future() throws {
    let fix = Fix(latitude: 0, longitude: 0, arrival: Instant(sinceBoot: .seconds(200)))
    #expect(try JSONValue(parsing: encoded(fix))["age"] == 0)
  }

  @Test("A heading is written without noise, with its age, and what rounds to 360 is north")
  func heading() throws {
    let heading = Heading(
      trueHeading: 359.999_9, magneticHeading: 1.0 / 3, accuracy: 0.1 * 3, source: .course,
      time: Timestamp(seconds: 1_769_860_800.123), arrival: Instant(sinceBoot: .microseconds(100_000_123)))
    let json = try JSONValue(parsing: encoded(heading))
    #expect(
      json
        == JSONValue(
          text: #"{"accuracy":0.3,"age":0.25,"arrival":100,"magneticHeading":0.333,"source":"course","#
            + #""time":"2026-01-31T12:00:00.123Z","trueHeading":0}"#))
    let bare = Heading(magneticHeading: 0, source: .sensor, arrival: Instant(sinceBoot: .seconds(99)))
    #expect(try self.read(bare) == bare)
  }

  @Test("A sky is written with its age, and no sky as null")
  func sky() throws {
    let sky = Sky(
      satellites: [.init(constellation: .gps, svid: 3, elevation: 1.0 / 3, azimuth: 2, snr: 38.25, isUsed: true)],
      hdop: 2.0 / 3, arrival: Instant(sinceBoot: .seconds(100)), device: "d")
    let text =
      #"{"age":0.25,"hdop":0.667,"satellites":[{"azimuth":2,"constellation":"gps","elevation":0.333,"#
      + #""snr":38.25,"svid":3,"used":true}]}"#
    let json = try JSONValue(parsing: encoded(sky))
    #expect(json == JSONValue(text: text))
    let result = SkyGetRequest.Result(sky)
    var read = sky
    (read.satellites[0].elevation, read.hdop, read.device) = (0.333, 0.667, nil)
    #expect(try self.read(result) == SkyGetRequest.Result(read))
    #expect(try encoded(SkyGetRequest.Result(nil)) == Array("{}".utf8))
    #expect(try self.read(SkyGetRequest.Result(nil)).sky == nil)
  }

  @Test(
    "A time has milliseconds, rounded",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_700_000_000.122_6, "2023-11-14T22:13:20.123Z"),
      (1_700_000_000.999_6, "2023-11-14T22:13:21.000Z"), (1_700_000_000.122_4, "2023-11-14T22:13:20.122Z"),
      (-0.001, "1969-12-31T23:59:59.999Z"), (4_102_444_800.5, "2100-01-01T00:00:00.500Z"),
    ])
  func time(seconds: Double, text: String) throws {
    let time = Timestamp(seconds: seconds)
    #expect(time.description == text)
    #expect(try JSONValue.string(text).decoded(as: Timestamp.self) == time)
  }

  @Test("Every millisecond of a second is read as it was written")
  func milliseconds() throws {
    for millisecond in 0..<1000 {
      let time = Timestamp(seconds: 1_769_860_800 + Double(millisecond) / 1000)
      let digits = String(1000 + millisecond).dropFirst()
      #expect(time.description == "2026-01-31T12:00:00.\(digits)Z")
      #expect(try JSONValue.string(time.description).decoded(as: Timestamp.self) == time)
    }
  }

  @Test("A time without a fraction is read, and other texts are refused")
  func otherTimes() throws {
    #expect(
      try JSONValue.string("2026-01-31T12:00:00Z").decoded(as: Timestamp.self).description
        == "2026-01-31T12:00:00.000Z")
    for text in ["", "yesterday", "2026-01-31", "12:00", "2026-13-31T12:00:00.000Z"] {
      #expect(throws: RPCError.self, "\(text)") { try JSONValue.string(text).decoded(as: Timestamp.self) }
    }
  }

  @Test("A moment is written by the present wall clock")
  func moment() {
    let since1970: Duration = .seconds(1_769_860_800)
    let moment = Timestamp(of: Instant(sinceBoot: .milliseconds(99_000)), now: Self.now, since1970: since1970)
    #expect(moment.description == "2026-01-31T11:59:58.750Z")
  }

  @Test("Seconds are written to the millisecond")
  func seconds() {
    #expect(Duration.microseconds(1_234_567).wireSeconds == 1.235)
    #expect(Duration.seconds(3600).wireSeconds == 3600)
    #expect(Duration.zero.wireSeconds == 0 && Duration.nanoseconds(-1).wireSeconds == 0)
    // Something is never rounded to nothing: a timeout of 0 means none.
    #expect(Duration.nanoseconds(1).wireSeconds == 0.001)
    #expect(Duration(wireSeconds: 1e-300) == .milliseconds(1) && Duration(wireSeconds: 2.5) == .milliseconds(2500))
    #expect(Duration(wireSeconds: .infinity) == .seconds(1e9) && Duration(wireSeconds: -.infinity) == .seconds(-1e9))
    #expect(Duration(wireSeconds: .nan) == .zero && Duration(wireSeconds: 0) == .zero)
    #expect(Instant(sinceBoot: .nanoseconds(1)).wireSeconds == 0)
  }

  @Test("A moment that has passed is not in the future for a reader that looks at its own clock")
  func passed() throws {
    for (now, wire) in [(37_738_023_985_712, 37738.023), (1_000_000, 0.001)] as [(Int64, Double)] {
      let arrival = Instant(sinceBoot: .nanoseconds(now))
      let fix = Fix(latitude: 0, longitude: 0, arrival: arrival)
      #expect(try JSONValue(parsing: encoded(fix))["arrival"] == .number(wire) && arrival.wireSeconds == wire)
      let read = try self.read(fix)
      #expect(read.arrival <= arrival && read.arrival.wireSeconds == wire)
    }
  }

  @Test("An accuracy is a level's name or metres, and nothing else")
  func accuracy() throws {
    #expect(try JSONValue.string("room").decoded(as: AccuracyDemand.self) == .level(.room))
    #expect(try JSONValue.number(2.5).decoded(as: AccuracyDemand.self) == .meters(2.5))
    #expect(throws: RPCError.self) { try JSONValue.string("attic").decoded(as: AccuracyDemand.self) }
    #expect(throws: RPCError.self) { try JSONValue.boolean(true).decoded(as: AccuracyDemand.self) }
  }

  @Test(
    "A region is read as it was written, with its defaults",
    arguments: [
      Region(id: "a", shape: .circle(center: Coordinate(latitude: 48.1, longitude: -180), radius: 12.5)),
      Region(
        id: "b",
        shape: .polygon([(1, 2), (3, 4), (5, 6)].map { Coordinate(latitude: $0, longitude: $1) }),
        notify: [.dwell, .crossed], dwellTime: .seconds(60), latency: .seconds(90), expiresIn: .seconds(120.5),
        initial: .always),
    ])
  func region(region: Region) throws {
    #expect(try Region.codec.decode(Region.codec.encode(region)) == region)
  }

  @Test("A region without a shape, or with two, is refused")
  func shapes() throws {
    let circle: JSONValue = ["latitude": 1, "longitude": 2, "radius": 3]
    let none = #expect(throws: RPCError.self) {
      try JSONValue.object(["id": "a"]).decoded(as: Region.self, leniency: [])
    }
    #expect(none?.data?["path"] == "circle")
    let both = #expect(throws: RPCError.self) {
      try JSONValue.object(["id": "a", "circle": circle, "polygon": []]).decoded(as: Region.self, leniency: [])
    }
    #expect(both?.data?["path"] == "polygon")
    let region = try JSONValue.object(["id": "a", "circle": circle, "polygon": .null]).decoded(as: Region.self)
    #expect(region.notify == [.enter, .exit])
  }

  @Test("A visit is written by the present wall clock, also one from before the boot")
  func visit() throws {
    let visit = Visit(
      id: 3, latitude: 48.137_154_321_000_4, longitude: 11, horizontalAccuracy: 1.0 / 3,
      arrival: Instant(sinceBoot: .seconds(-99.75)), arrivalUncertainty: .milliseconds(1500),
      departure: Instant(sinceBoot: .seconds(100)), departureUncertainty: .seconds(300))
    let text =
      #"{"arrival":"2026-01-31T11:56:40.000Z","arrivalUncertainty":1.5,"departure":"2026-01-31T11:59:59.750Z","#
      + #""departureUncertainty":300,"horizontalAccuracy":0.333,"id":3,"latitude":48.137154321,"longitude":11}"#
    #expect(try JSONValue(parsing: encoded(visit)) == JSONValue(text: text))
    var read = visit
    (read.latitude, read.horizontalAccuracy) = (48.137_154_321, 0.333)
    #expect(try self.read(visit) == read)
  }

  private static let moment = CodingMoment(now: Self.now, since1970: .seconds(1_769_860_800))

  private func encoded<Value: WireValue>(_ value: Value) throws -> [UInt8] {
    try Value.codec.encode(value, moment: Self.moment)
  }

  /// What a client reads from it at the same moment.
  private func read<Value: WireValue>(_ value: Value) throws -> Value {
    try Value.codec.decode(self.encoded(value), context: ReadingContext(moment: Self.moment))
  }
}

extension JSONValue {
  /// `nil` if it is no JSON.
  fileprivate init?(text: String) {
    do { try self.init(parsing: Array(text.utf8)) } catch { return nil }
  }

  fileprivate func decoded<Value: WireValue>(
    as type: Value.Type, leniency: ReadingContext.Leniency = [.members, .values]
  ) throws -> Value {
    try Value.codec.decode(self.encoded(), context: ReadingContext(leniency: leniency))
  }
}
