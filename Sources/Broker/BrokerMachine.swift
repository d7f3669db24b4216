package import Positioning
import ReceiverPorts

/// All decisions of the daemon: a value that takes an event and the time, and returns actions.
///
/// It reads no clock and does nothing itself, so that a year of it runs in seconds, and the same events always give the
/// same actions. It hands each event to its machines (`BrokerParts`), and settles what follows from their new state.
package struct BrokerMachine: Sendable {
  private(set) var parts: BrokerParts
  /// Changes to store at the start, with the first turn.
  private(set) var startChanges: [StoreChange]
  /// The last deadline that was set.
  private var armed: Instant?

  /// - Parameters:
  ///   - stored: The stored state.
  ///   - seed: An unpredictable number, for the fuzzing of positions.
  package init(settings: BrokerSettings, stored: StoredState = StoredState(), seed: UInt64 = 0, now: Instant) {
    var turn = Turn(now: now)
    self.parts = BrokerParts(settings: settings, stored: stored, seed: seed, &turn)
    self.startChanges = turn.changes
  }

  package mutating func handle(_ event: BrokerEvent, now: Instant) -> [Action] {
    var turn = Turn(now: now, changes: self.startChanges)
    self.startChanges = []
    self.route(event, &turn)
    self.settle(&turn)
    return turn.actions
  }

  // MARK: For the server

  /// The users of whom something is stored, to look up.
  package var keptUsers: Set<UInt32> { self.parts.keptUsers }

  /// What a client that connects now may know and do.
  package func access(of principal: Principal) -> Access { self.parts.access(of: principal, once: nil) }

  /// The failure that every call with this requirement would get; `nil` if it might succeed, or a person might be
  /// asked.
  package func denial(of call: CallID, _ requirement: Call.Requirement) -> CallFailure? {
    self.parts.certainDenial(of: call, requirement)
  }

  /// How much a client holds that may cause notifications to it, even if it sends no calls any more: its subscriptions,
  /// its own regions, the durable names that it is attached to, and notifications that wait for the disk.
  package func holdings(of client: ClientID) -> Int { self.parts.holdings(of: client) }

  // MARK: Events

  private mutating func route(_ event: BrokerEvent, _ turn: inout Turn) {
    switch event {
    case .clientConnected(let client, let principal): self.parts.admit(client, principal, &turn)
    case .clientIntroduced(let client, let name, let purpose):
      self.parts.introduce(client, name: name, purpose: purpose)
    case .clientLeft(let client): self.parts.forget(client, isWritten: true, &turn)
    case .clientDisconnected(let client): self.parts.forget(client, isWritten: false, &turn)
    case .called(let call, let what): self.parts.perform(what, as: call, &turn)
    case .receiver(let event): self.parts.received(event, &turn)
    case .deadlineReached:
      self.armed = nil
      self.parts.deadlinesReached(&turn)
      self.parts.continueWork(&turn)
    case .gapEnded(let gap): self.parts.putOff(by: gap, &turn)
    case .taken(let client): self.parts.taken(by: client, &turn)
    case .storeChanged(let error): self.parts.storeChanged(error: error, &turn)
    case .storeUnopened(let reason): self.parts.storeUnopened(because: reason, &turn)
    case .storeOpened(let stored): self.parts.storeOpened(stored, &turn)
    case .stored(let number, let error): self.parts.stored(number, error: error, &turn)
    case .unitStarted(let id, let error): self.parts.unitStarted(for: id, error: error, &turn)
    case .promptAnswered(let prompt, let agent, let answer):
      self.parts.answered(prompt, by: agent, answer, &turn)
    case .stopping: self.parts.stop(&turn)
    case .ownersLearned(let owners):
      self.parts.updateOwners(owners, &turn)
      for uid in owners.keys.sorted() { self.parts.reconsider(user: uid, &turn) }
    case .settingsChanged(let settings, let owners): self.parts.change(settings, owners, &turn)
    }
  }

  /// Whether work is left for the next turn, so that this one is short.
  func isWorkLeft(now: Instant) -> Bool { self.parts.isWorkLeft(now: now) }

  // MARK: Settling

  /// Brings everything that follows from the state in line: the receiver, the availability that clients know, the next
  /// deadline.
  private mutating func settle(_ turn: inout Turn) {
    self.parts.releaseReducedFixes(&turn)
    self.parts.catchUp(&turn)
    // First, because it may end the last need.
    self.parts.reportHeadings(&turn)
    self.parts.plan(&turn)
    self.parts.reportAvailability(&turn)
    self.parts.noteUsage(&turn)
    self.parts.noteDemands()
    self.parts.reportStatus(&turn)
    let (batch, followers) = self.parts.commits.commit(&turn)
    let isOver = self.parts.idle.note(
      isIdle: self.parts.isIdle, patience: self.parts.settings.exitWhenIdle, now: turn.now)
    let next =
      self.isWorkLeft(now: turn.now) ? min(self.armed ?? turn.now, turn.now) : self.parts.nextDeadline(now: turn.now)
    if next != self.armed {
      self.armed = next
      turn.act(.setDeadline(next))
    }
    if let batch {
      let action = Action.store(batch.number, batch.changes)
      // A denial is in the file beside the store that is not open before it is answered as being in force.
      if self.parts.commits.unopened != nil { turn.actFirst(action) } else { turn.act(action) }
    }
    turn.act(followers.compactMap(\.action))
    if isOver { turn.act(.end) }
  }
}
