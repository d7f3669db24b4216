package import Positioning

/// The actor behind all connections: it drives `BrokerMachine` and executes its actions.
///
/// It runs on the given executor, the daemon's event loop, so that a socket's callback can use `assumeIsolated` without
/// switching threads. Actions are executed in order after the state has changed. An event that they cause waits until
/// all are done.
package actor Broker {
  private nonisolated let executor: any SerialExecutor
  private var machine: BrokerMachine
  private let ports: any BrokerPorts
  private var backlog = Fifo<(BrokerEvent, Instant)>()
  private var isHandling = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe self.executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - stored: The stored state. Actions that follow from it are executed with the first event.
  ///   - seed: An unpredictable number, for the fuzzing of positions.
  package init(
    settings: BrokerSettings, stored: StoredState = StoredState(),
    seed: UInt64, now: Instant, executor: any SerialExecutor,
    ports: any BrokerPorts
  ) {
    self.executor = executor
    self.machine = BrokerMachine(settings: settings, stored: stored, seed: seed, now: now)
    self.ports = ports
  }

  /// The users of whom something is stored, to look up.
  package var keptUsers: Set<UInt32> { self.machine.keptUsers }

  /// What a client that connects now may know and do.
  package func access(of principal: Principal) -> Access { self.machine.access(of: principal) }

  /// The failure that every call with this requirement would get; `nil` if it might succeed, or a person might be
  /// asked. It is counted, because it is the client's answer.
  package func denial(of call: CallID, _ requirement: Call.Requirement) -> CallFailure? {
    let denial = self.machine.certainDenial(of: call, requirement)
    if denial != nil { self.machine.denials += 1 }
    return denial
  }

  /// How much a client holds that may cause notifications to it, even if it sends no calls any more: its subscriptions,
  /// its own regions, the durable names that it is attached to, and notifications that wait for the disk.
  package func holdings(of client: ClientID) -> Int { self.machine.holdings(of: client) }

  package func handle(_ event: BrokerEvent, now: Instant) {
    guard !self.isHandling else { return self.backlog.append((event, now)) }
    self.isHandling = true
    defer { self.isHandling = false }
    self.ports.perform(self.machine.handle(event, now: now))
    while let (event, now) = self.backlog.popFirst() {
      self.ports.perform(self.machine.handle(event, now: now))
    }
  }
}
