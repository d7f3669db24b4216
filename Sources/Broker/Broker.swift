package import Positioning

/// The one actor behind every connection: it drives `BrokerMachine` and hands its actions to the world.
///
/// It lives on the executor that it is given, the daemon's event loop, so that a socket's callback reaches it with
/// `assumeIsolated` and crosses no thread. Actions are carried out after the state has changed, in order; an event that
/// they cause in turn waits until they are done.
package actor Broker {
  private nonisolated let executor: any SerialExecutor
  private var machine: BrokerMachine
  private let ports: any BrokerPorts
  private var backlog: [(BrokerEvent, Instant)] = []
  private var isHandling = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe self.executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - stored: what lasted from before. What follows from it is carried out with the first event.
  ///   - seed: what nobody can guess, for the fuzzing of positions.
  package init(
    settings: BrokerSettings, stored: StoredState = StoredState(),
    seed: UInt64 = UInt64.random(in: 0...UInt64.max), now: Instant, executor: any SerialExecutor,
    ports: any BrokerPorts
  ) {
    self.executor = executor
    self.machine = BrokerMachine(settings: settings, stored: stored, seed: seed, now: now)
    self.ports = ports
  }

  /// Whose things are kept: those to ask the system about.
  package var keptUsers: Set<UInt32> { self.machine.keptUsers }

  /// What a client may have that would come now.
  package func access(of principal: Principal) -> Access { self.machine.access(of: principal) }

  /// What a call that needs so much is surely refused with; see `BrokerMachine`.
  package func denial(of call: CallID, _ requirement: Call.Requirement) -> CallFailure? {
    self.machine.denial(of: call, requirement)
  }

  /// How much a client holds that may notify it; see `BrokerMachine`.
  package func holdings(of client: ClientID) -> Int { self.machine.holdings(of: client) }

  package func handle(_ event: BrokerEvent, now: Instant) {
    self.backlog.append((event, now))
    guard !self.isHandling else { return }
    self.isHandling = true
    defer { self.isHandling = false }
    while !self.backlog.isEmpty {
      let (event, now) = self.backlog.removeFirst()
      self.ports.perform(self.machine.handle(event, now: now))
    }
  }
}
