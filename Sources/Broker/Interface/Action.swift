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
  case inUse([InUse])
  /// Write to the log; nothing in it tells a position.
  case log(LogLevel, String)
}

/// What a client is told without having asked just now.
package enum Notification: Hashable, Sendable {
  case position(PositionUpdate)
  case sky(SubscriptionID, Sky)
  case heading(HeadingUpdate)
  /// The parts are those that changed since the client was told last.
  case status(SubscriptionID, Status, [StatusPart])
  case ended(SubscriptionID, SubscriptionEnd)
  case region(RegionEvent)
  case visit(SubscriptionID, Visit)
  /// An event of a durable registration; it comes again until it is acknowledged.
  case durable(name: String, DurableEvent)
  /// So many events of the name were lost, because nobody took them in time.
  case durableOverflow(name: String, dropped: Int)
  /// Another client attached to the name, or the name was removed.
  case durableEnded(name: String, SubscriptionEnd)
  /// What the client may know changed; told before anything that follows from it.
  case authorization(Authorization, previous: Authorization)
  /// A person is being asked whether this client may know the position.
  case prompted(AuthorizationLevel, Precision, expiresIn: Duration)
}

package enum SubscriptionEnd: String, Hashable, Sendable {
  case cancelled, expired, unavailable, replaced
}

/// One delivery of a position subscription: a fix, or a change of its availability or state.
package struct PositionUpdate: Hashable, Sendable {
  /// Why it is told, where it is not just for the fix.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// There were fixes, and there are none now; told once until `restored`.
    case lost
    /// There are fixes again.
    case restored
    /// There are fixes, for the first time.
    case available
    /// What stands between the receiver and the client changed, and there still are none.
    case changed
    /// The client paused it, or the device rests.
    case paused
    /// The client resumed it, or the device moves again.
    case resumed
    /// The device is far enough from where it was; a fix is being acquired.
    case significantChange
    /// The client asked for a fix; it is being acquired.
    case acquiring
    /// The fix that was to be acquired.
    case acquired
    /// No fix was good enough in time.
    case acquisitionFailed
    /// A batch, because of its length along the path.
    case distance
    /// A batch, because of its time.
    case timeout
    /// A batch, because the client asked for it.
    case flush
    /// A batch, the last one: the subscription or the daemon ends.
    case ended
  }

  package var subscription: SubscriptionID
  package var state: SubscriptionState
  package var availability: Availability
  package var fix: Fix?
  /// A batch, oldest first; empty where it is none.
  package var fixes: [Fix] = []
  /// How many fixes were dropped from the batch because it was full.
  package var dropped = 0
  package var achievedAccuracy: AccuracyLevel?
  package var reason: Reason?
  /// The fix was there before the subscription.
  package var isReplay: Bool
  /// A heartbeat: the newest fix, told again because nothing else was.
  package var isRepeat: Bool

  package init(
    subscription: SubscriptionID, state: SubscriptionState, availability: Availability, fix: Fix? = nil,
    fixes: [Fix] = [], dropped: Int = 0, achievedAccuracy: AccuracyLevel? = nil, reason: Reason? = nil,
    isReplay: Bool = false, isRepeat: Bool = false
  ) {
    self.subscription = subscription
    self.state = state
    self.availability = availability
    self.fix = fix
    self.fixes = fixes
    self.dropped = dropped
    self.achievedAccuracy = achievedAccuracy
    self.reason = reason
    self.isReplay = isReplay
    self.isRepeat = isRepeat
  }
}

/// Something happened at a region.
package struct RegionEvent: Hashable, Sendable {
  package var region: String
  /// Whose region it is; a durable name's events are told as `durable`.
  package var holder: ClientID
  package var kind: RegionEventKind
  package var state: RegionState
  /// What it was judged by; `nil` where time alone made it.
  package var fix: Fix?
  /// Whether it was concluded from the fixes before and after.
  package var isInferred: Bool
  /// How likely the device is inside, 0...1.
  package var probability: Double?
  /// When the device was inside, reckoned from two fixes; of `crossed` only.
  package var passage: ClosedRange<Instant>?
  /// Whether it was judged by the reduced position.
  package var isReduced: Bool

  package init(
    region: String, holder: ClientID, kind: RegionEventKind, state: RegionState, fix: Fix? = nil,
    isInferred: Bool = false, probability: Double? = nil, passage: ClosedRange<Instant>? = nil, isReduced: Bool = false
  ) {
    self.region = region
    self.holder = holder
    self.kind = kind
    self.state = state
    self.fix = fix
    self.isInferred = isInferred
    self.probability = probability
    self.passage = passage
    self.isReduced = isReduced
  }
}

/// What the broker needs of the world; the executable wires it.
package protocol BrokerPorts: Sendable {
  /// Carries out the actions, in order.
  func perform(_ actions: [Action])
}
