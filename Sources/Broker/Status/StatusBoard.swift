import Positioning

/// When each part of the daemon's state changed last, counted up: who was told at one count needs to hear of what changed
/// since, and nothing where nothing did.
struct StatusBoard: Sendable {
  private var last: StatusFingerprint?
  private var revisions: [DaemonStatus.Part: Int] = [:]
  private(set) var revision = 0

  /// Takes the state as it is now.
  mutating func update(to fingerprint: StatusFingerprint) {
    let changed = fingerprint.changes(since: self.last)
    self.last = fingerprint
    guard !changed.isEmpty else { return }
    self.revision += 1
    for part in changed { self.revisions[part] = self.revision }
  }

  /// What changed since somebody was told; all for who was told nothing.
  func parts(since revision: Int?) -> [DaemonStatus.Part] {
    guard let revision else { return DaemonStatus.Part.allCases }
    return DaemonStatus.Part.allCases.filter { self.revisions[$0, default: 0] > revision }
  }
}

/// Who is still to be told of a change, a few in each turn, each in its order: however many watch, nobody else waits.
struct StatusRounds: Sendable {
  /// How many are told in one turn.
  static let slice = 16

  /// Those of the round that has begun.
  private var waiting: ArraySlice<SubscriptionID> = []
  /// Those who came meanwhile and were told nothing yet.
  private var newcomers: ArraySlice<SubscriptionID> = []
  /// What the last round told.
  private var told = 0

  var isOver: Bool { self.waiting.isEmpty && self.newcomers.isEmpty }

  /// Whether the round that began is over.
  var isRoundOver: Bool { self.waiting.isEmpty }

  /// Whether there is anything that the last round did not tell.
  func isRoundDue(_ revision: Int) -> Bool { revision != self.told }

  mutating func begin(_ revision: Int, _ all: [SubscriptionID]) {
    self.told = revision
    self.waiting = all[...]
  }

  mutating func join(_ newcomer: SubscriptionID) { self.newcomers.append(newcomer) }

  /// Those whose turn it is.
  mutating func next() -> [SubscriptionID] {
    let first = self.newcomers.prefix(Self.slice)
    self.newcomers = self.newcomers.dropFirst(first.count)
    let others = self.waiting.prefix(Self.slice - first.count)
    self.waiting = self.waiting.dropFirst(others.count)
    return Array(first) + others
  }
}
