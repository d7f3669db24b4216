import Glibc
import Positioning

/// Which callers wait for which lookup of users and groups, and which lookup starts next.
///
/// A directory server may take long, or never answer, so each caller has a deadline, at which its lookup fails. The
/// lookup goes on; a late answer is reported as learned. Few run at a time, and numbers without a known user may take
/// only half of these places: a user with many numbers (subordinate ones) cannot delay lookups of users that the system
/// is known to know.
struct AccountLookupQueue {
  /// How long a caller waits by default.
  static let timeout: Duration = .seconds(2)
  /// How long the answer about a number is valid: the number may be given to another user, and permission depends on
  /// the name.
  static let lasting: Duration = .seconds(1)
  /// The most concurrent lookups, and how many of them may be about unknown numbers.
  static let maximumAtOnce = 4
  static let maximumStrangers = 2
  /// The most lookups that wait to start. A further one fails at once.
  static let maximumWaiting = 256
  /// How many of them may be about subordinate numbers of one owner.
  static let maximumWaitingOfOwner = 16
  /// The most cached answers, and the most numbers known to belong to users.
  static let maximumKept = 64
  static let maximumKnown = 4096

  enum Action: Hashable {
    /// Start the lookup.
    case put(AccountQuery)
    case answer(asker: UInt64, AccountLookup<Account>)
    /// A caller's deadline passed before the answer.
    case learned(AccountQuery, AccountLookup<Account>)
  }

  private struct Asker {
    let number: UInt64
    let deadline: Instant
  }

  private struct Open {
    var askers: [Asker] = []
    /// Whether it was started as a lookup of an unknown number.
    var isAboutStranger = false
    /// Whether a caller's deadline passed.
    var isMissed = false
  }

  private struct Kept {
    let lookup: AccountLookup<Account>
    let since: Instant
  }

  private var open: [AccountQuery: Open] = [:]
  /// The lookups that are not started yet, in order of arrival.
  private var waiting: [AccountQuery] = []
  private var kept: [AccountQuery: Kept] = [:]
  private var known: Set<UInt32> = [0]
  private var strangersPut = 0
  private var allPut = 0

  /// The first caller's deadline.
  var nextDeadline: Instant? { self.open.values.lazy.flatMap(\.askers).map(\.deadline).min() }

  /// - Parameter anew: Whether cached answers must not be used. Only the daemon itself asks so, and only about the
  ///   users of whom it stores something, so these lookups have no limit.
  mutating func asked(
    _ question: AccountQuery, by number: UInt64, within timeout: Duration = AccountLookupQueue.timeout,
    anew: Bool = false, now: Instant
  ) -> [Action] {
    if !anew, let kept = self.kept[question], now - kept.since < Self.lasting {
      return [.answer(asker: number, kept.lookup)]
    }
    let asker = Asker(number: number, deadline: now + timeout)
    if self.open[question] != nil {
      self.open[question]?.askers.append(asker)
      return []
    }
    guard anew || self.mayWait(question) else {
      return [.answer(asker: number, .unknown(SystemError(code: EBUSY, call: question.description)))]
    }
    self.open[question] = Open(askers: [asker])
    self.waiting.append(question)
    return self.put()
  }

  /// Whether there is room for one more, of all and of its owner's.
  private func mayWait(_ question: AccountQuery) -> Bool {
    guard self.waiting.count < Self.maximumWaiting else { return false }
    guard let owners = question.owners else { return true }
    return self.waiting.count { $0.owners == owners } < Self.maximumWaitingOfOwner
  }

  /// A lookup has finished.
  mutating func answered(_ question: AccountQuery, _ lookup: AccountLookup<Account>, now: Instant) -> [Action] {
    guard let answered = self.open.removeValue(forKey: question) else { return [] }
    self.allPut -= 1
    if answered.isAboutStranger { self.strangersPut -= 1 }
    self.keep(lookup, of: question, now: now)
    var actions = answered.askers.map { Action.answer(asker: $0.number, lookup) }
    switch lookup {
    case .found, .absent: if answered.isMissed { actions.append(.learned(question, lookup)) }
    case .unknown: break
    }
    return actions + self.put()
  }

  /// The lookups of callers whose deadline has passed fail.
  mutating func deadlineReached(now: Instant) -> [Action] {
    var actions: [Action] = []
    for (question, entry) in self.open {
      let late = entry.askers.filter { $0.deadline <= now }
      guard !late.isEmpty else { continue }
      self.open[question]?.askers.removeAll { $0.deadline <= now }
      self.open[question]?.isMissed = true
      let error = SystemError(code: ETIMEDOUT, call: question.description)
      actions += late.map { .answer(asker: $0.number, .unknown(error)) }
    }
    return actions.sorted { $0.asker < $1.asker }
  }

  private mutating func put() -> [Action] {
    var actions: [Action] = []
    while self.allPut < Self.maximumAtOnce {
      let isFull = self.strangersPut >= Self.maximumStrangers
      guard
        let place = self.waiting.firstIndex(where: { !self.isStranger($0) })
          ?? (isFull ? nil : self.waiting.indices.first)
      else { break }
      let question = self.waiting.remove(at: place)
      self.allPut += 1
      if self.isStranger(question) {
        self.strangersPut += 1
        self.open[question]?.isAboutStranger = true
      }
      actions.append(.put(question))
    }
    return actions
  }

  /// Only administrators look up names.
  private func isStranger(_ question: AccountQuery) -> Bool {
    switch question {
    case .name(let uid), .user(let uid), .client(let uid, _): !self.known.contains(uid)
    case .userNumber, .groupNumber: false
    }
  }

  private mutating func keep(_ lookup: AccountLookup<Account>, of question: AccountQuery, now: Instant) {
    if self.kept.count >= Self.maximumKept {
      self.kept = self.kept.filter { now - $0.value.since < Self.lasting }
    }
    if self.kept.count < Self.maximumKept { self.kept[question] = Kept(lookup: lookup, since: now) }
    guard case .found(let account) = lookup, self.known.count < Self.maximumKnown else { return }
    switch question {
    case .name, .user, .client: self.known.insert(account.number)
    case .userNumber, .groupNumber: break
    }
  }
}

extension AccountLookupQueue.Action {
  /// Sorts the results.
  fileprivate var asker: UInt64 {
    switch self {
    case .answer(let asker, _): asker
    case .put, .learned: 0
    }
  }
}

extension AccountQuery {
  /// The possible owners of the number, if it may be a subordinate one.
  fileprivate var owners: [String]? {
    switch self {
    case .client(_, let owners): owners.isEmpty ? nil : owners
    case .name, .user, .userNumber, .groupNumber: nil
    }
  }
}
