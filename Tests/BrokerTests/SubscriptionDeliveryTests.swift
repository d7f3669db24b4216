import Positioning
import Testing

@testable import Broker

/// The fixes that a subscription gets.
@Suite struct SubscriptionDeliveryTests {
  /// The arrivals, in seconds from the start, of the deliveries of a subscription with these parameters from a stream.
  private func deliveries(_ parameters: SubscriptionParameters, hertz: Double = 1, seconds: Double) -> [Double] {
    var daemon = VirtualDaemon(at: 1000)
    daemon.subscribe(parameters)
    var arrivals: [Double] = []
    for tick in 1...Int(seconds * hertz) {
      daemon.advance(to: at(1000 + Double(tick) / hertz))
      arrivals += daemon.fix().fixes().map { ($0.arrival - at(1000)).seconds }
    }
    return arrivals
  }

  @Test("A subscription without filters gets every fix of a 1 Hz stream")
  func all() {
    #expect(self.deliveries(SubscriptionParameters(), seconds: 20) == (1...20).map(Double.init))
  }

  @Test("minInterval reduces a faster stream, with 10 % of tolerance", arguments: [(5.0, 1.0), (10, 1), (25, 1)])
  func thinned(hertz: Double, interval: Double) {
    let arrivals = self.deliveries(SubscriptionParameters(minInterval: .seconds(interval)), hertz: hertz, seconds: 30)
    for (earlier, later) in zip(arrivals, arrivals.dropFirst()) {
      #expect(later - earlier >= 0.9 * interval - 1e-9)
      #expect(later - earlier <= interval + 1e-9)
    }
  }

  @Test("A minInterval of a minute is met every minute, less 10 %")
  func minute() {
    let arrivals = self.deliveries(SubscriptionParameters(minInterval: .seconds(60)), seconds: 600)
    #expect(arrivals == stride(from: 1.0, through: 600, by: 54).map { $0 })
  }

  @Test("The tolerance of a long minInterval is at most 30 s")
  func longInterval() {
    let arrivals = self.deliveries(SubscriptionParameters(minInterval: .seconds(1000)), seconds: 2500)
    #expect(arrivals == [1, 971, 1941])
  }

  @Test("A jittering stream of 1 Hz meets a minInterval of 1 s in full")
  func jitter() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    var count = 0
    for tick in 1...40 {
      daemon.advance(to: at(1000 + Double(tick) + (tick.isMultiple(of: 2) ? 0.04 : -0.04)))
      count += daemon.fix().fixes().count
    }
    #expect(count == 40)
  }

  @Test("minDistance counts from the last delivery, so slow movement adds up")
  func slowMover() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(minDistance: 50))
    var delivered: [Int] = []
    for second in 0..<200 {
      daemon.advance(by: 1)
      // One metre a second to the north.
      if !daemon.fix(latitude: 50 + Double(second) / 111_229).fixes().isEmpty { delivered.append(second) }
    }
    #expect(delivered.count == 4)
    for (earlier, later) in zip(delivered, delivered.dropFirst()) { #expect((50...51).contains(later - earlier)) }
  }

  @Test("minInterval and minDistance must both hold")
  func both() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(minInterval: .seconds(10), minDistance: 50))
    func latitude(_ meters: Double) -> Double { 50 + meters / 111_229 }
    let steps: [(seconds: Double, meters: Double, isDelivered: Bool)] = [
      (1, 0, true), (5, 100, false), (3.9, 100, false), (1.2, 20, false), (5, 100, true), (10, 110, false),
      (1, 200, true),
    ]
    for step in steps {
      daemon.advance(by: step.seconds)
      #expect(!daemon.fix(latitude: latitude(step.meters)).fixes().isEmpty == step.isDelivered, "\(step)")
    }
  }

  @Test("onlyBetterThan withholds larger and unknown accuracies, and withheld fixes move no baseline")
  func onlyBetterThan() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(minInterval: .seconds(10), onlyBetterThan: 20))
    var delivered: [Double?] = []
    for accuracy in [30, 20.1, 20, 5, nil, 30, 30, 30, 30, 30, 30, 30, 6, 7] as [Double?] {
      daemon.advance(by: 1)
      delivered += daemon.fix(accuracy: accuracy).fixes().map(\.horizontalAccuracy)
    }
    #expect(delivered == [20, 6])
  }

  @Test("The requested accuracy withholds nothing")
  func accuracyWithholdsNothing() throws {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(accuracy: .level(.room)))
    daemon.advance(by: 1)
    let update = try #require(daemon.fix(accuracy: 800).updates().last)
    #expect(update.fix?.horizontalAccuracy == 800)
    #expect(update.achievedAccuracy == .neighborhood)
  }

  @Test("A withheld epoch is judged again when a later report improves it")
  func judgedAgain() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(onlyBetterThan: 10))
    daemon.advance(by: 1)
    #expect(daemon.fix(accuracy: 40, time: 1).fixes().isEmpty)
    daemon.advance(by: 0.05)
    #expect(daemon.fix(accuracy: 6, time: 1).fixes().map(\.horizontalAccuracy) == [6])
  }

  @Test("No epoch is delivered twice, however often it is improved")
  func once() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(minInterval: .zero))
    daemon.advance(by: 1)
    var count = 0
    for step in 1...8 {
      count += daemon.fix(accuracy: 20 - Double(step), time: 1).fixes().count
      daemon.advance(by: 0.01)
    }
    #expect(count == 1)
  }

  @Test("A fix that returns after a jump is judged from the last delivery")
  func noDeliveryOfJumps() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(minInterval: .zero, minDistance: 1000))
    daemon.advance(by: 1)
    daemon.fix()
    daemon.advance(by: 1)
    #expect(daemon.fix(latitude: -20).fixes().isEmpty)
    daemon.advance(by: 1)
    #expect(daemon.fix().fixes().isEmpty)
  }
}
