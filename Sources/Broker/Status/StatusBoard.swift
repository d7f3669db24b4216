import Positioning

/// The revision at which each part of the status last changed: a subscription that was notified at one revision is only
/// notified of later changes.
struct StatusBoard: Sendable {
  private var last: StatusFingerprint?
  private var revisions: [DaemonStatus.Part: Int] = [:]
  private(set) var revision = 0

  /// Takes the present state.
  mutating func update(to fingerprint: StatusFingerprint) {
    let changed = fingerprint.changes(since: self.last)
    self.last = fingerprint
    guard !changed.isEmpty else { return }
    self.revision += 1
    for part in changed { self.revisions[part] = self.revision }
  }

  /// The parts that changed since a client's last update; all parts for a client without one.
  func parts(since revision: Int?) -> [DaemonStatus.Part] {
    guard let revision else { return DaemonStatus.Part.allCases }
    return DaemonStatus.Part.allCases.filter { self.revisions[$0, default: 0] > revision }
  }
}

/// The subscriptions to notify of a change, a few in each turn, in order: however many there are, nobody else waits.
struct StatusRounds: Sendable {
  /// How many are notified in one turn.
  static let slice = 16

  /// Those of the present round.
  private var waiting: ArraySlice<SubscriptionID> = []
  /// New subscriptions that were not notified yet.
  private var newcomers: ArraySlice<SubscriptionID> = []
  /// The revision of the last round.
  private var reported = 0

  var isOver: Bool { self.waiting.isEmpty && self.newcomers.isEmpty }

  /// Whether the present round is over.
  var isRoundOver: Bool { self.waiting.isEmpty }

  /// Whether there is a change after the last round.
  func isRoundDue(_ revision: Int) -> Bool { revision != self.reported }

  mutating func begin(_ revision: Int, _ all: [SubscriptionID]) {
    self.reported = revision
    self.waiting = all[...]
  }

  mutating func join(_ newcomer: SubscriptionID) { self.newcomers.append(newcomer) }

  /// Those that are next.
  mutating func next() -> [SubscriptionID] {
    let first = self.newcomers.prefix(Self.slice)
    self.newcomers = self.newcomers.dropFirst(first.count)
    let others = self.waiting.prefix(Self.slice - first.count)
    self.waiting = self.waiting.dropFirst(others.count)
    return Array(first) + others
  }
}
