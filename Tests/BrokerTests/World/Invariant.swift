import Positioning
import TestSupport

@testable import Broker

/// One event for a machine, and the resulting actions.
struct ObservedTurn {
  let event: BrokerEvent
  let actions: [Action]
  let now: Instant
  /// The deadline of the machine.
  let armed: Instant?
  let isReceiverOn: Bool
  /// Whether everything that the actions are about is stored.
  let isCommitted: Bool
}

/// A condition that holds after every turn; with a small model beside the machine, if it needs one.
protocol Invariant {
  /// Descriptions of violations.
  var violations: [String] { get set }

  mutating func turned(_ turn: ObservedTurn, _ machine: BrokerMachine, _ store: StoreModel)
  /// A batch is about to be committed to the store.
  mutating func committing(_ changes: [StoreChange], over store: StoreModel)
  mutating func committed(_ store: StoreModel)
  /// The daemon was killed.
  mutating func killed()
  /// Another was started with the stored state.
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

/// All actions of a machine, with their times.
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
