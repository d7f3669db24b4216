import Broker
import Positioning

/// What makes a turn long: a name, and how to measure it at a size.
struct Load {
  let name: String
  /// The sizes that are measured, the smallest first.
  var sizes = [10, 1000, 10_000]
  let measure: (Int) -> (longest: Double, total: Double)

  /// Around the start, 50 m.
  static func circle(_ number: Int) -> Region {
    Region(id: "\(number)", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 50))
  }

  /// 1,000 corners: a back with 500 teeth, some 300 m wide.
  static func comb(_ number: Int) -> Region {
    let teeth = (0..<998).map { corner in
      let isOut = corner % 4 == 1 || corner % 4 == 2
      return Coordinate(latitude: isOut ? 50.001 : 49.9995, longitude: 7.998 + 0.004 * Double(corner) / 998)
    }
    let back = [Coordinate(latitude: 49.999, longitude: 8.002), Coordinate(latitude: 49.999, longitude: 7.998)]
    return Region(id: "\(number)", shape: .polygon(teeth + back))
  }

  static var all: [Load] {
    [
      Load(name: "`durable.acknowledge` beside regions of that name") { size in
        var bench = Bench()
        let client = bench.connect(uid: 1000)
        for number in 0..<size {
          bench.call(.addRegion(Self.circle(number), durable: DurableRequest(name: "log")), as: client)
        }
        return bench.measure { $0.call(.acknowledgeDurable(name: "log", event: 0), as: client) }
      },
      Load(name: "`region.list`, a page of so many") { size in
        var bench = Bench()
        let client = bench.connect(uid: 1000)
        for number in 0..<size { bench.call(.addRegion(Self.circle(number)), as: client) }
        return bench.measure { $0.call(.listRegions(), as: client) }
      },
      Load(name: "`request.list` beside others' requests") { size in
        var bench = Bench()
        Self.askers(size, &bench)
        let client = bench.connect(uid: 7)
        return bench.measure { $0.call(.listRequests, as: client) }
      },
      Load(name: "a client that leaves with one request, beside others' requests") { size in
        var bench = Bench()
        Self.askers(size, &bench)
        let client = bench.connect(uid: 7)
        bench.call(.getFix(FixRequest(accuracy: .meters(0.1))), as: client)
        return bench.measure { $0.leave(client) }
      },
      Load(name: "a fix with so many requests, and as many passive subscriptions") { size in
        var bench = Bench()
        Self.askers(size, &bench)
        bench.fix()
        bench.pass(1)
        return bench.measure { $0.fix(north: 1) }
      },
      Load(name: "a client that leaves with so many circles") { size in
        var bench = Bench()
        let client = bench.connect(uid: 1000)
        for number in 0..<size { bench.call(.addRegion(Self.circle(number)), as: client) }
        return bench.measure { $0.leave(client) }
      },
      Load(name: "a fix in the midst of so many circles") { size in
        var bench = Bench()
        let client = bench.connect(uid: 1000)
        for number in 0..<size { bench.call(.addRegion(Self.circle(number)), as: client) }
        bench.fix()
        bench.pass(1)
        return bench.measure { $0.fix(north: 1) }
      },
      Load(name: "a status that did not change, for so many subscriptions and demands") { size in
        var bench = Self.watched(size)
        bench.pass(1)
        return bench.measure { $0.call(.authorization, as: ClientID(1)) }
      },
      Load(name: "a status that changed, for the same") { size in
        var bench = Self.watched(size)
        bench.pass(1)
        return bench.measure { $0.call(.subscribe(SubscriptionParameters(mode: .passive)), as: ClientID(1)) }
      },
      Load(name: "`status.get` beside so many demands") { size in
        var bench = Bench()
        Self.askers(size, &bench)
        let client = bench.connect(uid: 7)
        return bench.measure { $0.call(.status, as: client) }
      },
      Load(name: "`region.add` of a comb beside so many", sizes: [1, 10, 100]) { size in
        var bench = Self.combs(size)
        return bench.measure { $0.call(.addRegion(Self.comb(0)), as: ClientID(1)) }
      },
      Load(name: "permission taken from combs and given back", sizes: [10, 100, 500]) { size in
        var bench = Self.combs(size)
        return bench.measure { bench in
          bench.enable(false)
          bench.enable(true)
        }
      },
      Load(name: "a fix in the midst of combs", sizes: [10, 1000, 2476]) { size in
        var bench = Self.combs(size)
        bench.fix()
        bench.pass(0.1)
        return bench.measure { $0.fix(north: 1) }
      },
      Load(name: "a start with stored combs", sizes: [10, 100, 1000]) { size in
        var stored = StoredState()
        for holder in 0..<(size + 99) / 100 {
          var name = StoredName(id: DurableID(uid: 1000 + UInt32(holder), name: "log"), user: "user")
          name.regions = (0..<min(size, 100)).map { Self.kept(Self.comb($0)) }
          stored.names.append(name)
        }
        return Bench(stored: stored).result
      },
    ]
  }

  /// Clients of one user each, with requests that no fix satisfies, and as many passive subscriptions.
  private static func askers(_ count: Int, _ bench: inout Bench) {
    var left = count
    var uid: UInt32 = 10_000
    while left > 0 {
      uid += 1
      let client = bench.connect(uid: uid)
      for _ in 0..<min(left, 128) {
        bench.call(.getFix(FixRequest(accuracy: .meters(0.1), timeout: .seconds(3000))), as: client)
        bench.call(.subscribe(SubscriptionParameters(mode: .passive, minInterval: .seconds(1000))), as: client)
      }
      left -= 128
    }
  }

  private static func watched(_ count: Int) -> Bench {
    var bench = Bench()
    var left = count
    var uid: UInt32 = 10_000
    while left > 0 {
      uid += 1
      let client = bench.connect(uid: uid)
      for _ in 0..<min(left, 64) {
        bench.call(.subscribeStatus, as: client)
        bench.call(.subscribe(SubscriptionParameters(minInterval: .seconds(1000))), as: client)
      }
      left -= 64
    }
    return bench
  }

  /// No user has more than a hundred: they are bounded.
  private static func combs(_ count: Int) -> Bench {
    var bench = Bench()
    var left = count
    var uid: UInt32 = 1000
    while left > 0 {
      let client = bench.connect(uid: uid)
      for number in 0..<min(left, 100) { bench.call(.addRegion(Self.comb(number)), as: client) }
      left -= 100
      uid += 1
    }
    return bench
  }
}
