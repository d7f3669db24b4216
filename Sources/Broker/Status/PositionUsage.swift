import Positioning

/// Which users get positions: from the first position until there was none for a while.
///
/// It counts by user and unit, not by connection: a program that connects again and again counts as one, and does not
/// fill the log.
struct PositionUsage: Sendable {
  /// How long a user is shown after the last position.
  static let grace: Duration = .seconds(10)
  /// How many program names of one user are listed.
  static let maximumPrograms = 8

  /// A user's unit.
  struct Key: Hashable, Sendable {
    let uid: UInt32
    let unit: String?
  }

  private struct Entry: Sendable {
    var inUse: DaemonStatus.InUse
    var until: Instant
  }

  private var entries = OrderedTable<Key, Entry>()
  /// When each entry is checked again: at its end at the latest. It is not moved with each position.
  private var checks = DeadlineQueue<Key>()
  /// Rises with each change of the list.
  private(set) var revision = 0

  var inUse: [DaemonStatus.InUse] { self.entries.all.map(\.inUse) }

  /// When to call `ended`.
  var nextDeadline: Instant? { self.checks.next }

  /// A program was sent a position.
  ///
  /// - Returns: Whether the list changes, and whether the user is new in it.
  mutating func notified(_ principal: Principal, now: Instant) -> (isChanged: Bool, isNew: Bool) {
    let unit = principal.unit.name
    let key = Key(uid: principal.uid, unit: unit)
    let isNewProgram = self.entries.modify(key) { entry in
      entry.until = now + Self.grace
      let programs = entry.inUse.programs
      guard let name = principal.name, programs.count < Self.maximumPrograms, !programs.contains(name) else {
        return false
      }
      entry.inUse.programs.append(name)
      return true
    }
    guard let isNewProgram else {
      let inUse = DaemonStatus.InUse(
        uid: principal.uid, user: principal.user, unit: unit, programs: principal.name.map { [$0] } ?? [], since: now)
      self.entries[key] = Entry(inUse: inUse, until: now + Self.grace)
      self.checks.set(now + Self.grace, for: key)
      self.revision += 1
      return (true, true)
    }
    if isNewProgram { self.revision += 1 }
    return (isNewProgram, false)
  }

  /// Removes the users without a position for a while.
  mutating func ended(now: Instant) -> [DaemonStatus.InUse] {
    var ended: [DaemonStatus.InUse] = []
    while let key = self.checks.popDue(now: now) {
      guard let entry = self.entries[key] else { continue }
      if entry.until > now {
        self.checks.set(entry.until, for: key)
      } else {
        self.entries[key] = nil
        self.revision += 1
        ended.append(entry.inUse)
      }
    }
    return ended
  }
}

extension PositionUsage.Key {
  init(_ inUse: DaemonStatus.InUse) { self.init(uid: inUse.uid, unit: inUse.unit) }
}

extension DaemonStatus.InUse {
  /// For the log.
  var description: String {
    "user \(self.user ?? "\(self.uid)")" + (self.unit.map { " (\($0))" } ?? "")
  }
}

extension Action {
  /// The client that gets a position by it; `nil` if it carries none.
  var recipientOfPosition: ClientID? {
    switch self {
    case .notify(_, .status), .answer(_, .status), .answer(_, .time): nil
    case .notify(let client, let notification): notification.sensitivity == .open ? nil : client
    case .answer(let call, let answer): answer.sensitivity == .open ? nil : call.client
    case .setReceiver, .allowSaving, .askClock, .setDeadline, .store, .reportWhenTaken, .startUnit,
      .reportStoppedReceiver, .clear,
      .ask,
      .withdraw,
      .inUse, .end, .log:
      nil
    }
  }
}
