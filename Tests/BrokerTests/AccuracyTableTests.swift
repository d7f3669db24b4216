import Geodesy
import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// The meaning of receivers' error estimates, by their source.
@Suite struct AccuracyTableTests {
  /// The fix of one report, after any hold of the filter.
  private func fix(
    driver: String?, eph: Double? = nil, axes: (Double, Double)? = nil, status: Int = 0, assumed: Double? = nil,
    mode: PositionReport.Mode = .threeDimensional
  ) -> Fix? {
    var settings = FixSettings()
    settings.assumedAccuracy = assumed
    var filter = WatchedFilter.knowing(
      settings, devices: [ReceiverDevice(path: "a", driver: driver, isActivated: true)])
    var report = position(1, time: 1, accuracy: eph, device: "a")
    report.epx = axes?.0
    report.epy = axes?.1
    report.status = status
    report.mode = mode
    var events = filter.run([report])
    events += filter.advance(to: at(3))
    return events.fixes.first
  }

  private func accuracy(
    driver: String, eph: Double? = nil, axes: (Double, Double)? = nil, assumed: Double? = nil
  ) -> Double? {
    self.fix(driver: driver, eph: eph, axes: axes, assumed: assumed)?.horizontalAccuracy
  }

  @Test("The estimate of a u-blox in its binary protocol is taken unchanged")
  func ubloxBinary() throws {
    let fix = try #require(self.fix(driver: "u-blox", eph: 2.7))
    #expect(fix.horizontalAccuracy == 2.7)
    #expect(fix.accuracySource == .receiver)
  }

  @Test("A GREIS estimate is a root mean square, which is a little less than the 68 % radius")
  func greis() throws {
    let fix = try #require(self.fix(driver: "GREIS", eph: 0.45))
    #expect(abs((fix.horizontalAccuracy ?? 0) - 0.4821) < 1e-3)
    #expect(abs((fix.horizontalAccuracy95 ?? 0) - 0.7776) < 1e-3)
    #expect(fix.accuracySource == .receiver)
  }

  @Test(
    "Every other estimate is nominally 95 % and is multiplied by 0.62", arguments: ["SiRF", "Garmin USB binary", nil])
  func others(driver: String?) throws {
    let fix = try #require(self.fix(driver: driver, eph: 17.1))
    #expect(abs((fix.horizontalAccuracy ?? 0) - 10.602) < 1e-9)
    #expect(abs((fix.horizontalAccuracy95 ?? 0) - 17.1) < 1e-9)
    #expect(fix.accuracySource == .nominal95)
  }

  @Test(
    "The estimate that gpsd made of an NMEA receiver's HDOP is replaced by the HDOP times the configured error",
    arguments: [(17.1, 0, 0.9), (4.275, 2, 0.9), (10.64, 0, 0.56), (2.66, 2, 0.56), (95, 0, 5), (4.275, 0, 0.9)])
  func dilution(eph: Double, status: Int, hdop: Double) throws {
    let fix = try #require(self.fix(driver: "NMEA0183", eph: eph, status: status))
    #expect(abs((fix.horizontalAccuracy ?? 0) - 5 * hdop) < 1e-9)
    #expect(fix.accuracySource == .dilution)
  }

  @Test("An NMEA receiver's estimate that is no multiple of the HDOP is its own, as in PGRME")
  func madeBySentence() {
    #expect(self.fix(driver: "NMEA0183", eph: 8.3)?.accuracySource == .nominal95)
  }

  @Test("A 2-D or dead-reckoning fix keeps gpsd's coarse estimate, because the HDOP does not cover it")
  func notByDilution() {
    #expect(self.fix(driver: "NMEA0183", eph: 19, mode: .twoDimensional)?.horizontalAccuracy == 19 * 0.62)
    #expect(self.fix(driver: "NMEA0183", eph: 19, status: 5)?.horizontalAccuracy == 19 * 0.62)
  }

  @Test("Estimates for the axes without a radius, as in GBS, are one sigma each: the ellipse's radii are computed")
  func axes() throws {
    let fix = try #require(self.fix(driver: "NMEA0183", axes: (6, 6)))
    #expect(abs((fix.horizontalAccuracy ?? 0) - 6 * 1.51517) < 1e-3)
    #expect(abs((fix.horizontalAccuracy95 ?? 0) - 6 * 2.44775) < 1e-3)
    #expect(fix.accuracySource == .standardDeviations)
  }

  @Test("An estimate for one axis alone is ignored")
  func oneAxis() { #expect(self.accuracy(driver: "NMEA0183", axes: (6, 0)) == nil) }

  @Test("A radius has precedence over axes, which are only scaled dilutions")
  func radiusWins() { #expect(self.accuracy(driver: "u-blox", eph: 3, axes: (30, 40)) == 3) }

  @Test("An impossible estimate is unknown, never the best", arguments: [0, -1, -0.0, 1e-307, 0.0009, .nan, .infinity])
  func nothing(eph: Double) {
    #expect(self.accuracy(driver: "NMEA0183", eph: eph) == nil)
    #expect(self.accuracy(driver: "u-blox", eph: eph) == nil)
    #expect(self.fix(driver: "u-blox", eph: eph)?.accuracySource == nil)
  }

  @Test(
    "HDOP 50 and 99.99 mean that the receiver does not know its error, with corrections too",
    arguments: [(900.0, 0), (950, 0), (1899.81, 0), (474.953, 2), (1e12, 0)])
  func vague(eph: Double, status: Int) {
    for driver in ["NMEA0183"] + (eph < 900 ? [] : ["u-blox", "SiRF"]) {
      let fix = self.fix(driver: driver, eph: eph, status: status, assumed: 25)
      #expect(fix?.accuracySource == .vague && fix?.isVague == true)
      #expect(fix?.horizontalAccuracy == nil && fix?.horizontalAccuracy95 == nil)
    }
  }

  @Test("The last usable estimate is just below 900 m")
  func largest() { #expect(self.accuracy(driver: "u-blox", eph: 899.9) == 899.9) }

  @Test("assumed-accuracy is used if the receiver reported no estimate", arguments: [nil, 0])
  func assumed(eph: Double?) {
    let fix = self.fix(driver: "NMEA0183", eph: eph, assumed: 25)
    #expect(fix?.horizontalAccuracy == 25)
    #expect(fix?.accuracySource == .assumed)
  }

  @Test("assumed-accuracy never replaces an estimate")
  func assumedYields() { #expect(self.accuracy(driver: "u-blox", eph: 60, assumed: 25) == 60) }

  @Test("Standard deviations have precedence over every estimate, with the ellipse's 68 % and 95 % radii")
  func standardDeviations() throws {
    var filter = WatchedFilter.knowing()
    _ = filter.received(estimate(0.95, time: 1))
    let fix = try #require(filter.run([position(1, time: 1, accuracy: 9)]).fixes.first)
    #expect(fix.horizontalAccuracy == gst68)
    let ellipse = EllipticalError(3, 4)
    #expect(fix.horizontalAccuracy95 == ellipse.radius(holding: 0.95))
    #expect(fix.accuracySource == .standardDeviations)
  }

  @Test(
    "Standard deviations of zero are ignored", arguments: [(0, 4), (3, 0), (-3, 4), (.nan, 4)] as [(Double, Double)])
  func noDeviations(latitude: Double, longitude: Double) throws {
    var filter = WatchedFilter.knowing()
    _ = filter.received(estimate(0.95, time: 1, latitude: latitude, longitude: longitude))
    let fix = try #require(filter.run([position(1, time: 1)]).fixes.first)
    #expect(fix.horizontalAccuracy == 4)
    #expect(fix.accuracySource == .receiver)
  }

  @Test("Unusably large standard deviations mean that the receiver does not know its error")
  func vagueDeviations() throws {
    var filter = WatchedFilter.knowing()
    _ = filter.received(estimate(0.95, time: 1, latitude: 3_750_000, longitude: 3_750_000))
    #expect(try #require(filter.run([position(1, time: 1)]).fixes.first).isVague)
  }

  /// The other accuracies of one report.
  private func others(driver: String, error: Double, speedError: Double? = nil) throws -> [Double?] {
    var filter = WatchedFilter.knowing(devices: [ReceiverDevice(path: "a", driver: driver, isActivated: true)])
    var report = position(1, time: 1, accuracy: 5, device: "a")
    report.epv = error
    report.eps = speedError ?? error
    report.epd = error
    var events = filter.run([report])
    events += filter.advance(to: at(3))
    let fix = try #require(events.fixes.first)
    return [fix.verticalAccuracy, fix.speedAccuracy, fix.courseAccuracy]
  }

  @Test("Height, speed and course have 68 % bounds too: 95 % ones are reduced, u-blox's are unchanged")
  func otherAccuracies() throws {
    #expect(try self.others(driver: "u-blox", error: 9.8) == [9.8, 9.8, 9.8])
    for bound in try self.others(driver: "SiRF", error: 9.8) {
      #expect(abs((bound ?? 0) - 5) < 1e-9)
    }
  }

  @Test(
    "A speed error of the receiver is used, and one that gpsd computed from positions is not")
  func speedErrors() throws {
    #expect(try self.others(driver: "NMEA0183", error: 9.8, speedError: 18)[1] == nil)
    var filter = WatchedFilter.knowing()
    var report = position(1, time: 1)
    (report.epx, report.epy, report.eps) = (9.1, 8.2, 18.2)
    #expect(try #require(filter.run([report]).fixes.first).speedAccuracy == nil)
    (report.time, report.arrival, report.eps) = (utc(2), at(2), 0.31)
    #expect(try #require(filter.run([report]).fixes.first).speedAccuracy == 0.31)
  }

  @Test("The height's error follows from the VDOP if gpsd made the position's from the HDOP")
  func verticalDilution() throws {
    var filter = WatchedFilter.knowing(devices: [ReceiverDevice(path: "a", driver: "NMEA0183", isActivated: true)])
    var report = position(1, time: 1, accuracy: 19, device: "a")
    report.epv = 23 * 1.5
    var events = filter.run([report])
    events += filter.advance(to: at(3))
    // One sigma for each unit of dilution is 5 m / 1.0714.
    #expect(abs((events.fixes.first?.verticalAccuracy ?? 0) - 7.0) < 0.01)
  }

  @Test("Height, speed and course never have an accuracy of zero or below", arguments: [0.0, -3, 1899.81])
  func otherSentinels(error: Double) throws {
    #expect(try self.others(driver: "SiRF", error: error) == [nil, nil, nil])
  }

  @Test("A course whose error covers the circle has no accuracy")
  func anyCourse() throws {
    #expect(try self.others(driver: "u-blox", error: 181)[2] == nil)
  }

  @Test("The altitude's standard deviation has precedence over its estimate")
  func altitudeDeviation() {
    var report = position(1)
    report.epv = 20
    var deviations = estimate(1)
    deviations.altitude = 2
    let vertical = AccuracyTable.vertical(
      report: report, estimate: deviations, statistic: .nominal95, dilution: nil, errorPerDilution: 5)
    #expect(vertical == 2)
  }
}
