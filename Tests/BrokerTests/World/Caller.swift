import Positioning

@testable import Broker

/// One client of a world, or several.
protocol Caller {
  /// What it does next.
  mutating func next() -> [BrokerEvent]
  /// Processes an action of the machine, for any recipient.
  mutating func hear(_ action: Action)
  /// The daemon was killed.
  mutating func cutOff()
  /// It leaves for good.
  mutating func leave() -> [BrokerEvent]
}

extension Caller {
  mutating func hear(_ action: Action) {}
}
