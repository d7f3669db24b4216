import Positioning
import TestSupport

@testable import Broker

extension Region {
  static let home = Region(id: "home", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 100))
}

extension DurableRequest {
  static let tracker = DurableRequest(name: "tracker")
}

extension DurableID {
  static let tracker = DurableID(uid: 1001, name: "tracker")
}

extension Journey {
  /// A device at home, with a durable region that it is inside of; no client is left.
  static func left(_ request: DurableRequest = .tracker, settings: BrokerSettings = .open) -> Journey {
    var journey = Journey(VirtualDaemon(settings: settings))
    journey.daemon.connect(9)
    journey.daemon.subscribe(SubscriptionParameters(), client: 9)
    journey.go(seconds: 5, speed: 0)
    journey.daemon.call(.addRegion(.home, durable: request))
    journey.go(seconds: 30, speed: 0)
    journey.daemon.send(.clientDisconnected(ClientID(1)))
    return journey
  }

  /// Out of the region and back, so many times, with an exit and an enter each.
  mutating func roundTrips(_ count: Int) -> [Action] {
    var actions: [Action] = []
    for _ in 0..<count {
      actions += self.go(seconds: 60, speed: 10)
      actions += self.go(seconds: 60, speed: -10)
    }
    return actions
  }

  mutating func attach(since: UInt64? = nil, client: UInt64 = 1) -> [Action] {
    self.daemon.connect(client, uid: 1001)
    return self.daemon.call(.attachDurable(name: "tracker", sinceEvent: since), client: client).actions
  }
}
