import Positioning
import Testing

@testable import Gpsd

@Suite("The identity of a satellite")
struct SatelliteNumberTests {
  struct Case: Sendable {
    var gnssid: Int
    var svid: Int
    var prn: Int
    var constellation: Sky.Constellation
    var number: Int
  }

  static let cases = [
    Case(gnssid: 0, svid: 5, prn: 5, constellation: .gps, number: 5),
    Case(gnssid: 1, svid: 123, prn: 36, constellation: .sbas, number: 123),
    Case(gnssid: 2, svid: 11, prn: 311, constellation: .galileo, number: 11),
    Case(gnssid: 3, svid: 14, prn: 414, constellation: .beidou, number: 14),
    Case(gnssid: 4, svid: 1, prn: 173, constellation: .imes, number: 1),
    Case(gnssid: 5, svid: 2, prn: 194, constellation: .qzss, number: 2),
    Case(gnssid: 6, svid: 8, prn: 72, constellation: .glonass, number: 8),
    Case(gnssid: 7, svid: 3, prn: 903, constellation: .navic, number: 3),
    Case(gnssid: 6, svid: 255, prn: 72, constellation: .glonass, number: 8),
    Case(gnssid: 9, svid: 3, prn: 3, constellation: .gps, number: 3),
    Case(gnssid: -1, svid: -1, prn: 32, constellation: .gps, number: 32),
    Case(gnssid: -1, svid: -1, prn: 33, constellation: .sbas, number: 120),
    Case(gnssid: -1, svid: -1, prn: 65, constellation: .glonass, number: 1),
    Case(gnssid: -1, svid: -1, prn: 133, constellation: .sbas, number: 133),
    Case(gnssid: -1, svid: -1, prn: 193, constellation: .qzss, number: 1),
    Case(gnssid: -1, svid: -1, prn: 201, constellation: .beidou, number: 1),
    Case(gnssid: -1, svid: -1, prn: 301, constellation: .galileo, number: 1),
    Case(gnssid: -1, svid: -1, prn: 463, constellation: .beidou, number: 63),
    Case(gnssid: -1, svid: -1, prn: 600, constellation: .unknown, number: 600),
  ]

  @Test("A satellite has its system and number, else its PRN", arguments: cases)
  func known(satellite: Case) throws {
    let number = try #require(SatelliteNumber(gnssid: satellite.gnssid, svid: satellite.svid, prn: satellite.prn))
    #expect(number.constellation == satellite.constellation && number.svid == satellite.number)
  }

  @Test("An entry without either is ignored")
  func unknown() {
    #expect(SatelliteNumber(gnssid: -1, svid: -1, prn: -1) == nil)
    #expect(SatelliteNumber(gnssid: 6, svid: 255, prn: -1) == nil)
  }
}
