package import Positioning
import ReceiverPorts

/// The one answer to a `Call`.
package enum Answer: Hashable, Sendable {
  case fix(FixResult)
  case lastFix(LastFix)
  /// A subscription of any kind stands.
  case subscribed(SubscriptionInfo)
  case subscription(SubscriptionInfo)
  case subscriptions([SubscriptionInfo])
  case request(RequestOutcome)
  case requests([OpenCall])
  case sky(Sky?)
  case heading(HeadingResult)
  case status(DaemonStatus)
  /// A durable position or visit registration stands, or was steered.
  case durableSubscribed(name: String, SubscriptionState, Availability)
  /// `warning`: what the client should know of a region that was accepted. `isReduced`: by what it was judged.
  case region(RegionState, warning: String?, isReduced: Bool = false)
  /// A page of them, and how many come after it.
  case regions([RegionInfo], omitted: Int = 0)
  case durable(DurableInfo)
  case durables([DurableInfo])
  case authorization(Authorization)
  case agentRegistered
  case clients([ClientInfo])
  case grants([Grant])
  /// A decision was stored, or removed (then it is what was removed).
  case grant(Grant)
  /// The master switch is on, or off.
  case enabled(Bool, isStored: Bool = true, unread: String? = nil)
  case failed(CallFailure)
}

package enum CallFailure: Hashable, Sendable {
  case cancelled
  /// No such subscription of this client.
  case noSubscription(number: Int)
  /// The client has a subscription of that number, but not to positions, which the call is for.
  case wrongKind(number: Int, SubscriptionInfo.Kind)
  case limitExceeded(name: String, value: Int)
  /// No such region, or durable name, of this client or user.
  case noRegion(id: String)
  case noDurable(name: String)
  /// A rule forbids it, or none allows it; `remedy` says who can change that, and how.
  case restricted(what: String, rule: String? = nil, remedy: String)
  /// A person answered no, or allowed less; when.
  case denied(what: String, at: Instant?, remedy: String)
  /// The master switch is off.
  case switchedOff(remedy: String)
  /// No rule and no person says anything, and nobody can be asked, or nobody answered.
  case notDetermined(remedy: String)
  /// More precision is asked for than is granted.
  case accuracyLimited(what: String, remedy: String)
  /// The store does not work; nothing was registered.
  case notStored(String)
  /// The daemon is stopping.
  case shuttingDown
  /// The receiver has no sensor of headings, and tells no course.
  case noHeading
  /// The parameter does not go with the subscription; where, and what was expected.
  case invalid(parameter: String, expected: String)
}

/// A call that waits for its answer.
package struct OpenCall: Hashable, Sendable {
  package var call: CallID
  package var info: RequestInfo

  package init(_ call: CallID, _ info: RequestInfo) {
    self.call = call
    self.info = info
  }
}

extension CallFailure {
  init(_ error: InvalidParameter) { self = .invalid(parameter: error.parameter, expected: error.expected) }
}
