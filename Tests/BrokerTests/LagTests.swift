import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// Positions that arrive later and later over a link that holds them back.
@Suite struct LagTests {
  /// The seconds of age that a fix has when it arrives, for reports with these arrivals and times.
  private func ages(_ reports: [(arrival: Double, time: Double)]) -> [Double] {
    var filter = WatchedFilter.knowing()
    let fixes = filter.run(reports.map { position($0.arrival, time: $0.time, latitude: 50 + $0.time * 1e-4) }).fixes
    #expect(fixes.map(\.arrival) == reports.map { at($0.arrival) })
    return fixes.map { $0.age(at: $0.arrival).seconds }
  }

  private func isNear(_ one: Double?, _ other: Double) -> Bool { abs((one ?? .infinity) - other) < 0.1 }

  @Test(
    "Each second of the receiver takes 1.25 s to arrive: beyond 2 s the lag counts in the age, up to then it does not")
  func grows() {
    let ages = self.ages((0...60).map { (Double($0) * 1.25 + 1, Double($0)) })
    #expect(ages.prefix(9).allSatisfy { $0 == 0 })
    #expect(self.isNear(ages[16], 4) && self.isNear(ages[60], 15))
  }

  @Test("A link that is held up and then brings everything at once makes those fixes as old as they are")
  func stall() {
    let held = (11...20).map { (20.5 + Double($0) / 100, Double($0)) }
    let ages = self.ages((1...10).map { (Double($0), Double($0)) } + held + (21...25).map { (Double($0), Double($0)) })
    #expect(self.isNear(ages[10], 9.6) && self.isNear(ages[14], 5.6))
    #expect(ages.suffix(5).allSatisfy { $0 == 0 })
  }

  @Test("The usual spread of arrivals is no lag")
  func spread() {
    #expect(self.ages((1...300).map { (Double($0) + Double($0 % 5) * 0.18, Double($0)) }).allSatisfy { $0 == 0 })
  }

  @Test("A day with a system clock that is wrong by as much as it can be is no lag")
  func drift() {
    #expect(self.ages((1...86_400).map { (Double($0) * 1.0004, Double($0)) }).allSatisfy { $0 == 0 })
  }

  @Test(
    "A receiver's clock that is set is no lag: forward, years forward and back, by leap seconds, by weeks back",
    arguments: [3600, 1e8, -18, -1024 * 7 * 86400] as [Double])
  func clockIsSet(by step: Double) {
    var filter = WatchedFilter.knowing()
    let times = (1...20).map(Double.init) + (21...40).map { Double($0) + step } + (41...60).map(Double.init)
    let fixes = filter.run(
      times.enumerated().map { position(Double($0.offset + 1), time: $0.element + 1e9, latitude: 50) }
    ).fixes
    #expect(fixes.count > 40)
    #expect(fixes.allSatisfy { $0.lag == nil })
  }

  @Test("A new session knows nothing of the old one's lag")
  func newSession() {
    var filter = WatchedFilter.knowing()
    #expect(filter.run((0...60).map { position(Double($0) * 1.25, time: Double($0)) }).fixes.last?.lag != nil)
    _ = filter.sessionEnded(isIntended: true)
    #expect(filter.run([position(100, time: 61), position(101, time: 62)]).fixes.allSatisfy { $0.lag == nil })
  }

  @Test("A fix that is too old by its lag satisfies no request, and the answer and the status say why")
  func request() throws {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    func stream(_ seconds: ClosedRange<Int>, until call: CallID? = nil) -> FixResult? {
      var result: FixResult?
      for second in seconds {
        let actions = daemon.advance(by: 1.25) + daemon.fix(time: Double(second))
        if let call { result = result ?? actions.outcome(of: call) }
      }
      return result
    }
    _ = stream(1...40)
    #expect(daemon.status.receiver.problem == .late)
    #expect(self.isNear(daemon.status.receiver.lag?.seconds, 9.75))
    #expect(self.isNear(daemon.status.lastFix.map { (daemon.now - $0.arrival).seconds }, 9.75))
    let call = daemon.call(.getFix(FixRequest(accuracy: .level(.room), timeout: .seconds(5)))).id
    let result = try #require(stream(41...50, until: call))
    #expect(result.status == .timedOut)
    #expect(result.diagnostics.problem == .late)
    #expect((result.diagnostics.lag?.seconds ?? 0) > 10)
    #expect((result.diagnostics.lastFixAge?.seconds ?? 0) > 10)
    // A request for what this receiver has is satisfied.
    let coarse = daemon.call(.getFix(FixRequest(accuracy: .level(.block), timeout: .seconds(5)))).actions
    #expect(coarse.contains { if case .answer(_, .fix(let result)) = $0 { result.isSatisfied } else { false } })
  }
}
