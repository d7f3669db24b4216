package import Broker
import Positioning

/// The one store of random worlds: it commits late, fails for a while, reports an error, and is killed between a commit
/// and its confirmation, all from a seed.
///
/// Its state is `kept`, a model that is compared with the real tables.
package struct VirtualStore: Sendable {
  /// Changes that were given together.
  package struct Batch: Sendable {
    package let number: UInt64
    package let changes: [StoreChange]
    /// The turn from which on it is committed.
    fileprivate let due: Int
  }

  private enum Condition: Hashable {
    case working
    /// It stores nothing, and reports nothing.
    case stalled(until: Int)
    /// It stores nothing, and reports why.
    case failing(until: Int)
  }

  package private(set) var kept = StoreModel()
  /// Changes that could not be made, because something is missing.
  package private(set) var complaints: [String] = []
  /// How often it stalled, failed, and lost something in a kill.
  package private(set) var counts = (stalls: 0, failures: 0, losses: 0)
  private var queue: ArraySlice<Batch> = []
  private var condition = Condition.working
  private var random: SeededRandom?
  private var turns = 0

  /// - Parameter seed: `nil`: it commits at once, always.
  package init(seed: UInt64? = nil) { self.random = seed.map { SeededRandom(seed: $0) } }

  /// The error of a full disk, as the daemon gets it.
  package static let error = "the disk is full"

  /// Whether all changes are stored.
  package var isIdle: Bool { self.queue.isEmpty }

  package mutating func take(_ number: UInt64, _ changes: [StoreChange]) {
    self.queue.append(Batch(number: number, changes: changes, due: self.turns + self.number(0...3)))
  }

  /// Another event occurred in the world; returns the store's event for the machine, if any.
  package mutating func turn() -> BrokerEvent? {
    self.turns += 1
    switch self.condition {
    case .working:
      guard self.random != nil else { return nil }
      switch self.number(0...199) {
      case 0:
        self.counts.stalls += 1
        self.condition = .stalled(until: self.turns + self.number(5...120))
      case 1:
        self.counts.failures += 1
        self.condition = .failing(until: self.turns + self.number(5...120))
        return .storeChanged(error: Self.error)
      default: break
      }
    case .stalled(let end): if self.turns >= end { self.condition = .working }
    case .failing(let end): if self.turns >= end { return self.recover() }
    }
    return nil
  }

  /// From now on it works, and commits at once; returns its event for the machine, if any.
  package mutating func calm() -> BrokerEvent? {
    self.random = nil
    return self.recover()
  }

  /// It stores nothing, until `recover`.
  package mutating func stall() { self.condition = .stalled(until: .max) }

  /// It works from now on; returns its event for the machine, if any.
  package mutating func recover() -> BrokerEvent? {
    let isReportDue = if case .failing = self.condition { true } else { false }
    self.condition = .working
    return isReportDue ? .storeChanged(error: nil) : nil
  }

  /// The batch that is committed next, if it is time.
  package var due: Batch? {
    guard let first = self.queue.first, self.condition == .working, first.due <= self.turns else { return nil }
    return first
  }

  /// The oldest batch that is not committed.
  package var oldest: Batch? { self.queue.first }

  /// Commits the oldest batch.
  package mutating func commit() {
    guard let batch = self.queue.popFirst() else { return }
    do throws(StoreModel.Missing) {
      try self.kept.commit(batch.changes)
    } catch {
      self.complaints.append("\(error) in \(batch.changes)")
    }
  }

  /// Loses the oldest batch, which it has no room for.
  package mutating func refuse() { _ = self.queue.popFirst() }

  /// How many batches are not committed.
  package var waitingCount: Int { self.queue.count }

  /// The number of waiting batches that are committed as the daemon is killed, without a confirmation.
  package mutating func lastCommits() -> Int {
    self.condition == .working && !self.queue.isEmpty ? self.number(0...self.queue.count) : 0
  }

  /// The daemon is killed: waiting changes are lost.
  package mutating func kill() {
    if !self.queue.isEmpty { self.counts.losses += 1 }
    self.queue = []
    self.condition = .working
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    guard var random = self.random else { return range.lowerBound }
    defer { self.random = random }
    return Int.random(in: range, using: &random)
  }
}
