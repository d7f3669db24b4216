import Broker
import Positioning

extension Load {
  static var others: [Load] {
    [
      Load(name: "`request.list` beside others' requests") { size in
        var bench = Self.asked(size)
        let client = bench.connect(uid: 7)
        return bench.measure { $0.call(.listRequests(), as: client) }
      },
      Load(name: "a client that leaves with one request, beside others' requests") { size in
        var bench = Self.asked(size)
        let client = bench.connect(uid: 7)
        bench.call(.getFix(FixRequest(accuracy: .meters(0.1))), as: client)
        return bench.measure { $0.leave(client) }
      },
      Load(name: "a fix with so many requests, and as many passive subscriptions") { size in
        var bench = Self.asked(size)
        bench.fix()
        bench.pass(1)
        return bench.measure { $0.fix(north: 1) }
      },
      Load(name: "a fix that is delivered to so many subscriptions") { size in
        var bench = Bench()
        Self.spread(size, share: 256, over: &bench) { bench, client, _ in
          bench.call(.subscribe(SubscriptionParameters(minInterval: .zero)), as: client)
        }
        bench.fix()
        bench.pass(1)
        return bench.measure { $0.fix(north: 1) }
      },
      Load(name: "permission taken from so many requests and subscriptions, and given back") { size in
        var bench = Self.asked(size)
        bench.fix()
        bench.pass(1)
        return bench.measure { $0.switchOffAndOn() }
      },
      Load(name: "a status that did not change, for so many subscriptions and demands") { size in
        var bench = Self.watched(size)
        bench.pass(1)
        return bench.measure { $0.call(.authorization(), as: ClientID(1)) }
      },
      Load(name: "a status that changed, for the same") { size in
        var bench = Self.watched(size)
        bench.pass(1)
        return bench.measure {
          $0.call(.subscribe(SubscriptionParameters(mode: .passive)), as: ClientID(1))
          $0.pass(1)
        }
      },
      Load(name: "`status.get` beside so many demands") { size in
        var bench = Self.asked(size)
        let client = bench.connect(uid: 7)
        return bench.measure { $0.call(.status(), as: client) }
      },
      Load(name: "`status.get` of an administrator beside so many demands") { size in
        var bench = Self.asked(size)
        let client = bench.connect(uid: 0)
        return bench.measure { $0.call(.status(), as: client) }
      },
      Load(name: "the agent leaves that has so many questions", sizes: [10, 1000]) { size in
        var (bench, agent) = Self.questioned(size)
        return bench.measure { $0.leave(agent) }
      },
      Load(name: "a person is asked beside so many questions", sizes: [10, 1000]) { size in
        var (bench, _) = Self.questioned(size)
        let client = bench.connect(uid: 7)
        return bench.measure { $0.call(.requestAuthorization(AuthorizationRequest()), as: client) }
      },
      Load(name: "one of so many names is removed") { size in
        var bench = Self.named(size)
        return bench.measure { $0.call(.removeDurable(name: "n0"), as: ClientID(1)) }
      },
      Load(name: "one user is denied beside so many names") { size in
        var bench = Self.named(size)
        let root = bench.connect(uid: 0)
        return bench.measure { $0.call(.grant(uid: 10_001, user: "user10001", nil, .precise), as: root) }
      },
    ]
  }

  /// Requests that no fix satisfies, and as many passive subscriptions.
  private static func asked(_ count: Int) -> Bench {
    var bench = Bench()
    Self.spread(count, share: 128, over: &bench) { bench, client, _ in
      bench.call(.getFix(FixRequest(accuracy: .meters(0.1), timeout: .seconds(3000))), as: client)
      bench.call(.subscribe(SubscriptionParameters(mode: .passive, minInterval: .seconds(1000))), as: client)
    }
    return bench
  }

  private static func watched(_ count: Int) -> Bench {
    var bench = Bench()
    Self.spread(count, share: 64, over: &bench) { bench, client, _ in
      bench.call(.subscribeStatus(), as: client)
      bench.call(.subscribe(SubscriptionParameters(minInterval: .seconds(1000))), as: client)
    }
    return bench
  }

  private static func named(_ count: Int) -> Bench {
    var bench = Bench()
    Self.spread(count, share: 32, over: &bench) { bench, client, number in
      bench.call(.subscribeVisits(durable: DurableRequest(name: "n\(number)")), as: client)
    }
    return bench
  }

  /// One agent has prompts about so many users.
  private static func questioned(_ count: Int) -> (Bench, ClientID) {
    var rule = AccessRule(name: "agents")
    rule.uid = 500
    rule.user = "user500"
    rule.agent = .all
    var bench = Bench {
      $0.access.fallback = .ask
      $0.access.rules = [rule]
    }
    let agent = bench.connect(uid: 500)
    bench.call(.registerAgent(), as: agent)
    Self.spread(count, share: 1, over: &bench) { bench, client, _ in
      bench.call(.requestAuthorization(AuthorizationRequest()), as: client)
    }
    return (bench, agent)
  }
}
