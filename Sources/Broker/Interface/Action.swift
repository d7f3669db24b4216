package import Positioning

/// What the broker wants done. Actions are carried out in order, after its state has changed.
package enum Action: Hashable, Sendable {
  case answer(CallID, Answer)
  case notify(ClientID, Notification)
  /// Turn the receiver on, or release it; told on change only.
  case setReceiver(on: Bool)
  /// Call `deadlineReached` at that moment; replaces what was set before. `nil`: never.
  case setDeadline(Instant?)
  /// Write to the log; nothing in it tells a position.
  case log(LogLevel, String)
}

package enum LogLevel: Int, Hashable, Sendable, Comparable {
  case error, warning, notice, info, debug

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// What a client is told without having asked just now.
package enum Notification: Hashable, Sendable {
  case position(PositionUpdate)
  case sky(SubscriptionID, Sky)
  case heading(HeadingUpdate)
  /// The parts are those that changed since the client was told last.
  case status(SubscriptionID, Status, [StatusPart])
  case ended(SubscriptionID, SubscriptionEnd)
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
  }

  package var subscription: SubscriptionID
  package var state: SubscriptionState
  package var availability: Availability
  package var fix: Fix?
  package var achievedAccuracy: AccuracyLevel?
  package var reason: Reason?
  /// The fix was there before the subscription.
  package var isReplay: Bool
  /// A heartbeat: the newest fix, told again because nothing else was.
  package var isRepeat: Bool
}

/// What the broker needs of the world; the executable wires it.
package protocol BrokerPorts: Sendable {
  /// Carries out the actions, in order.
  func perform(_ actions: [Action])
}
