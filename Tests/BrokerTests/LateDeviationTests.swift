import Positioning
import ReceiverPorts
import Testing

@testable import Broker

/// A receiver at 9600 baud: its GST is the last of all sentences, after the skies, and in every third epoch too late to
/// be waited for.
@Suite struct LateDeviationTests {
  private static let device = ReceiverDevice(path: "a", driver: "NMEA0183", isActivated: true, cycle: .seconds(1))

  /// One second: HDOP 0.58 with corrections, from which gpsd computes 2.755 m, and deviations of 9.2 to 9.9 m.
  private func second(
    _ number: Int, of filter: inout WatchedFilter, status: Int = 2, hdop: Double = 0.58, deviations: Double? = 9.2
  ) -> [WatchedFilter.Event] {
    let begin = Double(number)
    var report = position(begin, time: begin, accuracy: hdop * (status == 2 ? 4.75 : 19), device: "a")
    report.status = status
    var events = filter.advance(to: at(begin))
    events += filter.received(report)
    guard let deviations else { return events }
    let delay = number % 3 == 0 ? 0.62 : 0.21
    events += filter.advance(to: at(begin + delay))
    events += filter.received(
      estimate(begin + delay, time: begin, latitude: deviations, longitude: deviations + 0.7, device: "a"))
    return events
  }

  @Test("No fix is delivered with the HDOP's smaller figure, not even the first", arguments: 0...2)
  func never(start: Int) {
    var filter = WatchedFilter.knowing(devices: [Self.device])
    let events = (10 + start..<26 + start).flatMap { self.second($0, of: &filter) }
    #expect(events.fixes.count == 16)
    #expect(events.fixes.allSatisfy { ($0.horizontalAccuracy ?? 0) > 13 && ($0.horizontalAccuracy95 ?? 0) > 22 })
    #expect(events.fixes.contains { $0.accuracySource == .earlierDeviations })
  }

  @Test("The carried-over error grows with the HDOP, and does not shrink with it")
  func grows() throws {
    var filter = WatchedFilter.knowing(devices: [Self.device])
    for number in 10...12 { _ = self.second(number, of: &filter) }
    let before = try #require(filter.current?.horizontalAccuracy)
    _ = self.second(13, of: &filter, hdop: 1.16, deviations: nil)
    _ = filter.advance(to: at(13.9))
    #expect(abs((filter.current?.horizontalAccuracy ?? 0) - 2 * before) < 1e-6)
    _ = self.second(14, of: &filter, hdop: 0.5, deviations: nil)
    _ = filter.advance(to: at(14.9))
    #expect(abs((filter.current?.horizontalAccuracy ?? 0) - before) < 1e-6)
  }

  @Test("After a break it stays as long as it is the larger figure")
  func afterBreak() throws {
    var filter = WatchedFilter.knowing(devices: [Self.device])
    for number in 10...12 { _ = self.second(number, of: &filter) }
    _ = filter.sessionEnded(isIntended: true)
    _ = self.second(4000, of: &filter, deviations: nil)
    _ = filter.advance(to: at(4000.9))
    #expect(filter.current?.accuracySource == .earlierDeviations)
    #expect(try #require(filter.current?.horizontalAccuracy) > 13)
  }

  @Test("Deviations of fixes that cannot be trusted are not carried over")
  func untrusted() throws {
    var daemon = VirtualDaemon(devices: [Self.device])
    daemon.subscribe(SubscriptionParameters(replay: .none, integrity: .any))
    func second(_ number: Int, latitude: Double = 50, deviations: Double?) -> [Action] {
      let begin = Double(number)
      var actions = daemon.advance(to: at(begin))
      var report = position(begin, time: begin, accuracy: 2.755, latitude: latitude, device: "a")
      (report.status, report.speed) = (2, 0)
      actions += daemon.send(.receiver(.position(report)))
      guard let deviations else { return actions + daemon.advance(to: at(begin + 0.9)) }
      let late = estimate(begin + 0.21, time: begin, latitude: deviations, longitude: deviations, device: "a")
      actions += daemon.advance(to: at(begin + 0.21))
      return actions + daemon.send(.receiver(.errorEstimate(late)))
    }
    for number in 1001...1100 { _ = second(number, deviations: 9.2) }
    // Another place, and a receiver that claims to know it to the centimetre.
    for number in 1101...1104 { _ = second(number, latitude: 50.5, deviations: 0.01) }
    #expect(daemon.status.receiver.integrity == .untrusted)
    let fixes = (1105...1107).flatMap { second($0, deviations: nil).fixes() }
    #expect(!fixes.isEmpty && fixes.allSatisfy { ($0.horizontalAccuracy ?? 0) > 13 }, "\(fixes)")
  }

  @Test("Deviations of a more accurate kind of fix are not used for a plain one")
  func otherKind() {
    var filter = WatchedFilter.knowing(devices: [Self.device])
    for number in 10...14 { _ = self.second(number, of: &filter, status: 3, deviations: 0.01) }
    _ = self.second(15, of: &filter, status: 0, hdop: 0.6, deviations: nil)
    _ = filter.advance(to: at(15.9))
    #expect(filter.current?.accuracySource == .dilution)
    #expect(filter.current?.horizontalAccuracy == 3)
  }

  @Test("A receiver that stops reporting deviations is believed by its HDOP again")
  func ends() {
    var filter = WatchedFilter.knowing(devices: [Self.device])
    for number in 10...14 { _ = self.second(number, of: &filter) }
    for number in 15...26 { _ = self.second(number, of: &filter, deviations: nil) }
    #expect(filter.current?.accuracySource == .dilution)
  }

  @Test("A receiver that never reports deviations is held for one epoch, and then delivered at once")
  func plain() {
    var filter = WatchedFilter.knowing(devices: [Self.device])
    #expect(self.second(10, of: &filter, deviations: nil).fixes.isEmpty)
    #expect(self.second(11, of: &filter, deviations: nil).fixes.map(\.arrival) == [at(10), at(11)])
    #expect(self.second(12, of: &filter, deviations: nil).fixes.map(\.arrival) == [at(12)])
  }

  @Test("A request for the level room is not answered by such a receiver")
  func request() {
    var daemon = VirtualDaemon(devices: [Self.device])
    let request = daemon.call(.getFix(FixRequest(accuracy: .level(.room), timeout: .seconds(20))))
    for number in 1001...1016 {
      let begin = Double(number)
      daemon.advance(to: at(begin))
      var report = position(begin, time: begin, accuracy: 2.755, device: "a")
      report.status = 2
      #expect(daemon.send(.receiver(.position(report))).outcome(of: request.id) == nil)
      let delay = number % 3 == 0 ? 0.62 : 0.21
      #expect(daemon.advance(to: at(begin + delay)).outcome(of: request.id) == nil)
      let late = estimate(begin + delay, time: begin, latitude: 9.2, longitude: 9.9, device: "a")
      #expect(daemon.send(.receiver(.errorEstimate(late))).outcome(of: request.id) == nil)
    }
  }
}
