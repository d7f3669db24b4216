import NMEA
import Positioning
import ReceiverPorts
import Testing
import UBX

@testable import ReceiverSimulator

/// 2025-01-31T12:34:56.200Z in Munich, moving north-east.
let sampleEpoch = Epoch(
  time: Timestamp(milliseconds: 1_738_326_896_200),
  truth: Motion(coordinate: Coordinate(latitude: 48.1, longitude: -11.5)),
  solution: Solution(
    motion: Motion(
      coordinate: Coordinate(latitude: 48.123456789, longitude: -11.5), altitude: 545.4, speed: 10, course: 45),
    quality: .gnss, dilution: Dilution(horizontal: 0.9, vertical: 1.2), horizontalAccuracy: 2.25, verticalAccuracy: 3,
    speedAccuracy: 0.1),
  satellites: [
    Sky.Satellite(constellation: .gps, svid: 2, elevation: 68, azimuth: 30, snr: 46, isUsed: true),
    Sky.Satellite(constellation: .gps, svid: 29, elevation: 6, azimuth: 150, snr: nil, isUsed: false),
    Sky.Satellite(constellation: .glonass, svid: 3, elevation: 61, azimuth: 210, snr: 45, isUsed: true),
  ])

@Suite("Encoding") struct EncodingTests {
  @Test(
    "an NMEA checksum is the exclusive or of the body",
    arguments: [
      ("PMTK161,0", "$PMTK161,0*28\r\n"), ("PMTK225,0", "$PMTK225,0*2B\r\n"),
      (
        "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W",
        "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\r\n"
      ),
      ("", "$*00\r\n"),
    ])
  func checksumOfNMEA(body: String, expected: String) {
    #expect(NMEASentence(body).text == expected)
  }

  @Test("the sentences of a fix are exactly these")
  func fixSentences() {
    let lines = NMEAEncoder(decimals: 5, includesErrorEstimate: true).sentences(for: sampleEpoch).map(\.body)
    #expect(
      lines == [
        "GNRMC,123456.200,A,4807.40741,N,01130.00000,W,19.4384,45.000,310125,,,A,V",
        "GNVTG,45.000,T,,M,19.4384,N,36.0000,K,A",
        "GNGGA,123456.200,4807.40741,N,01130.00000,W,1,02,0.90,545.400,M,46.900,M,,",
        "GNGST,123456.200,10,1.591,1.591,0,1.591,1.591,3.000",
        "GPGSA,A,3,02,,,,,,,,,,,,1.50,0.90,1.20,1",
        "GLGSA,A,3,67,,,,,,,,,,,,1.50,0.90,1.20,2",
        "GAGSA,A,3,,,,,,,,,,,,,1.50,0.90,1.20,3",
        "GPGSV,1,1,02,02,68,030,46,29,06,150,,1",
        "GLGSV,1,1,01,67,61,210,45,1",
        "GAGSV,1,1,00,1",
      ])
  }

  @Test("without a fix no sentence has a position")
  func noFixSentences() {
    var epoch = sampleEpoch
    epoch.solution = nil
    epoch.satellites = []
    epoch.includesSky = false
    let lines = NMEAEncoder().sentences(for: epoch).map(\.body)
    #expect(
      lines == [
        "GNRMC,123456.200,V,,,,,,,310125,,,N,V", "GNVTG,,,,,,,,,N", "GNGGA,123456.200,,,,,0,00,99.99,,,,,,",
        "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99,1", "GLGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99,2",
        "GAGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99,3",
      ])
  }

  @Test(
    "the quality of a solution is in RMC and GGA",
    arguments: [
      (FixQuality.gnss, "1", "A"), (.differential, "2", "D"), (.rtkFixed, "4", "R"), (.rtkFloat, "5", "F"),
      (.deadReckoning, "6", "E"),
    ])
  func quality(quality: FixQuality, indicator: String, mode: String) {
    var epoch = sampleEpoch
    epoch.solution?.quality = quality
    let lines = NMEAEncoder().sentences(for: epoch).map {
      $0.body.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(lines[0][12] == mode)
    #expect(lines[2][6] == indicator)
    #expect(NMEAEncoder().bytes(for: epoch).count > 300)
  }

  @Test(
    "a heading is in the sentence of the configured compass",
    arguments: [
      (NMEAEncoder.HeadingSentence.hdt, "GNHDT,2.500,T"), (.hdg, "HCHDG,359.0,0.0,E,3.5,E"),
      (.pashr, "PASHR,123456.200,2.50,T,+1.25,-0.75,+0.01,0.100,0.100,0.200,1"),
      (.tnthtm, "PTNTHTM,359.0,N,-0.7,N,1.2,N,1.05,0.80"),
    ])
  func heading(sentence: NMEAEncoder.HeadingSentence, expected: String) {
    var epoch = sampleEpoch
    epoch.heading = 2.5
    #expect(NMEAEncoder(headingSentence: sentence).sentences(for: epoch).last?.body == expected)
    epoch.heading = nil
    #expect(NMEAEncoder(headingSentence: sentence).sentences(for: epoch).allSatisfy { $0.body != expected })
  }

  @Test(
    "degrees and minutes never show 60 minutes",
    arguments: [
      (47.99999999999, 5, "4800.00000"), (0.0, 5, "0000.00000"), (9.5, 8, "0930.00000000"), (-0.25, 4, "0015.0000"),
    ])
  func degreesAndMinutes(angle: Double, decimals: Int, expected: String) {
    #expect(FixedPoint.degreesAndMinutes(angle, degreeDigits: 2, decimals: decimals) == expected)
  }

  @Test(
    "numbers are rounded and padded", arguments: [(-0.04, 1, 1, "0.0"), (-1.25, 1, 1, "-1.3"), (7.0, 0, 3, "007")])
  func fixedPoint(value: Double, decimals: Int, width: Int, expected: String) {
    #expect(FixedPoint.text(value, decimals: decimals, width: width) == expected)
  }

  @Test("a UBX message has u-blox's checksum")
  func checksumOfUBX() throws {
    let stop: [UInt8] = [0xB5, 0x62, 0x06, 0x04, 0x04, 0x00, 0x00, 0x00, 0x08, 0x00, 0x16, 0x74]
    #expect(UBXFrame(0x06, 0x04, payload: [0, 0, 8, 0]).bytes == stop)
    #expect(UBXFrame(0x0A, 0x04).bytes == [0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34])
    #expect(try #require(UBXFrame(parsing: stop)).payload == [0, 0, 8, 0])
    for index in 2..<stop.count {
      var broken = stop
      broken[index] ^= 0x01
      #expect(UBXFrame(parsing: broken) == nil)
    }
  }

  @Test(
    "the messages of a fix have the manual's layout of NAV-PVT, NAV-TIMEGPS, NAV-DOP, NAV-SAT, NAV-STATUS, NAV-EOE and MON-HW"
  )
  func navigationMessages() throws {
    let frames = UBXEncoder.frames(for: sampleEpoch)
    #expect(frames.map(\.identifier) == [0x07, 0x20, 0x04, 0x35, 0x03, 0x61, 0x09])
    #expect(frames.map(\.payload.count) == [92, 16, 18, 8 + 3 * 12, 16, 4, 60])
    let position = frames[0].payload
    // Friday 12:34:56.2 UTC, and GPS time is 18 s ahead.
    let timeOfWeek: UInt32 = 477_314_200
    #expect(position.integer(at: 0, as: UInt32.self) == timeOfWeek)
    #expect(position.integer(at: 4, as: UInt16.self) == 2025)
    #expect(Array(position[6...11]) == [1, 31, 12, 34, 56, 7])
    #expect(position.integer(at: 16, as: Int32.self) == 200_000_000)
    #expect(Array(position[20...21]) == [3, 1])
    #expect(position[23] == 2)
    #expect(position.integer(at: 24, as: Int32.self) == -115_000_000)
    #expect(position.integer(at: 28, as: Int32.self) == 481_234_568)
    #expect(position.integer(at: 32, as: Int32.self) == 592_300)
    #expect(position.integer(at: 36, as: Int32.self) == 545_400)
    #expect(position.integer(at: 40, as: UInt32.self) == 2250)
    #expect(position.integer(at: 48, as: Int32.self) == 7071)
    #expect(position.integer(at: 60, as: Int32.self) == 10_000)
    #expect(position.integer(at: 64, as: Int32.self) == 4_500_000)
    #expect(frames[1].payload.integer(at: 8, as: Int16.self) == 2351)
    #expect(frames[1].payload[10] == 18)
    #expect(frames[5].payload.integer(at: 0, as: UInt32.self) == timeOfWeek)
    let satellite = Array(frames[3].payload[8..<20])
    #expect(Array(satellite[0...3]) == [0, 2, 46, 68])
    #expect(satellite.integer(at: 8, as: UInt32.self) & 8 == 8)
    #expect(frames[3].payload.integer(at: 28, as: UInt32.self) & 8 == 0)
  }

  @Test("what the receiver says of its reception is in NAV-STATUS, and in MON-HW with every fourth second")
  func reception() throws {
    var epoch = sampleEpoch
    epoch.reception = Reception(spoofing: .affirmed, jamming: .warning, jammingIndicator: 201, antenna: .short)
    let frames = UBXEncoder.frames(for: epoch)
    let status = try #require(frames.first { $0.identifier == UBXFrame.statusIdentifier }).payload
    #expect(Array(status[4...7]) == [3, 0x0D, 0, 0x18])
    let hardware = try #require(frames.last).payload
    #expect(Array(hardware[20...22]) == [3, 1, 0x09] && hardware[45] == 201)
    epoch.solution?.quality = .rtkFixed
    #expect(Array(UBXEncoder.frames(for: epoch)[4].payload[4...7]) == [3, 0x0F, 3, 0x98])
    epoch.time = epoch.time + .seconds(1)
    #expect(!UBXEncoder.frames(for: epoch).contains { $0.messageClass == UBXFrame.MessageClass.monitor })
  }

  @Test("without a fix NAV-PVT reports that and has no accuracy")
  func positionWithoutFix() {
    var epoch = sampleEpoch
    epoch.solution = nil
    let position = UBXEncoder.frames(for: epoch)[0].payload
    #expect(Array(position[20...21]) == [0, 0])
    #expect(position.integer(at: 40, as: UInt32.self) == UInt32.max)
  }
}

extension [UInt8] {
  func integer<Value: FixedWidthInteger>(at index: Int, as type: Value.Type) -> Value {
    var value: Value = 0
    for offset in 0..<(Value.bitWidth / 8) {
      value |= Value(truncatingIfNeeded: self[index + offset]) << Value(offset * 8)
    }
    return value
  }
}
