import Broker
import Positioning

extension Load {
  /// Those of one user, who may have 10,000.
  static var circles: [Load] {
    [
      Load(name: "`durable.acknowledge` beside regions of that name") { size in
        var (bench, client) = Self.held(size, durable: DurableRequest(name: "log"))
        return bench.measure { $0.call(.acknowledgeDurable(name: "log", event: 0), as: client) }
      },
      Load(name: "`durable.attach`, of a name with so many circles") { size in
        var (bench, client) = Self.held(size, durable: DurableRequest(name: "log"))
        return bench.measure { $0.call(.attachDurable(name: "log"), as: client) }
      },
      Load(name: "a name with so many circles is removed") { size in
        var (bench, client) = Self.held(size, durable: DurableRequest(name: "log"))
        return bench.measure { $0.call(.removeDurable(name: "log"), as: client) }
      },
      Load(name: "`region.list`, a page of so many") { size in
        var (bench, client) = Self.held(size)
        return bench.measure { $0.call(.listRegions(), as: client) }
      },
      Load(name: "a client that leaves with so many circles") { size in
        var (bench, client) = Self.held(size)
        return bench.measure { $0.leave(client) }
      },
      Load(name: "the first fix in the midst of so many circles") { size in
        var (bench, _) = Self.held(size)
        return bench.measure { $0.fix() }
      },
      Load(name: "a fix in the midst of so many circles") { size in
        var (bench, _) = Self.held(size)
        bench.fix()
        bench.pass(1)
        return bench.measure { $0.fix(north: 1) }
      },
      Load(name: "permission taken from so many circles and given back") { size in
        var (bench, _) = Self.held(size)
        bench.fix()
        bench.pass(1)
        return bench.measure { $0.switchOffAndOn() }
      },
      Load(name: "the same of a durable name") { size in
        var (bench, _) = Self.held(size, durable: DurableRequest(name: "log"))
        bench.fix()
        bench.pass(1)
        return bench.measure { $0.switchOffAndOn() }
      },
      Load(name: "each `region.add` of so many circles far apart, of several users", sizes: [10, 1000, 10_000, 50_000])
      {
        size in
        var bench = Bench()
        return bench.measure { bench in
          Self.spread(size, share: 10_000, over: &bench) { bench, client, number in
            bench.call(.addRegion(Self.farCircle(Int(client.value - 1) * 10_000 + number)), as: client)
          }
        }
      },
      Load(name: "a start with so many stored circles") { size in
        Bench(stored: Self.kept(size, share: 10_000) { Self.circle($0) }).result
      },
    ]
  }

  private static func held(_ count: Int, durable: DurableRequest? = nil) -> (Bench, ClientID) {
    var bench = Bench()
    let client = bench.connect(uid: 1000)
    for number in 0..<count { bench.call(.addRegion(Self.circle(number), durable: durable), as: client) }
    return (bench, client)
  }
}

extension Bench {
  mutating func switchOffAndOn() {
    self.enable(false)
    self.pass(0)
    self.enable(true)
    self.pass(0)
  }
}
