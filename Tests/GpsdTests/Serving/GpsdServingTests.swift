import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Gpsd

/// What a client of gpsd gets from positiond, read with libgps, as clients do.
@Suite("Serving gpsd's clients") struct GpsdServingTests {
  private static let time = Timestamp(milliseconds: 1_738_326_896_200)
  private static let fix = Fix(
    latitude: 48.123456789, longitude: -11.5, horizontalAccuracy: 6.2, altitude: 545.4, ellipsoidalAltitude: 592.3,
    verticalAccuracy: 10, speed: 10, speedAccuracy: 0.5, course: 45, courseAccuracy: 2, time: time,
    arrival: Instant(sinceBoot: .seconds(5)), status: .rtkFloat)

  private static func serving(_ requests: String, allowsSentences: Bool = true) -> (GpsdServing, [GpsdServing.Action]) {
    var serving = GpsdServing()
    serving.allowsSentences = allowsSentences
    serving.append(Array(requests.utf8)[...])
    var actions: [GpsdServing.Action] = []
    while let next = serving.next(at: self.time) { actions += next }
    return (serving, actions)
  }

  /// The lines that are sent, and the other actions by name.
  private static func words(_ actions: [GpsdServing.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .send(let bytes): String(decoding: bytes.dropLast(2), as: UTF8.self)
      case .beginWatch: "begin"
      case .endWatch: "end"
      case .close: "close"
      }
    }
  }

  private static func decode(_ bytes: [UInt8]) -> GpsdMessage {
    GpsdDecoder().decode(Array(bytes.dropLast(2)), arrival: Instant(sinceBoot: .seconds(5)))
  }

  private static let watching = (
    devices:
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"positiond","driver":"positiond","activated":"2025-01-31T12:34:56.200Z","flags":1}]}"#,
    flags: #""raw":0,"scaled":false,"timing":false,"split24":false,"pps":false"#
  )

  @Test("requests are answered as gpsd does, each once and in order")
  func requests() {
    let (_, actions) = Self.serving("?VERSION;?DEVICE;?POLL;\r\n ?WATCH;\n?WATCH={\"enable\":true,\"json\":true};")
    #expect(
      Self.words(actions) == [
        "{\"class\":\"VERSION\",\"release\":\"positiond \(Release.version)\",\"rev\":\"positiond \(Release.version)\","
          + "\"proto_major\":3,\"proto_minor\":14}",
        #"{"class":"DEVICE","path":"positiond","driver":"positiond","flags":1}"#,
        #"{"class":"POLL","time":"2025-01-31T12:34:56.200Z","active":0,"tpv":[],"gst":[],"sky":[]}"#,
        #"{"class":"WATCH","enable":false,"json":false,"nmea":false,\#(Self.watching.flags)}"#,
        Self.watching.devices, #"{"class":"WATCH","enable":true,"json":true,"nmea":false,\#(Self.watching.flags)}"#,
        "begin",
      ])
  }

  @Test("a watch begins once, and ends once; a device is accepted by any name")
  func watches() {
    let (_, actions) = Self.serving(
      #"?WATCH={"enable":true,"json":true,"device":"/dev/a;\"b"};?WATCH={"json":false};?WATCH={"enable":false};?WATCH={"enable":false};"#
    )
    #expect(Self.words(actions).filter { !$0.hasPrefix("{") } == ["begin", "end"])
    #expect(Self.words(actions).contains { $0.hasSuffix(#""device":"/dev/a;\"b"}"#) })
  }

  @Test("the receiver's own bytes are refused in words, and alone are no watch")
  func raw() {
    let (serving, actions) = Self.serving(#"?WATCH={"enable":true,"raw":1};"#)
    #expect(!serving.isWatching && !actions.contains(.beginWatch))
    #expect(Self.words(actions).last?.contains("raw: positiond does not have") == true)
    let (both, _) = Self.serving(#"?WATCH={"enable":true,"raw":2,"json":true};"#)
    #expect(both.isWatching)
  }

  @Test(
    "changes of the device are refused, and so is what is no request",
    arguments: [
      (#"?DEVICE={"path":"/dev/a","bps":4800};"#, "?DEVICE changes nothing here"), ("?RATE;", "unknown request"),
      ("hello\n", "a request begins with ?"), ("?WATCH={\n", "needs a JSON object"),
      (#"?WATCH={"device":1};"#, "needs a JSON object"),
    ])
  func refused(request: String, words: String) {
    let sent = Self.words(Self.serving(request).1)
    #expect(
      sent.count == 1 && sent[0].hasPrefix(#"{"class":"ERROR","message":""#) && sent[0].contains(words), "\(sent)")
  }

  @Test("a request may have gpsd's length, whatever its pieces, and no more")
  func lengths() {
    var serving = GpsdServing()
    let request = Array("?VERSION".utf8) + Array(repeating: UInt8(ascii: " "), count: 8183)
    for byte in request { serving.append([byte]); #expect(serving.next(at: Self.time) == nil) }
    serving.append(Array(";".utf8)[...])
    #expect(serving.next(at: Self.time)?.count == 1)
    serving.append((request + [UInt8(ascii: " ")])[...])
    #expect(serving.next(at: Self.time)?.last == .close)
  }

  @Test("libgps reads the fix as it is")
  func position() throws {
    var (serving, _) = Self.serving(#"?WATCH={"enable":true,"json":true};"#)
    let reports = serving.fixed(Self.fix)
    #expect(reports.map(\.kind) == [.position])
    var expected = PositionReport(
      device: "positiond", mode: .threeDimensional, status: 4, time: Self.time, arrival: Instant(sinceBoot: .seconds(5))
    )
    expected.latitude = 48.123456789
    expected.longitude = -11.5
    expected.altitude = 545.4
    expected.ellipsoidalAltitude = 592.3
    expected.speed = 10
    expected.track = 45
    expected.eph = 10
    (expected.epx, expected.epy) = (8.007, 8.007)
    expected.epv = 19.6
    expected.eps = 0.98
    expected.epd = 3.92
    #expect(Self.decode(reports[0].text) == .position(expected))
    #expect(String(decoding: reports[0].text, as: UTF8.self).hasPrefix(#"{"class":"TPV","#))
  }

  @Test("each satellite that gpsd has a number for is read with its own")
  func sky() throws {
    var (serving, _) = Self.serving(#"?WATCH={"enable":true,"json":true};"#)
    _ = serving.fixed(Self.fix)
    let satellites = Sky.Constellation.allCases.map { constellation in
      Sky.Satellite(
        constellation: constellation, svid: constellation == .sbas ? 123 : 7, elevation: 10.5, azimuth: 20, snr: 30,
        isUsed: constellation == .gps)
    }
    let sky = Sky(satellites: satellites, hdop: 0.9, vdop: 1.1, pdop: 1.4, arrival: Instant(sinceBoot: .seconds(5)))
    let report = try #require(serving.received(sky).last)
    guard case .sky(let read) = Self.decode(report.text) else {
      Issue.record("no SKY: \(report)")
      return
    }
    // gpsd has no numbers of NavIC's, and takes an unknown satellite's for one of GPS.
    let known = satellites.filter { $0.constellation != .navic && $0.constellation != .unknown }
    #expect(read.satellites?.filter { known.contains($0) } == known)
    #expect(read.hdop == 0.9 && read.vdop == 1.1 && read.pdop == 1.4)
  }

  @Test(
    "only a compass has an attitude",
    arguments: [
      (Heading(trueHeading: 10, magneticHeading: 6, source: .sensor, arrival: .boot), 10.0, false),
      (Heading(magneticHeading: 6, source: .sensor, arrival: .boot), 6, true),
    ])
  func attitude(heading: Heading, expected: Double, isMagnetic: Bool) throws {
    var (serving, _) = Self.serving(#"?WATCH={"enable":true,"json":true};"#)
    let report = try #require(serving.turned(to: heading).first)
    guard case .attitude(let read) = Self.decode(report.text) else {
      Issue.record("no ATT: \(report)")
      return
    }
    #expect(read.heading == expected && read.isMagnetic == isMagnetic)
    #expect(serving.turned(to: Heading(trueHeading: 10, source: .course, arrival: .boot)).isEmpty)
  }

  @Test("who does not watch gets nothing, and who polls gets the newest of its watch only")
  func polls() {
    var (serving, _) = Self.serving(#"?WATCH={"enable":true};"#)
    #expect(serving.fixed(Self.fix).isEmpty)
    serving.append(Array("?POLL;?WATCH={\"enable\":false};?POLL;".utf8)[...])
    var actions: [GpsdServing.Action] = []
    while let next = serving.next(at: Self.time) { actions += next }
    let polls = Self.words(actions).filter { $0.contains("POLL") }
    #expect(polls.count == 2 && polls[0].contains("\"lat\":48.123456789") && !polls[1].contains("lat"))
    #expect(serving.fixed(Self.fix).isEmpty && serving.lost().isEmpty)
  }

  @Test("sentences are for those who may know the precise position")
  func sentences() {
    var (serving, _) = Self.serving(#"?WATCH={"enable":true,"nmea":true};"#)
    #expect(serving.fixed(Self.fix).map(\.kind) == [.sentences])
    let (refused, actions) = Self.serving(#"?WATCH={"enable":true,"nmea":true};"#, allowsSentences: false)
    #expect(!refused.isWatching && Self.words(actions).last?.contains("nmea: only clients") == true)
    var (both, _) = Self.serving(
      #"?WATCH={"enable":true,"nmea":true,"json":true};"#, allowsSentences: false)
    var reduced = Self.fix
    reduced.isReduced = true
    #expect(both.fixed(reduced).map(\.kind) == [.position])
  }
}
