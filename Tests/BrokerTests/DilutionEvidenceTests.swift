import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// The detection that a driver's estimate is a scaled HDOP.
@Suite struct DilutionEvidenceTests {
  private static let dilutions = [0.85, 0.86, 0.86, 0.91, 0.84, 0.85, 0.9, 0.88]

  /// A second of a u-blox's reports: its sky, then its position.
  private func second(
    _ number: Int, eph: Double, hdop: Double, status: Int = 0, of filter: inout WatchedFilter
  ) -> Fix? {
    let moment = Double(number)
    filter.received(SkyReport(device: ublox.path, hdop: hdop, arrival: at(moment - 0.1)))
    var report = position(moment, time: moment, accuracy: eph)
    report.status = status
    return filter.run([report]).fixes.first
  }

  @Test("A u-blox that sends NMEA is recognised with its second report", arguments: [(0, 19.0), (2, 4.75)])
  func fuzzed(status: Int, factor: Double) {
    var filter = WatchedFilter.knowing()
    let fixes = Self.dilutions.enumerated().map { index, hdop in
      let eph = (factor * hdop * 1000).rounded() / 1000
      return self.second(index + 1, eph: eph, hdop: hdop, status: status, of: &filter)
    }
    let expected: [AccuracySource?] = [.receiver] + Array(repeating: .dilution, count: 7)
    #expect(fixes.map { $0?.accuracySource } == expected)
    for (fix, hdop) in zip(fixes, Self.dilutions).dropFirst() {
      #expect(abs((fix?.horizontalAccuracy ?? 0) - 5 * hdop) < 1e-3)
    }
  }

  @Test("A u-blox's own estimate is taken unchanged, also close to the product of the HDOP")
  func own() {
    var filter = WatchedFilter.knowing()
    let fixes = Self.dilutions.enumerated().map { index, hdop in
      self.second(index + 1, eph: 19 * hdop + 0.003, hdop: hdop, of: &filter)
    }
    #expect(fixes.allSatisfy { $0?.accuracySource == .receiver })
  }

  @Test("A recognised u-blox that begins to report estimates is believed at once: none becomes too small")
  func changes() {
    var filter = WatchedFilter.knowing()
    for number in 1...4 { _ = self.second(number, eph: 17.1, hdop: 0.9, of: &filter) }
    let fixes = (5...9).map { self.second($0, eph: 2.5 + Double($0) / 100, hdop: 0.9, of: &filter) }
    #expect(fixes.allSatisfy { $0?.accuracySource == .receiver })
  }

  @Test("An NMEA receiver whose HDOP gpsd computed from the satellites is recognised by its sky")
  func computed() {
    var filter = WatchedFilter.knowing(devices: [
      ReceiverDevice(path: ublox.path, driver: "NMEA0183", isActivated: true)
    ])
    let fixes = (1...6).map { self.second($0, eph: 19 * 0.87654, hdop: 0.88, of: &filter) }
    #expect(fixes.last??.accuracySource == .dilution)
  }
}
