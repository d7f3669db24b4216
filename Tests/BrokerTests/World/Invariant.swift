import Positioning
import TestSupport

@testable import Broker

/// One event that a machine was given, and what it wants to have done.
struct ObservedTurn {
  let event: BrokerEvent
  let actions: [Action]
  let now: Instant
  /// When the machine wants to be woken.
  let armed: Instant?
  let isReceiverOn: Bool
  /// Whether everything is stored that the actions are about.
  let isCommitted: Bool
}

/// Something that holds after every turn, whatever happens; a small model beside the machine, where it takes one.
protocol Invariant {
  /// What did not hold, in words.
  var violations: [String] { get set }

  mutating func turned(_ turn: ObservedTurn, _ machine: BrokerMachine, _ store: StoreModel)
  /// A batch is being committed over what the store has.
  mutating func committing(_ changes: [StoreChange], over store: StoreModel)
  mutating func committed(_ store: StoreModel)
  /// The daemon was killed.
  mutating func killed()
  /// Another was started on what was stored.
  mutating func restarted(_ machine: BrokerMachine)
}

extension Invariant {
  mutating func committing(_ changes: [StoreChange], over store: StoreModel) {}
  mutating func committed(_ store: StoreModel) {}
  mutating func killed() {}
  mutating func restarted(_ machine: BrokerMachine) {}

  mutating func expect(_ holds: Bool, _ complaint: @autoclosure () -> String) {
    if !holds { self.violations.append(complaint()) }
  }
}

/// All that a machine wanted to have done, and when.
struct Recording: Invariant {
  struct Observed: Hashable {
    let at: Instant
    let action: Action
  }

  var violations: [String] = []
  private(set) var observed: [Observed] = []

  mutating func turned(_ turn: ObservedTurn, _ machine: BrokerMachine, _ store: StoreModel) {
    for action in turn.actions { self.observed.append(Observed(at: turn.now, action: action)) }
  }
}
