package import Positioning

/// What the broker wants done. Actions are carried out in order, after its state has changed.
package enum Action: Hashable, Sendable {
  case answer(CallID, Answer)
  case notify(ClientID, Notification)
  /// Turn the receiver on, or release it; told on change only.
  case setReceiver(on: Bool)
  /// Call `deadlineReached` at that moment; replaces what was set before. `nil`: never.
  case setDeadline(Instant?)
  /// Make the changes last, all or none, and tell `stored` with the number once they do. Those of an earlier `store` come
  /// before those of a later one, whatever they change; numbers rise.
  case store(UInt64, [StoreChange])
  /// Tell `taken` once the client has taken all that it was sent.
  case reportWhenTaken(ClientID)
  /// Start the system unit, for the name's client to come and take its events.
  case startUnit(String, for: DurableID)
  /// Tell `confirmed` with the number: what was to be kept before it lasts, or could not be kept, in words.
  case confirm(UInt64, trouble: String? = nil)
  /// From now on the client is sent no more than this, and nothing of what waits for it and tells more.
  case clear(ClientID, SensitivityLimit)
  /// Put the question to an agent; `promptAnswered` tells what it says.
  case ask(ClientID, Prompt)
  /// The agent need not answer any more.
  case withdraw(ClientID, PromptID)
  /// These are being given positions now; told on change only.
  case inUse([DaemonStatus.InUse])
  /// Write to the log; nothing in it tells a position.
  case log(LogLevel, String)
}

/// What a client is told without having asked just now.
package enum Notification: Hashable, Sendable {
  case position(SubscriptionID, PositionUpdate)
  case sky(SubscriptionID, Sky)
  case heading(SubscriptionID, HeadingUpdate)
  /// The parts are those that changed since the client was told last.
  case status(SubscriptionID, DaemonStatus, [DaemonStatus.Part])
  case ended(SubscriptionID, EndReason)
  case region(RegionEvent)
  case visit(SubscriptionID, Visit)
  /// An event of a durable registration; it comes again until it is acknowledged.
  case durable(name: String, DurableEvent)
  /// So many events of the name were lost, because nobody took them in time.
  case durableOverflow(name: String, dropped: Int)
  /// Another client attached to the name, or the name was removed.
  case durableEnded(name: String, EndReason)
  /// What the client may know changed; told before anything that follows from it.
  case authorization(Authorization, previous: Authorization)
  /// A person is being asked whether this client may know the position.
  case prompted(AuthorizationLevel, Precision, expiresIn: Duration)
}

/// What the broker needs of the world; the executable wires it.
package protocol BrokerPorts: Sendable {
  /// Carries out the actions, in order.
  func perform(_ actions: [Action])
}
