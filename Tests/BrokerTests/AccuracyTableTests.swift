import Positioning
import Testing

@testable import Broker

/// What receivers' error estimates mean, by their source.
@Suite struct AccuracyTableTests {
  /// The fix's 68 % radius of one report, however long the filter holds it.
  private func accuracy(
    driver: String, eph: Double? = nil, axes: (Double, Double)? = nil, assumed: Double? = nil
  ) -> Double? {
    var settings = FixSettings()
    settings.assumedAccuracy = assumed
    var filter = FixFilter.knowing(settings, devices: [ReceiverDevice(path: "a", driver: driver, isActivated: true)])
    var report = position(1, time: 1, accuracy: eph, device: "a")
    report.epx = axes?.0
    report.epy = axes?.1
    var events = filter.run([report])
    events += filter.deadlineReached(now: at(1.3))
    return events.fixes.first?.horizontalAccuracy
  }

  @Test("u-blox in its binary protocol gives its own estimate, taken as it is")
  func ubloxBinary() { #expect(self.accuracy(driver: "u-blox", eph: 2.7) == 2.7) }

  @Test("Every other estimate is nominally 95 %, and shrinks by 0.62", arguments: ["NMEA0183", "SiRF", "Garmin USB"])
  func others(driver: String) throws {
    let meters = try #require(self.accuracy(driver: driver, eph: 17.1))
    #expect(abs(meters - 10.602) < 1e-9)
  }

  @Test("Axes without a radius, as GBS gives them, are one sigma each")
  func axes() { #expect(self.accuracy(driver: "NMEA0183", axes: (6, 8)) == 10) }

  @Test("One axis alone says nothing")
  func oneAxis() { #expect(self.accuracy(driver: "NMEA0183", axes: (6, 0)) == nil) }

  @Test("A radius beside axes wins: the axes are dilutions in disguise")
  func radiusWins() { #expect(self.accuracy(driver: "u-blox", eph: 3, axes: (30, 40)) == 3) }

  @Test(
    "What no receiver can mean is unknown, never best: zero, negative, HDOP 50 and 99.99 in disguise",
    arguments: [0, -1, -0.0, 900, 950, 1899.81, .nan, .infinity])
  func sentinels(eph: Double) {
    #expect(self.accuracy(driver: "NMEA0183", eph: eph) == nil)
    #expect(self.accuracy(driver: "u-blox", eph: eph) == nil)
  }

  @Test("The last usable estimate is just below 900 m")
  func largest() { #expect(self.accuracy(driver: "u-blox", eph: 899.9) == 899.9) }

  @Test("The administrator's assumption stands in where nothing usable is known", arguments: [nil, 0, 1899.81])
  func assumed(eph: Double?) { #expect(self.accuracy(driver: "NMEA0183", eph: eph, assumed: 25) == 25) }

  @Test("The assumption never replaces an estimate")
  func assumedYields() { #expect(self.accuracy(driver: "u-blox", eph: 60, assumed: 25) == 60) }

  @Test("Standard deviations win over every estimate")
  func standardDeviations() {
    let accuracy = AccuracyTable.horizontal(report: position(1), estimate: estimate(1), isUbloxBinary: true)
    #expect(accuracy?.meters == 5)
    #expect(accuracy?.source == .standardDeviations)
  }

  @Test("Standard deviations of zero are none", arguments: [(0, 4), (3, 0), (-3, 4), (.nan, 4)] as [(Double, Double)])
  func noDeviations(latitude: Double, longitude: Double) {
    let empty = estimate(1, latitude: latitude, longitude: longitude)
    let accuracy = AccuracyTable.horizontal(report: position(1), estimate: empty, isUbloxBinary: true)
    #expect(accuracy?.meters == 4)
    #expect(accuracy?.source == .ubloxEstimate)
  }

  /// The other accuracies of one report.
  private func others(driver: String, error: Double) throws -> [Double?] {
    var filter = FixFilter.knowing(devices: [ReceiverDevice(path: "a", driver: driver, isActivated: true)])
    var report = position(1, time: 1, accuracy: 5, device: "a")
    report.epv = error
    report.eps = error
    report.epd = error
    let fix = try #require(filter.run([report]).fixes.first)
    return [fix.verticalAccuracy, fix.speedAccuracy, fix.courseAccuracy]
  }

  @Test("Height, speed and course are 68 % bounds as well: 95 % ones shrink, u-blox's are as they are")
  func otherAccuracies() throws {
    #expect(try self.others(driver: "u-blox", error: 9.8) == [9.8, 9.8, 9.8])
    for bound in try self.others(driver: "NMEA0183", error: 9.8) {
      #expect(abs((bound ?? 0) - 5) < 1e-9)
    }
  }

  @Test("Height, speed and course tell no accuracy of zero or below", arguments: [0.0, -3, 1899.81])
  func otherSentinels(error: Double) throws {
    #expect(try self.others(driver: "NMEA0183", error: error) == [nil, nil, nil])
  }

  @Test("A course that may be anything has no accuracy")
  func anyCourse() throws {
    #expect(try self.others(driver: "u-blox", error: 181)[2] == nil)
  }

  @Test("The altitude's standard deviation wins over its estimate")
  func altitudeDeviation() {
    var report = position(1)
    report.epv = 20
    var deviations = estimate(1)
    deviations.altitude = 2
    #expect(AccuracyTable.vertical(report: report, estimate: deviations, isUbloxBinary: false) == 2)
  }
}
