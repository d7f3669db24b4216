import Broker
import CTestSupport
import Positioning

/// The memory of one of something that clients hold, with everything that the broker stores with it.
struct Weight {
  let name: String
  let count: Int
  let hold: (inout Bench, ClientID, _ number: Int) -> Void
  /// How many of them one client of a user holds.
  var share = 100

  /// Bytes.
  func measure() -> Int {
    var bench = Bench()
    bench.fix()
    let before = ctest_memory_in_use()
    Load.spread(self.count, share: self.share, over: &bench, self.hold)
    bench.pass(0)
    let after = ctest_memory_in_use()
    bench.fix()
    return Int(after - before) / self.count
  }

  static var all: [Weight] {
    [
      Weight(name: "a client", count: 1000, hold: { _, _, _ in }, share: 1),
      Weight(name: "a circle", count: 20_000) { $0.call(.addRegion(Load.circle($2)), as: $1) },
      Weight(
        name: "a circle far from all others", count: 20_000, hold: { $0.call(.addRegion(Load.farCircle($2)), as: $1) },
        share: 10_000),
      Weight(name: "a comb of 1,000 corners", count: 1000) { $0.call(.addRegion(Load.comb($2)), as: $1) },
      Weight(name: "a request that waits", count: 10_000) { bench, client, _ in
        bench.call(.getFix(FixRequest(accuracy: .meters(0.1), timeout: .seconds(3000))), as: client)
      },
      Weight(name: "a subscription", count: 10_000) { bench, client, _ in
        bench.call(.subscribe(SubscriptionParameters(minInterval: .seconds(1000))), as: client)
      },
      Weight(
        name: "a subscription to the status", count: 2000,
        hold: { bench, client, _ in
          bench.call(.subscribeStatus(), as: client)
        }, share: 64),
      Weight(
        name: "a subscription that collects, with a full batch", count: 64,
        hold: { bench, client, number in
          bench.call(.subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(9000))), as: client)
          guard number == 63 else { return }
          for second in 0..<510 {
            bench.fix(north: Double(second))
            bench.pass(1)
          }
        }, share: 64),
      Weight(
        name: "a durable name", count: 1000,
        hold: { bench, client, number in
          bench.call(.subscribeVisits(durable: DurableRequest(name: "n\(number)")), as: client)
        }, share: 32),
      Weight(
        name: "a durable name with 4,096 fixes in its events", count: 10,
        hold: { bench, client, number in
          let parameters = SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(100))
          bench.call(.subscribe(parameters, durable: DurableRequest(name: "n\(number)")), as: client)
          // They collect the same fixes.
          guard client == ClientID(10) else { return }
          for second in 0..<5000 {
            bench.fix(north: Double(second))
            bench.pass(1)
          }
        }, share: 1),
      Weight(
        name: "a durable name with 1,000 events of circles", count: 20,
        hold: { bench, client, number in
          for region in 0..<500 {
            let place = Coordinate(latitude: 50 + Double(region) / 100, longitude: 8)
            let circle = Region(id: "\(region)", shape: .circle(center: place, radius: 50), initial: .always)
            bench.call(.addRegion(circle, durable: DurableRequest(name: "n\(number)")), as: client)
          }
          bench.fix()
          bench.pass(1)
        }, share: 1),
    ]
  }
}
