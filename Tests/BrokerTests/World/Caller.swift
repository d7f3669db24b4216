import Positioning

@testable import Broker

/// One client of a world, or several.
protocol Caller {
  /// What it does next.
  mutating func next() -> [BrokerEvent]
  /// Takes in what the machine wants to have done, whoever it is for.
  mutating func hear(_ action: Action)
  /// The daemon is gone.
  mutating func cutOff()
  /// It leaves for good.
  mutating func leave() -> [BrokerEvent]
}

extension Caller {
  mutating func hear(_ action: Action) {}
}
