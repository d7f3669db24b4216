import Broker
import Positioning

extension Load {
  /// Combs of 1,000 corners, of which one user may have 100.
  static var polygons: [Load] {
    [
      Load(name: "`region.add` of a comb of so many corners", sizes: [10, 100, 1000]) { size in
        var bench = Bench()
        let client = bench.connect(uid: 1000)
        return bench.measure { $0.call(.addRegion(Self.comb(0, corners: size)), as: client) }
      },
      Load(name: "`region.add` of a comb beside so many", sizes: [1, 10, 100]) { size in
        var bench = Self.combs(size - 1)
        let client = bench.connect(uid: 1000)
        return bench.measure { $0.call(.addRegion(Self.comb(0)), as: client) }
      },
      Load(name: "`region.add` of a comb of so many corners by one who is denied", sizes: [10, 100, 1000]) { size in
        var bench = Bench { $0.access.fallback = .deny }
        let client = bench.connect(uid: 1000)
        return bench.measure { $0.call(.addRegion(Self.comb(0, corners: size)), as: client) }
      },
      Load(name: "permission taken from so many combs and given back", sizes: [10, 100, 500]) { size in
        var bench = Self.combs(size)
        return bench.measure { $0.switchOffAndOn() }
      },
      Load(name: "the first fix in the midst of so many combs", sizes: [10, 1000, 2476]) { size in
        var bench = Self.combs(size)
        return bench.measure { $0.fix() }
      },
      Load(name: "a fix in the midst of so many combs", sizes: [10, 1000, 2476]) { size in
        var bench = Self.combs(size)
        bench.fix()
        bench.pass(0.1)
        return bench.measure { $0.fix(north: 1) }
      },
      Load(name: "a start with so many stored combs") { size in
        Bench(stored: Self.kept(size, share: 100) { Self.comb($0) }).result
      },
    ]
  }

  static func combs(_ count: Int) -> Bench {
    var bench = Bench()
    Self.spread(count, share: 100, over: &bench) { bench, client, number in
      bench.call(.addRegion(Self.comb(number)), as: client)
    }
    return bench
  }
}
