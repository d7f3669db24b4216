import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

@testable import NMEA

/// 2025-01-31T12:34:56.200Z west of Munich, moving north-east.
private func sampleFix(_ change: (inout Fix) -> Void = { _ in }) -> Fix {
  var fix = Fix(
    latitude: 48.123456789, longitude: -11.5, horizontalAccuracy: 9, altitude: 545.4, ellipsoidalAltitude: 592.3,
    verticalAccuracy: 15, speed: 10, course: 45, time: Timestamp(milliseconds: 1_738_326_896_200),
    arrival: Instant(sinceBoot: .seconds(1000)), satellitesUsed: 8)
  change(&fix)
  return fix
}

private let sampleSky = Sky(
  satellites: [
    Sky.Satellite(constellation: .gps, svid: 2, elevation: 68, azimuth: 30, snr: 46, isUsed: true),
    Sky.Satellite(constellation: .gps, svid: 29, elevation: -3, azimuth: 359.7, isUsed: false),
    Sky.Satellite(constellation: .sbas, svid: 123, elevation: 30, azimuth: 180, snr: 35, isUsed: true),
    Sky.Satellite(constellation: .glonass, svid: 3, elevation: 61, azimuth: 210, snr: 45, isUsed: true),
    Sky.Satellite(constellation: .beidou, svid: 14, elevation: 20, azimuth: 100, snr: 33, isUsed: true),
    Sky.Satellite(constellation: .unknown, svid: 999, isUsed: false),
  ], vdop: 1.2, arrival: Instant(sinceBoot: .seconds(999)))

private func lines(_ bytes: [UInt8]) -> [String] {
  String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
}

/// The bodies, of sentences with right checksums.
private func bodies(_ bytes: [UInt8]) throws -> [String] {
  try lines(bytes).map { line in
    try #require(NMEASentence.fields(of: Array(line.utf8)[...]), "\(line)").joined(separator: ",")
  }
}

@Suite("Sentences for readers") struct NMEAStreamTests {
  @Test("the epoch of a fix is exactly this, GGA first")
  func fixSentences() throws {
    var stream = NMEAStream()
    #expect(
      try bodies(stream.fixed(sampleFix())) == [
        "GNGGA,123456.200,4807.40741,N,01130.00000,W,1,08,5.1,545.4,M,46.9,M,,",
        "GNGST,123456.200,,5.93,5.93,0,5.93,5.93,15.00", "GNGSA,A,3,,,,,,,,,,,,,5.3,5.1,1.3",
        "GNRMC,123456.200,A,4807.40741,N,01130.00000,W,19.44,45.00,310125,,,A,V",
        "GNVTG,45.00,T,,,19.44,N,36.00,K,A",
      ])
  }

  @Test("what is unknown is an empty field, except the HDOP, which no reader may take for 0")
  func unknownValues() throws {
    var stream = NMEAStream()
    let fix = Fix(latitude: -0.5, longitude: 179.999999999, arrival: .boot, mode: .twoDimensional)
    #expect(
      try bodies(stream.fixed(fix)) == [
        "GNGGA,,0030.00000,S,18000.00000,E,1,,99.9,,,,,,", "GNGSA,A,2,,,,,,,,,,,,,,99.9,",
        "GNRMC,,A,0030.00000,S,18000.00000,E,,,,,,A,V", "GNVTG,,,,,,,,,A",
      ])
  }

  @Test("satellites have the talker and the numbers of their systems, and used ones are in GSA")
  func satellites() throws {
    var stream = NMEAStream()
    _ = stream.fixed(sampleFix())
    #expect(
      try bodies(stream.received(sampleSky)) == [
        "GPGSV,1,1,03,02,68,030,46,29,00,359,,36,30,180,35,0", "GLGSV,1,1,01,67,61,210,45,0",
        "GBGSV,1,1,01,14,20,100,33,0",
      ])
    let active = try bodies(stream.fixed(sampleFix())).filter { $0.contains("GSA") }
    #expect(
      active == [
        "GPGSA,A,3,02,36,,,,,,,,,,,5.3,5.1,1.3,1", "GLGSA,A,3,67,,,,,,,,,,,,5.3,5.1,1.3,2",
        "GBGSA,A,3,14,,,,,,,,,,,,5.3,5.1,1.3,4",
      ])
  }

  @Test("satellites that were seen long before a fix are not those of the fix")
  func oldSatellites() throws {
    var stream = NMEAStream()
    _ = stream.received(sampleSky)
    let later = sampleFix { $0.arrival = Instant(sinceBoot: .seconds(1010)) }
    #expect(try bodies(stream.fixed(later)).filter { $0.contains("GSA") } == ["GNGSA,A,3,,,,,,,,,,,,,5.3,5.1,1.3"])
  }

  @Test("a loss is a void epoch, and so is each sky without a fix")
  func loss() throws {
    let void = [
      "GNGGA,,,,,,0,00,99.9,,,,,,", "GNGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9", "GNRMC,,V,,,,,,,,,,N,V", "GNVTG,,,,,,,,,N",
    ]
    var stream = NMEAStream()
    #expect(try bodies(stream.received(sampleSky)).prefix(4) == void[...])
    _ = stream.fixed(sampleFix())
    #expect(try bodies(stream.lost()) == void)
    #expect(try bodies(stream.received(sampleSky)).count == 7)
  }

  @Test("only a compass's true heading is one")
  func heading() throws {
    var stream = NMEAStream()
    let arrival = Instant.boot
    for (heading, expected) in [
      (Heading(trueHeading: 359.999, source: .sensor, arrival: arrival), ["GNHDT,0.00,T"]),
      (Heading(trueHeading: 12.5, source: .sensor, arrival: arrival), ["GNHDT,12.50,T"]),
      (Heading(trueHeading: 12.5, source: .course, arrival: arrival), []),
      (Heading(magneticHeading: 12.5, source: .sensor, arrival: arrival), []),
    ] {
      stream.turned(to: heading)
      #expect(try bodies(stream.fixed(sampleFix())).filter { $0.contains("HDT") } == expected)
    }
    stream.turned(to: nil)
    #expect(try !bodies(stream.fixed(sampleFix())).contains { $0.contains("HDT") })
  }

  @Test(
    "the kind of solution is in GGA, RMC and VTG",
    arguments: zip(Fix.Status.allCases, ["1A", "2D", "4R", "5F", "6E", "1A", "7M", "8S"]))
  func quality(status: Fix.Status, expected: String) throws {
    var stream = NMEAStream()
    let fields = try bodies(stream.fixed(sampleFix { $0.status = status })).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let byName = Dictionary(uniqueKeysWithValues: fields.map { ($0[0], $0) })
    let quality = try #require(byName["GNGGA"])[6]
    #expect("\(quality)\(try #require(byName["GNRMC"])[12])" == expected)
    #expect(try #require(byName["GNVTG"]?.last) == expected.suffix(1))
  }

  @Test("no sentence is longer than the 82 characters of the standard, whatever the fix")
  func lengths() {
    var random = SeededRandom(seed: 82)
    var longest = 0
    for _ in 0..<2000 {
      var stream = NMEAStream()
      let satellites = (0..<40).map { _ in
        Sky.Satellite(
          constellation: Sky.Constellation.allCases.randomElement(using: &random) ?? .gps,
          svid: Int.random(in: 1...200, using: &random), elevation: Double.random(in: -90...90, using: &random),
          azimuth: Double.random(in: 0..<360, using: &random), snr: Double.random(in: 0...254, using: &random),
          isUsed: Bool.random(using: &random))
      }
      stream.turned(to: Heading(trueHeading: 359.9, source: .sensor, arrival: .boot))
      let altitude = Double.random(in: -20_000...50_000, using: &random)
      let sky = stream.received(Sky(satellites: satellites, arrival: .boot))
      let fix = Fix(
        latitude: Double.random(in: -90...90, using: &random), longitude: Double.random(in: -180...180, using: &random),
        horizontalAccuracy: Double.random(in: 0.001...1e9, using: &random), altitude: altitude,
        ellipsoidalAltitude: altitude + Double.random(in: -120...120, using: &random),
        verticalAccuracy: Double.random(in: 0.001...1e9, using: &random),
        speed: Double.random(in: 0...20_000, using: &random), course: Double.random(in: 0..<360, using: &random),
        time: Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &random)), arrival: .boot,
        satellitesUsed: 120)
      for line in lines(sky + stream.fixed(fix)) { longest = max(longest, line.utf8.count + 2) }
    }
    #expect(longest <= 82 && longest > 70, "\(longest)")
  }
}

@Suite("Stated dilution") struct StatedDilutionTests {
  /// What GeoClue 2 makes of an HDOP, in metres.
  private static func geoClue(_ dilution: Double) -> Double {
    if dilution <= 1 { return 0 }
    if dilution <= 2 { return 1 }
    if dilution <= 5 { return 3 }
    if dilution <= 10 { return 50 }
    return dilution <= 20 ? 100 : 300
  }

  @Test("neither GeoClue nor gpsd makes a better accuracy of it than the truth, as far as GeoClue's steps go")
  func neverBetter() {
    for tenths in 1...20_000 {
      for status in [Fix.Status.gnss, .dgnss] {
        let truth = Double(tenths) / 10
        var fix = sampleFix { $0.status = status }
        fix.horizontalAccuracy = truth * 0.6
        fix.horizontalAccuracy95 = truth
        // As it is written.
        let dilution = Double(FixedPoint.text(StatedDilution.horizontal(of: fix), decimals: 1)) ?? 0
        #expect(Self.geoClue(dilution) >= min(truth, 300), "\(truth) m: \(dilution)")
        let factor = status == .dgnss ? 4.75 : 19
        #expect(dilution * factor >= truth - 1e-6 || truth > 99.9 * factor, "\(truth) m: \(dilution)")
      }
    }
  }

  @Test("a fix of a few metres is not stated as one of 300", arguments: [(2.9, 3.0), (17.7, 50), (35, 50), (80, 100)])
  func notMuchWorse(truth: Double, expected: Double) {
    let fix = sampleFix { $0.horizontalAccuracy95 = truth }
    #expect(Self.geoClue(StatedDilution.horizontal(of: fix)) == expected)
  }
}

/// gpsd's own decoder as the judge.
@Suite("Sentences decoded by gpsd", .timeLimit(.minutes(TestDeadline.minutes))) struct DecodedSentencesTests {
  @Test("gpsd's decoder reads the same fix and the same satellites")
  func decoded() throws {
    let decoder = "/usr/bin/gpsdecode"
    try #require(unsafe access(decoder, X_OK) == 0, "gpsdecode is missing; scripts/bootstrap installs gpsd-clients")
    let folder = try TemporaryFolder()
    var stream = NMEAStream()
    stream.turned(to: Heading(trueHeading: 271.25, source: .sensor, arrival: .boot))
    var bytes: [UInt8] = []
    // gpsd finds the end of an epoch by the sentences of the one before.
    for second in 0..<4 {
      let fix = sampleFix {
        $0.latitude = 48.1
        $0.time = Timestamp(milliseconds: 1_738_326_896_000 + Int64(second) * 1000)
      }
      bytes += stream.received(sampleSky) + stream.fixed(fix)
    }
    let file = folder.file("sentences")
    let output = try FileDescriptor(adopting: unsafe open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    #expect(try output.write(bytes[...]) == .wrote(bytes.count))
    output.close()
    let run = try SystemProgram.run("/bin/sh", ["-c", "exec \"$0\" <\"$1\"", decoder, file])
    #expect(run.code == 0)
    let position = try #require(
      run.words.split(separator: "\n").last { $0.contains("\"TPV\"") && $0.contains("lat") }, "\(run.words)")
    for member in [
      "\"mode\":3", "\"lat\":48.1000000", "\"lon\":-11.5000000", "\"altMSL\":545.4", "\"speed\":10.0",
      "\"track\":45.0", "2025-01-31T12:34:5",
    ] {
      #expect(position.contains(member), "\(member): \(position)")
    }
    #expect(run.words.contains("\"PRN\":67"), "\(run.words)")
    #expect(run.words.contains("\"heading\":271.25"), "\(run.words)")
  }
}
