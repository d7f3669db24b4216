import Positioning

/// What follows a commit: it happens once the changes of its turn are stored, or learns that they never will be.
enum Follower: Hashable, Sendable {
  case answer(CallID, Answer)
  case notify(ClientID, Notification)
  /// Report `taken` once the client has taken everything that it was sent.
  case reportWhenTaken(ClientID)
  /// Start the systemd unit, so that a client of the name takes its events.
  case startUnit(String, for: DurableID)
  /// A change that counts from now on, or is known not to be stored.
  case count(AwaitedChange)

  /// What it does once all is stored; `nil`: the broker does it.
  var action: Action? {
    switch self {
    case .answer(let call, let answer): .answer(call, answer)
    case .notify(let client, let notification): .notify(client, notification)
    case .reportWhenTaken(let client): .reportWhenTaken(client)
    case .startUnit(let unit, let id): .startUnit(unit, for: id)
    case .count: nil
    }
  }

  /// Whom it reaches: followers for the same recipient stay in order.
  enum Recipient: Hashable, Sendable {
    case client(ClientID)
    /// The unit of a durable name.
    case unit(DurableID)
  }

  /// `nil`: the broker itself, for which the order does not matter.
  var recipient: Recipient? {
    switch self {
    case .answer(let call, _): .client(call.client)
    case .notify(let client, _), .reportWhenTaken(let client): .client(client)
    case .startUnit(_, let id): .unit(id)
    case .count: nil
    }
  }
}

extension [Follower] {
  /// Takes the reduced fixes, which wait for nothing any more.
  mutating func takeReducedFixes() -> [AwaitedChange] {
    var taken: [AwaitedChange] = []
    self.removeAll { follower in
      guard case .count(let awaited) = follower, case .reducedFix = awaited else { return false }
      taken.append(awaited)
      return true
    }
    return taken
  }
}

/// A change that counts once it is stored.
enum AwaitedChange: Hashable, Sendable {
  /// The number is that of `PermissionBook`.
  case permission(UInt64)
  /// A reduced fix, and the last stored offset.
  case reducedFix(Fix, of: Fix, kept: LocationFuzzer.Snapshot, epoch: Int)
}
