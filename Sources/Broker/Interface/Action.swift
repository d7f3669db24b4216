package import Positioning

/// What the broker wants to be done. Actions are executed in order, after its state has changed.
package enum Action: Hashable, Sendable {
  case answer(CallID, Answer)
  case notify(ClientID, Notification)
  /// Turn the receiver on, or release it; only on a change.
  case setReceiver(on: Bool)
  /// Ask chrony, which answers at this port, and report `clockReported`.
  case askClock(port: Int)
  /// How far the receiver may save power while it is on; only where it can, and only on a change.
  case allowSaving(SavingAllowance)
  /// Call `deadlineReached` at this moment; replaces the earlier one. `nil`: never.
  case setDeadline(Instant?)
  /// Commit the changes, all or none, and report `stored` with the number afterwards. Changes of an earlier `store`
  /// come before those of a later one; numbers rise.
  case store(UInt64, [StoreChange])
  /// Report `taken` once the client has taken everything that it was sent.
  case reportWhenTaken(ClientID)
  /// Start the systemd unit, so that a client of the name takes its events.
  case startUnit(String, for: DurableID)
  /// From now on the client gets no more than this, and nothing from its queue that reveals more.
  case clear(ClientID, SensitivityLimit)
  /// Send the prompt to an agent; `promptAnswered` reports the answer.
  case ask(ClientID, Prompt)
  /// Withdraw the prompt: the agent need not answer.
  case withdraw(ClientID, PromptID)
  /// The users whose programs get positions now; sent only when that changes.
  case inUse([DaemonStatus.InUse])
  /// Nothing has needed the daemon for long enough: it ends, if the next connection starts it again.
  case end
  /// Write to the log; no message contains a position.
  case log(LogKind, LogMessage)
  /// Which receiver is turned off, as the last `stoppedReceiverChanged` said, is stored, or will not be because of the
  /// error. Each event gets one, in order.
  case reportStoppedReceiver(error: String?)
}

/// A notification of a client. Indirect, because some are many times as large as the others.
package indirect enum Notification: Hashable, Sendable {
  case position(SubscriptionID, PositionUpdate)
  case sky(SubscriptionID, Sky)
  case heading(SubscriptionID, HeadingUpdate)
  /// The parts are those that changed since the client's last update.
  case status(SubscriptionID, DaemonStatus, [DaemonStatus.Part])
  case ended(SubscriptionID, EndReason)
  case region(RegionEvent)
  case visit(SubscriptionID, Visit)
  /// An event of a durable registration; it is sent again until it is acknowledged.
  case durable(name: String, DurableEvent)
  /// So many events of the name were dropped, because nobody acknowledged them in time.
  case durableOverflow(name: String, dropped: Int)
  /// Another client attached to the name, or the name was removed.
  case durableEnded(name: String, EndReason)
  /// The client's authorization has changed; sent before anything that follows from it.
  case authorization(Authorization, previous: Authorization)
  /// A person is being asked whether this client may know the position.
  case prompted(AuthorizationLevel, Precision, expiresIn: Duration)
}

/// What the broker needs of the world; the executable wires it.
package protocol BrokerPorts: Sendable {
  /// Executes the actions in order.
  func perform(_ actions: [Action])
}
