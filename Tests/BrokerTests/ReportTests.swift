import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// When a report becomes a fix, and with which members.
@Suite struct ReportTests {
  @Test("A report with mode 0 is ignored: no fix, no loss, no new epoch")
  func unknownMode() {
    var filter = WatchedFilter.knowing()
    var events = filter.run([position(1, time: 1)])
    for tick in 1...8 {
      events += filter.received(PositionReport(device: ublox.path, mode: .unknown, arrival: at(1 + Double(tick) / 4)))
    }
    #expect(events.fixes.count == 1)
    #expect(events.losses == 0)
    #expect(events.rejections == Array(repeating: .unknownMode, count: 8))
    #expect(filter.hasFix)
  }

  @Test("Mode 2 or 3 without a complete position is no fix", arguments: [true, false])
  func noPosition(hasLatitude: Bool) {
    var report = position(1, time: 1)
    if hasLatitude { report.longitude = nil } else { report.latitude = nil }
    var filter = WatchedFilter.knowing()
    #expect(filter.run([report]) == [.rejected(.noPosition)])
    #expect(!filter.hasFix)
  }

  @Test(
    "Every coordinate on earth is valid, with (0, 0), the poles and the antimeridian",
    arguments: [(0, 0), (90, 0), (-90, 180), (12, -180)] as [(Double, Double)])
  func places(latitude: Double, longitude: Double) {
    var filter = WatchedFilter.knowing()
    let fixes = filter.run([position(1, time: 1, latitude: latitude, longitude: longitude)]).fixes
    #expect(fixes.map(\.coordinate) == [Coordinate(latitude: latitude, longitude: longitude)])
  }

  @Test(
    "A coordinate out of range, or NaN, is invalid",
    arguments: [
      (91, 0), (-90.001, 0), (0, 180.5), (0, -181), (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity),
    ] as [(Double, Double)])
  func outOfRange(latitude: Double, longitude: Double) {
    var filter = WatchedFilter.knowing()
    #expect(filter.run([position(1, time: 1, latitude: latitude, longitude: longitude)]) == [.rejected(.noPosition)])
  }

  @Test("A simulated position counts only if the settings allow it", arguments: [true, false])
  func simulated(isAllowed: Bool) {
    var settings = FixSettings()
    settings.allowsSimulated = isAllowed
    var report = position(1, time: 1)
    report.status = 8
    var filter = WatchedFilter.knowing(settings)
    let events = filter.run([report])
    #expect(events.fixes.map(\.status) == (isAllowed ? [.simulated] : []))
    #expect(events.rejections == (isAllowed ? [] : [.simulated]))
  }

  @Test(
    "The status member never decides whether there is a fix: plain ones are reported as 0 or not at all",
    arguments: 0...9)
  func statuses(status: Int) {
    var report = position(1, time: 1)
    report.status = status
    var settings = FixSettings()
    settings.allowsSimulated = true
    var filter = WatchedFilter.knowing(settings)
    let expected: [Fix.Status] = [
      .gnss, .gnss, .dgnss, .rtkFixed, .rtkFloat, .deadReckoning, .combined, .surveyed, .simulated, .gnss,
    ]
    #expect(filter.run([report]).fixes.map(\.status) == [expected[status]])
  }

  @Test("No member of a fix is ever NaN", arguments: [Double.nan, .infinity, -.infinity])
  func noNumber(value: Double) throws {
    var report = position(1, time: 1, accuracy: value)
    report.altitude = value
    report.ellipsoidalAltitude = value
    report.speed = value
    report.track = value
    report.epx = value
    report.epy = value
    report.epv = value
    report.eps = value
    report.epd = value
    var filter = WatchedFilter.knowing()
    var events = filter.run([report])
    events += filter.deadlineReached(now: at(1.3))
    let fix = try #require(events.fixes.first)
    let fields = [
      fix.horizontalAccuracy, fix.altitude, fix.ellipsoidalAltitude, fix.verticalAccuracy, fix.speed, fix.speedAccuracy,
      fix.course, fix.courseAccuracy,
    ]
    #expect(fields.allSatisfy { $0 == nil })
  }

  @Test("Due north, sea level and standing still are values, not absences")
  func zeroes() throws {
    var report = position(1, time: 1)
    report.track = 0
    report.speed = 0
    report.altitude = 0
    var filter = WatchedFilter.knowing()
    let fix = try #require(filter.run([report]).fixes.first)
    #expect([fix.course, fix.speed, fix.altitude] == [0, 0, 0])
  }

  @Test("The fix has its arrival, the receiver's time, its mode and its device")
  func provenance() throws {
    var report = position(7.5, time: 3)
    report.mode = .twoDimensional
    var filter = WatchedFilter.knowing()
    let fix = try #require(filter.run([report]).fixes.first)
    #expect(fix.arrival == at(7.5))
    #expect(fix.time == utc(3))
    #expect(fix.mode == .twoDimensional)
    #expect(fix.device == ublox.path)
    #expect(!fix.isReduced)
  }
}
