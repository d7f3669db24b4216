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

  private static func serving(
    _ requests: String, precision: Precision? = .precise
  ) -> (GpsdServing, [GpsdServing.Action]) {
    var serving = GpsdServing()
    _ = serving.limit(to: precision)
    let actions = self.read(requests, &serving)
    return (serving, actions)
  }

  /// What follows from one read of the client's socket.
  private static func read(_ requests: String, _ serving: inout GpsdServing) -> [GpsdServing.Action] {
    serving.append(Array(requests.utf8)[...])
    var actions: [GpsdServing.Action] = []
    while let next = serving.next(at: self.time) { actions += next }
    return actions
  }

  /// The lines that are sent, and the other actions by name.
  private static func words(_ actions: [GpsdServing.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .send(let bytes), .answer(let bytes, _, _): String(decoding: bytes.dropLast(2), as: UTF8.self)
      case .beginWatch: "begin"
      case .endWatch: "end"
      case .close: "close"
      }
    }
  }

  private static func decode(_ bytes: [UInt8]) -> GpsdMessage {
    GpsdDecoder().decode(Array(bytes.dropLast(2)), arrival: Instant(sinceBoot: .seconds(5)))
  }

  /// What gpsd's description of an open device always has.
  private static let line = #""native":0,"bps":9600,"parity":"N","stopbits":1,"cycle":1"#

  private static let watching = (
    devices:
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"positiond","driver":"positiond","activated":"2025-01-31T12:34:56.200Z","flags":1,\#(line)}]}"#,
    flags: #""raw":0,"scaled":false,"timing":false,"split24":false,"pps":false"#
  )

  @Test("requests are answered as gpsd does, each once and in order")
  func requests() {
    let (_, actions) = Self.serving("?VERSION;?DEVICE;?POLL;\r\n ?WATCH;\n?WATCH={\"enable\":true,\"json\":true};")
    #expect(
      Self.words(actions) == [
        "{\"class\":\"VERSION\",\"release\":\"positiond \(Release.version)\",\"rev\":\"positiond \(Release.version)\","
          + "\"proto_major\":3,\"proto_minor\":14}",
        #"{"class":"DEVICE","path":"positiond","driver":"positiond","flags":1,\#(Self.line)}"#,
        #"{"class":"POLL","time":"2025-01-31T12:34:56.200Z","active":0,"tpv":[],"gst":[],"sky":[]}"#,
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"positiond","driver":"positiond","flags":1,\#(Self.line)}]}"#,
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
    let request = Array("?DEVICE".utf8) + Array(repeating: UInt8(ascii: " "), count: 8184)
    for byte in request { serving.append([byte]); #expect(serving.next(at: Self.time) == nil) }
    serving.append(Array(";".utf8)[...])
    #expect(serving.next(at: Self.time)?.count == 1)
    serving.append((request + [UInt8(ascii: " ")])[...])
    #expect(serving.next(at: Self.time)?.last == .close)
  }

  /// The classes of what each read makes positiond send, and what begins or ends with it.
  private static func names(_ reads: [String]) -> [[String]] {
    var serving = GpsdServing()
    _ = serving.limit(to: .precise)
    return reads.map { read in
      self.words(self.read(read, &serving)).map { word in
        word.hasPrefix("{") ? String(word.dropFirst(10).prefix { $0 != "\"" }) : word
      }
    }
  }

  private static let began = ["DEVICES", "WATCH", "begin"]

  @Test(
    "a request ends where gpsd takes it for whole, however the client ends it",
    arguments: [
      // gps3, agps3 and go-gpsd; hcxdumptool; node-gpsd: no end at all.
      ([#"?WATCH={"enable":true,"json":true}"#], [began]),
      ([#"?WATCH={"json":true}"#], [began]),
      ([#"?WATCH={"class":"WATCH","json":true,"nmea":false}"#], [began]),
      // A Perl program, which polls later.
      ([#"?WATCH={"enable":true,"json":true}"#, "?POLL;"], [began, ["POLL"]]),
      // C programs that send the zero of their text.
      (["?WATCH={\"enable\":true};\n\0", "?POLL;\n\0"], [began, ["POLL"]]),
      (["?WATCH={\"enable\":true}\0?POLL\0"], [began + ["POLL"]]),
      (["?WATCH={\"enable\":true}\r", "?POLL;\r\n"], [began, ["POLL"]]),
      // gpsd-py3.
      (["?WATCH={\"enable\":true}\n?POLL;\n"], [began + ["POLL"]]),
      ([#"?WATCH={"enable":true}?POLL;?DEVICES;"#], [began + ["POLL", "DEVICES"]]),
      (["?VERSION?POLL?DEVICE;"], [["VERSION", "POLL", "DEVICE"]]),
      (["?POLL"], [["POLL"]]),
      (["?POLL", ";"], [["POLL"], []]),
      (["?DEVICE", "S;"], [[], ["DEVICES"]]),
      (["?WATCH", "={\"enable\":", "true", "}"], [[], [], [], began]),
      // A brace, a semicolon and a question mark within a text end nothing.
      ([#"?WATCH={"enable":true,"device":"/dev/a}\";?"}"#], [began]),
      // An object over several lines, in one read.
      (["?WATCH={\n  \"enable\": true,\r\n  \"json\": true\n}\n"], [began]),
      (["?WATCH={\n", "?POLL;\n"], [["ERROR"], ["POLL"]]),
      (["?WATCH={\"enable\":\n?POLL;\n"], [["ERROR", "POLL"]]),
      (["?WATCH={\"device\":\"a\n?POLL;\n"], [["ERROR", "POLL"]]),
    ])
  fileprivate func ends(reads: [String], names: [[String]]) {
    #expect(Self.names(reads) == names)
  }

  @Test(
    "a web page's request is answered with an error and the end, whatever its body says",
    arguments: [
      "POST / HTTP/1.1\r\nHost: 127.0.0.1:2947\r\n\r\n?WATCH={\"enable\":true};",
      "GET /?WATCH={\"enable\":true}; HTTP/1.1\r\n", "POST /;?WATCH={\"enable\":true}; HTTP/1.1\r\n",
      "ANY * HTTP/1.1\r\n?WATCH={\"enable\":true};", "Host: 127.0.0.1\n?WATCH={\"enable\":true};",
      // The beginning of TLS, whose later bytes a page also decides.
      "\u{16}\u{3}\u{1}?WATCH={\"enable\":true};",
    ])
  func webPage(text: String) {
    var serving = GpsdServing()
    serving.append(Array(text.utf8)[...])
    let first = Self.words(serving.next(at: Self.time) ?? [])
    #expect(first.count == 2 && first[0].hasPrefix(#"{"class":"ERROR""#) && first[1] == "close", "\(first)")
  }

  @Test("a client that sends nothing that is a request is closed after a few errors, and others may err now and then")
  func errors() {
    let some = Array(repeating: ["ERROR"], count: 4)
    #expect(Self.names(Array(repeating: "hello\n", count: 5)) == some + [["ERROR", "close"]])
    let mixed = Array(repeating: ["?WATCH={", "?RATE;", "hello\n", "?VERSION;"], count: 3).flatMap { $0 }
    #expect(!Self.names(mixed).joined().contains("close"))
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

  @Test("a poll of a client that watches has a position and satellites, also before there are any")
  func pollsAtOnce() {
    let sent = Self.words(Self.serving("?WATCH={\"enable\":true}\n?POLL;\n").1)
    #expect(
      sent.last == #"{"class":"POLL","time":"2025-01-31T12:34:56.200Z","active":1,"#
        + #""tpv":[{"class":"TPV","device":"positiond","mode":1}],"gst":[],"#
        + #""sky":[{"class":"SKY","device":"positiond","nSat":0,"uSat":0,"satellites":[]}]}"#)
  }

  @Test(
    "After it no coordinate is sent that the client may no longer know: not by a poll either, nor by one that waits",
    arguments: [Precision?.none, .reduced])
  func limits(precision: Precision?) {
    var (serving, _) = Self.serving(#"?WATCH={"enable":true,"json":true,"nmea":true};"#)
    _ = serving.fixed(Self.fix)
    _ = serving.received(
      Sky(
        satellites: [Sky.Satellite(constellation: .gps, svid: 7, elevation: 10, azimuth: 20, isUsed: true)],
        arrival: .boot))
    let before = Self.read("?POLL;", &serving)
    guard case .answer(let text, .precise, let otherwise)? = before.first else {
      Issue.record("no answer that is withheld: \(before)")
      return
    }
    #expect(Self.reveals(text) && !Self.reveals(otherwise))
    let reports = serving.limit(to: precision)
    // A client that gets less is given that there is nothing of what it had. One that gets nothing is denied besides.
    #expect(reports.map(\.kind) == (precision == nil ? [] : [.position, .sentences, .sky]))
    #expect(!reports.contains { Self.reveals($0.text) })
    let after = Self.words(Self.read("?POLL;?DEVICES;?DEVICE;?WATCH;?VERSION;", &serving))
    #expect(after.count == 6 && !after.contains { Self.reveals(Array($0.utf8)) }, "\(after)")
  }

  @Test("a poll's answer with a reduced position reveals no more than that, and is gone with the permission")
  func reducedPoll() {
    var (serving, _) = Self.serving(#"?WATCH={"enable":true,"json":true};"#, precision: .reduced)
    let none = Self.read("?POLL;", &serving)
    var reduced = Self.fix
    reduced.isReduced = true
    _ = serving.fixed(reduced)
    let poll = Self.read("?POLL;", &serving)
    guard case .answer(let text, .reduced, let otherwise)? = poll.first else {
      Issue.record("no answer of a reduced position: \(poll)")
      return
    }
    #expect(Self.reveals(text) && none == [.send(otherwise)])
    _ = serving.limit(to: nil)
    #expect(Self.read("?POLL;", &serving) == none)
  }

  /// Whether it has a coordinate or a satellite.
  private static func reveals(_ text: [UInt8]) -> Bool {
    let words = String(decoding: text, as: UTF8.self)
    return ["lat", "lon", "speed", "az"].contains { words.contains("\"\($0)\"") } || words.contains("4807.")
  }

  @Test("sentences are for those who may know the precise position")
  func sentences() {
    var (serving, _) = Self.serving(#"?WATCH={"enable":true,"nmea":true};"#)
    #expect(serving.fixed(Self.fix).map(\.kind) == [.sentences])
    let (refused, actions) = Self.serving(#"?WATCH={"enable":true,"nmea":true};"#, precision: .reduced)
    #expect(!refused.isWatching && Self.words(actions).last?.contains("nmea: only clients") == true)
    var (both, _) = Self.serving(
      #"?WATCH={"enable":true,"nmea":true,"json":true};"#, precision: .reduced)
    var reduced = Self.fix
    reduced.isReduced = true
    #expect(both.fixed(reduced).map(\.kind) == [.position])
  }
}
