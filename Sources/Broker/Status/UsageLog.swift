import Positioning

/// The lines of the log about who is given positions: of one user and unit at most one in an hour, so that a program that
/// asks each minute does not fill the log. Each time is in a line, if only as one of a number.
///
/// It wakes nobody: a sum is written with what occurs next after its hour, at the latest when the daemon stops.
struct UsageLog: Sendable {
  /// The least time between two lines about a user and unit.
  static let pause: Duration = .seconds(3600)
  /// How many users and units are remembered; beyond it the next line about the first one comes early.
  static let maximum = 256

  fileprivate struct Entry: Sendable {
    let inUse: DaemonStatus.InUse
    let due: Instant
    /// How often more positions began to be given since the line.
    var more = 0
  }

  /// In the order of their lines.
  private var entries = OrderedTable<PositionUsage.Key, Entry>()
  private var firstDue: Instant?

  /// A user begins to be given positions.
  mutating func began(_ inUse: DaemonStatus.InUse, now: Instant) -> [LogMessage] {
    let key = PositionUsage.Key(inUse)
    guard self.entries.modify(key, { $0.more += 1 }) == nil else { return [] }
    return self.remember(key, inUse, now: now) + ["\(inUse.description, .user, inUse.uid) is being given the position"]
  }

  /// A user is not given positions any more.
  mutating func ended(_ inUse: DaemonStatus.InUse, now: Instant) -> [LogMessage] {
    let key = PositionUsage.Key(inUse)
    // Soon after its begin that is no news.
    guard self.entries[key] == nil else { return [] }
    return self.remember(key, inUse, now: now)
      + ["\(inUse.description, .user, inUse.uid) is not given the position any more"]
  }

  /// The sums of the times since the last lines that are an hour old, or of all when the daemon stops.
  mutating func due(now: Instant, isStopping: Bool) -> [LogMessage] {
    var messages: [LogMessage] = []
    while let first = self.firstDue, first <= now || isStopping, let entry = self.removeFirst() {
      guard let sum = entry.sum else { continue }
      messages.append(sum)
      if !isStopping { messages += self.remember(PositionUsage.Key(entry.inUse), entry.inUse, now: now) }
    }
    return messages
  }

  /// Remembers that a line is written now, for which the oldest one may have to be forgotten.
  private mutating func remember(_ key: PositionUsage.Key, _ inUse: DaemonStatus.InUse, now: Instant) -> [LogMessage] {
    let oldest = self.entries.count < Self.maximum ? nil : self.removeFirst()
    self.entries[key] = Entry(inUse: inUse, due: now + Self.pause)
    if self.firstDue == nil { self.firstDue = now + Self.pause }
    return oldest?.sum.map { [$0] } ?? []
  }

  private mutating func removeFirst() -> Entry? {
    guard let key = self.entries.firstKey, let entry = self.entries[key] else { return nil }
    self.entries[key] = nil
    self.firstDue = self.entries.firstKey.flatMap { self.entries[$0]?.due }
    return entry
  }
}

extension UsageLog.Entry {
  fileprivate var sum: LogMessage? {
    guard self.more > 0 else { return nil }
    let times = self.more == 1 ? "once more" : "\(self.more) times more"
    let (user, uid) = (self.inUse.description, self.inUse.uid)
    return "\(user, .user, uid) was given the position \(times) since the last line about it"
  }
}
