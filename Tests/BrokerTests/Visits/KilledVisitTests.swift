import Positioning
import TestSupport
import Testing

@testable import Broker

/// A daemon that is killed every few minutes keeps its state of visits.
@Suite struct KilledVisitTests {
  private static let diary = DurableRequest(name: "diary")

  /// The durable events so far, and then the daemon's last.
  private func visits(_ journey: inout Journey) -> [Visit] {
    journey.daemon.connect(7, uid: 1001)
    let attached = journey.daemon.call(.attachDurable(name: "diary"), client: 7).actions
    return attached.durableEvents(client: 7).compactMap {
      if case .visit(let visit) = $0.content { visit } else { nil }
    }
  }

  @Test(
    "Killed every few minutes, it reports the arrival and the departure at about the right times",
    arguments: [130, 190, 240, 400, 1000])
  func killed(interval: Int) throws {
    var journey = Journey(at: 10_000)
    journey.daemon.call(.subscribeVisits(durable: Self.diary))
    var second = 0
    func go(_ seconds: Int, speed: Double) {
      for _ in 0..<seconds {
        journey.go(seconds: 1, speed: speed)
        second += 1
        if second.isMultiple(of: interval) { journey.daemon.restart() }
      }
    }
    go(900, speed: 15)
    let came = journey.daemon.now
    go(2405, speed: 0)
    let left = journey.daemon.now
    go(1200, speed: 15)
    let received = self.visits(&journey)
    #expect(received.count == 2)
    let visit = try #require(received.last)
    let (arrival, departure) = (try #require(visit.arrival), try #require(visit.departure))
    #expect(abs((arrival - came).seconds) <= (try #require(visit.arrivalUncertainty)).seconds + 15)
    #expect(abs((departure - left).seconds) <= (try #require(visit.departureUncertainty)).seconds + 15)
    #expect(abs((arrival - came).seconds) <= 160)
    #expect(abs((departure - left).seconds) <= 310)
  }

  @Test(
    "A restart reports no arrival again and uses no number again, whoever subscribed",
    arguments: [DurableRequest.tracker, nil], [true, false])
  func reportedOnce(durable: DurableRequest?, isKilled: Bool) throws {
    var journey = Journey(at: 10_000)
    var visits: [Visit] = []
    func note(_ actions: [Action]) {
      let kept = actions.durableEvents(client: 7).compactMap { event -> Visit? in
        if case .visit(let visit) = event.content { visit } else { nil }
      }
      visits += actions.visits + kept
    }
    func begin() {
      journey.daemon.call(.subscribeVisits(durable: durable))
      journey.daemon.connect(7, uid: 1001)
      let last = journey.daemon.store.names[.tracker]?.lastEvent
      if durable != nil {
        journey.daemon.call(.attachDurable(name: "tracker", sinceEvent: last), client: 7)
      }
    }
    begin()
    for _ in 1...2 {
      note(journey.go(seconds: 600, speed: 15))
      note(journey.go(seconds: 700, speed: 0))
      if !isKilled { journey.daemon.send(.stopping) }
      journey.daemon.restart()
      begin()
      note(journey.go(seconds: 1500, speed: 0))
    }
    note(journey.go(seconds: 600, speed: 15))
    #expect(visits.map(\.id) == [1, 1, 2, 2])
    #expect(visits.map { $0.departure != nil } == [false, true, false, true])
  }

  @Test("A daemon in which nobody subscribed to visits stores no memory of them")
  func nobody() {
    var journey = Journey()
    journey.daemon.subscribe(SubscriptionParameters())
    journey.go(seconds: 900, speed: 0)
    journey.daemon.send(.stopping)
    #expect(!journey.daemon.storeChanges.contains { if case .putVisitMemory = $0 { true } else { false } })
  }

  @Test("A visit is stored at most once a minute, and once in five minutes after the arrival")
  func writes() {
    var journey = Journey()
    journey.daemon.call(.subscribeVisits(durable: Self.diary))
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(), client: 2)
    func writes(_ actions: [StoreChange]) -> Int {
      actions.count { if case .putVisitMemory = $0 { true } else { false } }
    }
    for (speed, most) in [(15.0, 13), (0.0, 20), (15.0, 14)] {
      let before = journey.daemon.storeChanges.count
      journey.go(seconds: 3600, speed: speed)
      let count = writes(Array(journey.daemon.storeChanges[before...]))
      #expect(count <= most && count >= 10, "\(speed) m/s: \(count)")
    }
    // A restart after a graceful end knows it to the second.
    let before = journey.daemon.storeChanges.count
    journey.go(seconds: 20, speed: 0)
    journey.daemon.send(.stopping)
    #expect(writes(Array(journey.daemon.storeChanges[before...])) >= 1)
  }

  @Test("A visit does not go on while nobody watches: who subscribes next gets an arrival and its departure")
  func unwatched() throws {
    var journey = Journey()
    journey.daemon.call(.subscribeVisits())
    #expect(journey.go(seconds: 400, speed: 0).visits.map(\.id) == [1])
    journey.daemon.call(.cancelSubscription(number: 1))
    // Another client sees the device 50 km away, and back.
    journey.daemon.connect(2)
    journey.daemon.subscribe(SubscriptionParameters(), client: 2)
    journey.go(seconds: 1000, speed: 50)
    journey.go(seconds: 1000, speed: -50)
    journey.daemon.call(.subscribeVisits(), client: 2)
    let arrived = journey.go(seconds: 400, speed: 0).visits
    #expect(arrived.map(\.id) == [2] && arrived.first?.arrival == nil)
    let departed = journey.go(seconds: 300, speed: 15).visits
    #expect(departed.map(\.id) == [2] && departed.first?.departure != nil)
  }

  @Test("Once nobody wants visits, the receiver is turned on for them no more")
  func abandoned() {
    var journey = Journey()
    journey.daemon.call(.subscribeVisits())
    journey.go(seconds: 400, speed: 0)
    journey.daemon.call(.cancelSubscription(number: 1))
    journey.daemon.advance(by: 600)
    #expect(!journey.daemon.isReceiverOn)
    // Visits are looked for each quarter of an hour, or more often.
    for _ in 0..<300 {
      journey.daemon.advance(by: 60)
      #expect(!journey.daemon.isReceiverOn)
    }
  }

  @Test("A probe with only inaccurate fixes continues, and ends no visit")
  func vagueProbe() {
    var journey = Journey()
    journey.daemon.call(.subscribeVisits())
    journey.go(seconds: 1200, speed: 0)
    var on = 0
    for _ in 0..<1200 {
      journey.go(seconds: 1, speed: 0, accuracy: 400)
      if journey.daemon.isReceiverOn { on += 1 }
    }
    #expect(on >= 200)
    let departed = journey.go(seconds: 3000, speed: 10).visits
    #expect(departed.contains { $0.departure != nil })
  }
}
