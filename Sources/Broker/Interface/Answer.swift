package import Positioning
import ReceiverPorts

/// The only answer to a `Call`.
///
/// Indirect, because some are many times as large as the others, and each is passed on several times.
package indirect enum Answer: Hashable, Sendable {
  case fix(FixResult)
  case lastFix(LastFix)
  /// A subscription of any kind was made.
  case subscribed(SubscriptionInfo)
  case subscription(SubscriptionInfo)
  case subscriptions([SubscriptionInfo])
  case request(RequestOutcome)
  case requests([OpenCall])
  case sky(Sky?)
  case heading(HeadingResult)
  case status(DaemonStatus)
  /// A durable position or visit registration was made, or changed by a command.
  case durableSubscribed(name: String, SubscriptionState, Availability)
  /// `warning`: a warning about the accepted region. `isReduced`: whether it is judged by the reduced position.
  case region(RegionState, warning: String?, isReduced: Bool = false)
  /// A page of regions, and how many follow.
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
  /// The client has no such subscription.
  case noSubscription(number: Int)
  /// The client's subscription with this number is of another kind, but the call is for positions.
  case wrongKind(number: Int, SubscriptionInfo.Kind)
  case limitExceeded(name: String, value: Int)
  /// The client or user has no such region or durable name.
  case noRegion(id: String)
  case noDurable(name: String)
  /// A rule denies it, or none allows it; `remedy` says who can change that, and how.
  case restricted(what: String, rule: String? = nil, remedy: String)
  /// A person answered no, or allowed less; with the time.
  case denied(what: String, at: Instant?, remedy: String)
  /// The master switch is off.
  case switchedOff(remedy: String)
  /// No rule and no person decides, and nobody can be asked, or nobody answered.
  case notDetermined(remedy: String)
  /// More precision is requested than is granted.
  case accuracyLimited(what: String, remedy: String)
  /// The store has an error; nothing was registered.
  case notStored(String)
  /// The daemon is stopping.
  case shuttingDown
  /// The receiver has no heading sensor and reports no course.
  case noHeading
  /// The parameter cannot be used with the subscription; with its path and the accepted values.
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
