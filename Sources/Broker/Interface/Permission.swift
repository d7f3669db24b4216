package import Positioning

/// What a client may know, as it is told.
package struct Authorization: Hashable, Sendable {
  package var state: AuthorizationState
  package var precision: Precision
  /// The rule that decided, where one did.
  package var rule: String?
  /// Where the answer is no, or less than everything: who can change that, and how.
  package var remedy: String?

  package init(
    state: AuthorizationState, precision: Precision = .precise, rule: String? = nil, remedy: String? = nil
  ) {
    self.state = state
    self.precision = precision
    self.rule = rule
    self.remedy = remedy
  }
}

package enum AuthorizationState: String, Hashable, Sendable, CaseIterable {
  /// No rule says yes or no, and no person has.
  case notDetermined
  /// A person answered no.
  case denied
  /// A rule says no.
  case restricted
  /// The master switch is off.
  case disabled
  /// While connected.
  case whenInUse
  /// Also for what outlives the connection.
  case always

  package var isGranted: Bool { self == .whenInUse || self == .always }
}

/// How precisely a client may know the position; the finer is the greater.
package enum Precision: String, Hashable, Sendable, CaseIterable, Comparable {
  case reduced, precise

  package static func < (left: Precision, right: Precision) -> Bool { left == .reduced && right == .precise }
}

/// What can be asked for, and be granted by a person.
package enum AuthorizationLevel: String, Hashable, Sendable, CaseIterable, Comparable {
  case whenInUse, always

  package static func < (left: AuthorizationLevel, right: AuthorizationLevel) -> Bool {
    left == .whenInUse && right == .always
  }

  var state: AuthorizationState { self == .always ? .always : .whenInUse }
}

/// What `authorization.request` asks for.
package struct AuthorizationRequest: Hashable, Sendable {
  package var level: AuthorizationLevel
  package var precision: Precision
  /// Whether to ask again after a person's no.
  package var isForced: Bool

  package init(level: AuthorizationLevel = .whenInUse, precision: Precision = .precise, isForced: Bool = false) {
    self.level = level
    self.precision = precision
    self.isForced = isForced
  }
}

/// A question to a person: may this program know the position? Never reused while the daemon lives.
package struct PromptID: Hashable, Comparable, Sendable {
  package let value: UInt64

  package init(_ value: UInt64) { self.value = value }

  package static func < (left: PromptID, right: PromptID) -> Bool { left.value < right.value }
}

package struct Prompt: Hashable, Sendable {
  package var id: PromptID
  /// Who asks. The kernel's facts come first; name and purpose are what the program says of itself.
  package var principal: Principal
  package var level: AuthorizationLevel
  package var precision: Precision
  /// How long an answer counts.
  package var expiresIn: Duration
}

/// What an agent answers to a prompt.
package struct PromptAnswer: Hashable, Sendable {
  package var isAllowed: Bool
  /// What is granted where it is allowed; what was asked for where absent, and never more.
  package var level: AuthorizationLevel?
  package var precision: Precision?
  /// Whether it holds for later; else for the connections that waited for it.
  package var isRemembered: Bool

  package init(
    isAllowed: Bool, level: AuthorizationLevel? = nil, precision: Precision? = nil, isRemembered: Bool = true
  ) {
    self.isAllowed = isAllowed
    self.level = level
    self.precision = precision
    self.isRemembered = isRemembered
  }
}

/// A person's answer for all programs of one user.
package struct Decision: Hashable, Sendable {
  /// Whom it is for, by name: a number that another user has now is not theirs. `nil`: the number has no name, and the
  /// decision holds for a connection, and is not kept.
  package var user: String?
  /// `nil`: no.
  package var level: AuthorizationLevel?
  package var precision: Precision
  package var at: Instant

  package init(user: String?, level: AuthorizationLevel?, precision: Precision = .precise, at: Instant) {
    self.user = user
    self.level = level
    self.precision = precision
    self.at = at
  }
}

/// A stored decision, as `admin.grants` lists it.
package struct GrantInfo: Hashable, Sendable {
  package var uid: UInt32
  package var decision: Decision
  /// Whether it is on the disk; else it counts, and a daemon that dies now has not known it.
  package var isStored = true

  package init(uid: UInt32, decision: Decision, isStored: Bool = true) {
    (self.uid, self.decision, self.isStored) = (uid, decision, isStored)
  }
}

/// A client, as `admin.clients` lists it.
package struct ClientInfo: Hashable, Sendable {
  package var principal: Principal
  package var authorization: Authorization
  package var requests: Int
  package var subscriptions: Int
  package var regions: Int
}

/// One user who is being given positions.
package struct InUse: Hashable, Sendable {
  package var uid: UInt32
  package var user: String?
  /// The system unit, where the kernel tells.
  package var unit: String?
  /// What its programs call themselves; each once, some of them where there are many.
  package var programs: [String]
  package var since: Instant
}

/// What the server may still send a client, whatever is under way to it.
package struct SensitivityLimit: Hashable, Sendable {
  /// The finest that may be sent; `nil`: no position at all.
  package var precision: Precision?
  /// What a reply becomes that may not be sent any more.
  package var denial: CallFailure

  package init(precision: Precision?, denial: CallFailure) {
    self.precision = precision
    self.denial = denial
  }
}

/// How much a message reveals of where the device is.
package enum Sensitivity: Int, Hashable, Sendable {
  case open
  /// The reduced position, or what was judged by it.
  case reduced
  case precise
}
