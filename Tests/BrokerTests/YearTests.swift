import Positioning
import TestSupport
import Testing

@testable import Broker

/// A year in seconds.
@Suite struct YearTests {
  @Test(
    "A subscription lasts through a year of daily drives, nightly outages and other clients' requests",
    .timeLimit(.minutes(TestDeadline.minutes)))
  func year() {
    var settings = BrokerSettings.open
    settings.power.linger = .seconds(60)
    var daemon = VirtualDaemon(settings: settings)
    daemon.subscribe(SubscriptionParameters(mode: .passive, minInterval: .seconds(60)))
    var deliveries = 0
    var reasons: [DeliveryReason: Int] = [:]
    for day in 0..<365 {
      daemon.connect(UInt64(day + 2))
      daemon.subscribe(SubscriptionParameters(minInterval: .seconds(60)), client: UInt64(day + 2))
      for minute in 0..<30 {
        let actions = daemon.advance(by: 60) + daemon.fix(latitude: 50 + Double(minute) / 1000)
        deliveries += actions.fixes().count
        for reason in actions.reasons() { reasons[reason, default: 0] += 1 }
      }
      daemon.send(.clientDisconnected(ClientID(UInt64(day + 2))))
      for reason in daemon.advance(by: 86400 - 1800).reasons() { reasons[reason, default: 0] += 1 }
      #expect(!daemon.isReceiverOn, "day \(day)")
      #expect(daemon.deadline == nil, "day \(day)")
    }
    #expect(deliveries == 365 * 30)
    #expect(daemon.now - at(1000) == .seconds(365 * 86400))
    let status = daemon.status
    #expect(status.power.starts.total == 365)
    #expect(status.power.onTime == .seconds(365 * (30 * 60 + 60)))
    #expect(abs(status.power.dutyCycle.day - 1860.0 / 86400) < 1e-9)
    #expect(status.subscriptions == 1 && status.requests == 0 && status.clients == 1)
    // Every silence of a minute is a loss; the last one has not ended.
    #expect(reasons[.lost] == 365 * 30)
    #expect(reasons[.restored] == 365 * 30 - 1)
    #expect(reasons[.available] == 1)
  }
}
