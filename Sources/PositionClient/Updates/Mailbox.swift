import Positioning
import Synchronization

/// Updates of a subscription that wait for their reader: in order, and at most `capacity`.
///
/// When it is full the oldest is dropped, because a late reader needs the present position. Changes of the connection
/// are dropped only for newer ones, so the last of them is always delivered.
final class Mailbox<Element: Sendable>: Sendable {
  typealias Taken = Result<Element?, PositionError>

  private struct State {
    var elements = Fifo<(element: Element, kind: DeliveryKind)>()
    /// Set once nothing more follows; delivered after the waiting updates.
    var end: Taken?
    var waiter: CheckedContinuation<Taken, Never>?
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let passOver: @Sendable (_ oldest: Element, _ next: inout Element) -> Void

  /// - Parameters:
  ///   - capacity: More than 0.
  ///   - passOver: Records in the next update that the oldest was dropped.
  init(capacity: Int = 64, passOver: @escaping @Sendable (_ oldest: Element, _ next: inout Element) -> Void) {
    precondition(capacity > 0, "a mailbox holds something")
    self.capacity = capacity
    self.passOver = passOver
  }

  func put(_ element: Element, as kind: DeliveryKind = .delivery) {
    let waiter: CheckedContinuation<Taken, Never>? = self.state.withLock { state in
      guard state.end == nil else { return nil }
      if let waiter = state.waiter.take() { return waiter }
      if kind == .disconnection { state.elements.removeAll { $0.kind != .delivery } }
      state.elements.append((element, kind))
      self.passOver(in: &state)
      return nil
    }
    waiter?.resume(returning: .success(element))
  }

  private func passOver(in state: inout State) {
    guard state.elements.count > self.capacity else { return }
    let deliveries = state.elements.indices.filter { state.elements[$0].kind == .delivery }
    guard deliveries.count > self.capacity else { return }
    self.passOver(state.elements[deliveries[0]].element, &state.elements[deliveries[1]].element)
    state.elements.remove(at: deliveries[0])
  }

  /// Removes the waiting updates that match. They do not count as dropped.
  func withhold(_ isAbove: (Element) -> Bool) {
    self.state.withLock { state in state.elements.removeAll { isAbove($0.element) } }
  }

  /// Nothing more follows, because of the error if there is one. Only the first call counts.
  func finish(_ error: PositionError?) {
    let end: Taken = error.map { .failure($0) } ?? .success(nil)
    let waiter: CheckedContinuation<Taken, Never>? = self.state.withLock { state in
      guard state.end == nil else { return nil }
      state.end = end
      return state.waiter.take()
    }
    waiter?.resume(returning: end)
  }

  /// Waits for the next update; `nil` once there are no more, and when the task is cancelled.
  ///
  /// - Precondition: nobody else waits.
  func next() async throws(PositionError) -> Element? {
    let taken = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let taken: Taken? = self.state.withLock { state in
          precondition(state.waiter == nil, "an iterator is used by one task at a time")
          // Checked under the lock: a cancellation either is seen here or finds the waiter.
          if Task.isCancelled { return .success(nil) }
          if let first = state.elements.popFirst() { return .success(first.element) }
          if let end = state.end {
            // An error is thrown once.
            state.end = .success(nil)
            return end
          }
          state.waiter = continuation
          return nil
        }
        if let taken { continuation.resume(returning: taken) }
      }
    } onCancel: {
      self.state.withLock { $0.waiter.take() }?.resume(returning: .success(nil))
    }
    return try taken.get()
  }
}

/// The kind of an update.
enum DeliveryKind {
  /// A notification of the daemon; only these count against a mailbox's capacity.
  case delivery
  case disconnection
  case reconnection
}

/// The destination of a subscription's updates: a mailbox, from which a task on another thread takes them, or a program
/// on the loop's own thread.
struct UpdateSink<Update> {
  let put: (Update, DeliveryKind) -> Void
  /// Removes the updates that wait and match, which the program may not know any more.
  var withhold: ((Update) -> Bool) -> Void = { _ in }
  /// Nothing more follows, because of the error if there is one.
  let finish: (PositionError?) -> Void
}

extension UpdateSink where Update: Sendable {
  init(_ mailbox: Mailbox<Update>) {
    self.init(
      put: { mailbox.put($0, as: $1) }, withhold: { mailbox.withhold($0) }, finish: { mailbox.finish($0) })
  }
}
