import CLinux
import Glibc
import Synchronization

/// Work that other threads hand to the loop, and the eventfd that wakes it.
final class JobQueue: Sendable {
  enum Work: Sendable {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
  }

  /// Whether the caller must wake the loop: only the first one after a wake-up must.
  enum Wake {
    case alreadyAwake, mustWake
  }

  private struct State {
    var work: [Work] = []
    var wakeDescriptor: Int32 = -1
  }

  private let state = Mutex(State())

  deinit {
    let descriptor = state.withLock { $0.wakeDescriptor }
    if descriptor >= 0 { close(descriptor) }
  }

  func append(_ work: Work) -> Wake {
    state.withLock { state in
      state.work.append(work)
      return state.work.count == 1 ? .mustWake : .alreadyAwake
    }
  }

  /// All waiting jobs, oldest first; the queue is empty afterwards, so the next append wakes the loop again.
  func takeAll() -> [Work] {
    state.withLock { state in
      let work = state.work
      state.work = []
      return work
    }
  }

  /// Opens the descriptor that becomes readable when another thread has appended.
  func openWakeDescriptor() throws(SystemError) -> Int32 {
    let descriptor = try SystemError.check(
      clinux_event_open(), "eventfd")
    state.withLock { $0.wakeDescriptor = descriptor }
    return descriptor
  }

  func writeWakeDescriptor() {
    let descriptor = state.withLock { $0.wakeDescriptor }
    let result = clinux_event_add(descriptor)
    // This fails only if the counter is full (2^64-2 unread wake-ups); then the loop is awake anyway.
    precondition(result == 0 || errno == EAGAIN, "the event loop cannot be woken: \(errno)")
  }

  func readWakeDescriptor() {
    let descriptor = state.withLock { $0.wakeDescriptor }
    // It fails if another turn has already read it.
    _ = clinux_event_take(descriptor)
  }
}
