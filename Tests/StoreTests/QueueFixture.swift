import Broker
import EventLoop
import Positioning
import Synchronization
import TestSupport

@testable import Store

/// A queue over tables in memory, and the results of its changes, which are numbers here.
///
/// `@unchecked Sendable`: it belongs to its loop.
final class QueueFixture: @unchecked Sendable {
  let tables = FakeTables()
  private(set) var done: [Int] = []
  private(set) var refused: [(number: Int, reason: String)] = []
  private(set) var errors: [String?] = []
  private(set) var messages: [String] = []
  /// Whether each change was stored before its action ran.
  private(set) var wasAlwaysKept = true
  var onDone: (Int) -> Void = { _ in }
  var onError: (String?) -> Void = { _ in }
  private var opened: StoreQueue?

  init(on loop: EventLoop) throws {
    let queue = try StoreQueue(loop: loop, tables: self.tables) { [unowned self] in
      self.messages.append($1.text)
    }
    queue.onError = { [unowned self] in
      self.errors.append($0)
      self.onError($0)
    }
    self.opened = queue
  }

  var queue: StoreQueue {
    guard let opened else { preconditionFailure("the queue is gone") }
    return opened
  }

  func drop() { self.opened = nil }

  func store(_ number: Int) { self.store([number], then: number) }

  /// - Parameter changes: `nil` for none.
  func store(_ changes: [Int]?, then number: Int) {
    self.queue.store(
      (changes ?? []).map { .overflow(anna, through: 0, dropped: $0) },
      then: { [unowned self] in
        let kept = self.tables.kept
        if let changes, !changes.allSatisfy({ kept.contains($0) }) { self.wasAlwaysKept = false }
        self.done.append(number)
        self.onDone(number)
      }, refused: { self.refused.append((number, $0)) })
  }
}

/// Tables that store numbers, as slowly and as unreliably as a test wants.
final class FakeTables: ChangeTables, Sendable {
  private struct State {
    var kept: [Int] = []
    var commits = 0
    var attempts = 0
    var failure: String?
    var aside: [[Int]] = []
    var isTidy = false
    /// Closed while commits must wait.
    var gate = Latch()
  }

  private let state = Mutex(State())

  init() { self.open() }

  var kept: [Int] { self.state.withLock { $0.kept } }
  var commits: Int { self.state.withLock { $0.commits } }
  var attempts: Int { self.state.withLock { $0.attempts } }
  /// What was written beside, each time.
  var aside: [[Int]] { self.state.withLock { $0.aside } }
  var isTidy: Bool { self.state.withLock { $0.isTidy } }

  /// Makes commits wait from now on.
  func close() { self.state.withLock { $0.gate = Latch() } }

  func open() { self.state.withLock { $0.gate }.open() }

  func fail(_ reason: String?) { self.state.withLock { $0.failure = reason } }

  func copyPermission() throws(StoreError) {}

  func keepAside(_ changes: [StoreChange]) throws(StoreError) {
    self.state.withLock { $0.aside.append(Self.numbers(of: changes)) }
  }

  func make(_ changes: [StoreChange]) throws(StoreError) {
    self.state.withLock { $0.gate }.wait()
    let failure = self.state.withLock { state in
      state.attempts += 1
      guard state.failure == nil else { return state.failure }
      state.commits += 1
      state.kept += Self.numbers(of: changes)
      return nil
    }
    if let failure { throw StoreError(.transient, "store", failure) }
  }

  private static func numbers(of changes: [StoreChange]) -> [Int] {
    changes.compactMap { if case .overflow(_, _, let number) = $0 { number } else { nil } }
  }

  func tidy() throws(StoreError) { self.state.withLock { $0.isTidy = true } }
}
