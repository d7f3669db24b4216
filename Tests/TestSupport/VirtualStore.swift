package import Broker
import Positioning

/// The one store that random worlds have: it commits late, takes nothing for a while, says that it fails, and is killed
/// between a commit and the word of it, all from a seed.
///
/// What it has is `kept`, a model that is held against the real tables.
package struct VirtualStore: Sendable {
  /// What was given together.
  package struct Batch: Sendable {
    package let number: UInt64
    package let changes: [StoreChange]
    /// The turn from which on it is committed.
    fileprivate let due: Int
  }

  private enum Condition: Hashable {
    case working
    /// It takes nothing, and says nothing.
    case stalled(until: Int)
    /// It takes nothing, and says why.
    case failing(until: Int)
  }

  package private(set) var kept = StoreModel()
  /// What it could not keep, because something is not there.
  package private(set) var complaints: [String] = []
  /// How often it stalled, failed, and lost something to a kill.
  package private(set) var counts = (stalls: 0, failures: 0, losses: 0)
  private var queue: ArraySlice<Batch> = []
  private var condition = Condition.working
  private var random: SeededRandom?
  private var turns = 0

  /// - Parameter seed: `nil`: it commits at once, always.
  package init(seed: UInt64? = nil) { self.random = seed.map { SeededRandom(seed: $0) } }

  /// The disk is full, as the daemon hears it.
  package static let error = "the disk is full"

  /// Whether all is kept that it was given.
  package var isIdle: Bool { self.queue.isEmpty }

  package mutating func take(_ number: UInt64, _ changes: [StoreChange]) {
    self.queue.append(Batch(number: number, changes: changes, due: self.turns + self.number(0...3)))
  }

  /// Something else happened in the world; what the machine learns of the store, if anything.
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

  /// From now on it works, and commits at once; what the machine learns, if anything.
  package mutating func calm() -> BrokerEvent? {
    self.random = nil
    return self.recover()
  }

  /// It takes nothing, until `recover`.
  package mutating func stall() { self.condition = .stalled(until: .max) }

  /// It works from now on; what the machine learns, if anything.
  package mutating func recover() -> BrokerEvent? {
    let isReportDue = if case .failing = self.condition { true } else { false }
    self.condition = .working
    return isReportDue ? .storeChanged(error: nil) : nil
  }

  /// The batch that is committed next, where it is time for that.
  package var due: Batch? {
    guard let first = self.queue.first, self.condition == .working, first.due <= self.turns else { return nil }
    return first
  }

  /// What was given first of what is not committed.
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

  /// How much of what waits is committed as the daemon dies, which nobody learns.
  package mutating func lastCommits() -> Int {
    self.condition == .working && !self.queue.isEmpty ? self.number(0...self.queue.count) : 0
  }

  /// The daemon dies: what waits is lost.
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
