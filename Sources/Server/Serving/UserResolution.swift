import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// Looks up the user that a request names, by one or two account lookups.
struct UserResolution {
  /// What to do next.
  enum Step {
    /// Do this account lookup.
    case ask(AccountQuery)
    /// The user's number, and its name if that was requested.
    case found(UInt32, name: String?)
    case failed(RPCError)
  }

  private let parameter: UserParameter
  /// Whether the name is required, because a decision belongs to the number and the name together.
  private let needsName: Bool

  init(_ parameter: UserParameter, needsName: Bool) {
    self.parameter = parameter
    self.needsName = needsName
  }

  func begin() -> Step {
    switch self.parameter {
    case .number(let uid): self.step(after: uid)
    case .name(let name): .ask(.userNumber(name))
    }
  }

  /// The result of the last lookup.
  func answered(_ question: AccountQuery, _ lookup: AccountLookup<Account>) -> Step {
    switch (question, lookup) {
    case (_, .unknown(let error)): return .failed(Self.lookupFailed(error))
    case (.userNumber, .found(let account)): return self.step(after: account.number)
    case (.userNumber(let name), .absent):
      guard let uid = Self.plainNumber(name) else {
        return .failed(
          .invalidParameter(
            path: "user", found: name.quoted, expected: "the name or the number of a user of this system"))
      }
      return self.step(after: uid)
    // If several names have the number, this is one of them.
    case (_, .found(let account)): return .found(account.number, name: account.name)
    case (.name(let uid), .absent), (.user(let uid), .absent):
      return .failed(
        .invalidParameter(
          path: "user", found: "\(uid), a number without a user",
          expected: "a user of this system, because a decision belongs to the number and the name together"))
    case (.groupNumber, .absent), (.client, .absent): preconditionFailure("a user was looked for among others")
    }
  }

  private func step(after uid: UInt32) -> Step { self.needsName ? .ask(.name(uid)) : .found(uid, name: nil) }

  /// Only digits.
  private static func plainNumber(_ text: String) -> UInt32? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt32(text) : nil
  }

  static func lookupFailed(_ error: SystemError) -> RPCError {
    .internalError(
      "the system cannot say who that is: \(error)", remedy: "try again, or see what \"getent passwd\" says")
  }
}

extension Principal {
  /// The user for whom a relay asks.
  ///
  /// To which unit the user's program belongs is unknown, so a rule that denies a unit denies it. A user who cannot be
  /// looked up cannot be spoken for: a rule may deny one of its groups. A subordinate number is its owner's, and one of
  /// root's is nobody's.
  init(relayedBy relay: Principal, for uid: UInt32, _ lookup: AccountLookup<Account>) throws(RPCError) {
    switch lookup {
    case .found(let account) where account.number != 0 || uid == 0:
      self.init(
        uid: account.number, gid: account.groups.first, pid: relay.pid, groups: account.groups, user: account.name,
        unit: .unknown, relay: relay.uid, subordinate: account.number == uid ? nil : uid)
    case .found, .absent:
      throw .invalidParameter(path: "onBehalfOf", found: "\(uid)", expected: "the number of a user of this system")
    case .unknown(let error): throw UserResolution.lookupFailed(error)
    }
  }
}
