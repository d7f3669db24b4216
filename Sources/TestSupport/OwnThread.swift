import Glibc

/// Runs a test's body on a thread of its own and awaits it.
///
/// Tests that talk to real processes block: they wait for a socket with a deadline. On Swift's own pool, which has as
/// many threads as the machine has cores, they would keep every other test waiting.
package func onOwnThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    let box = Box { continuation.resume(with: Swift.Result { try body() }) }
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().work()
        return nil
      }, Unmanaged.passRetained(box).toOpaque())
    precondition(code == 0, "a thread could not be made")
    pthread_detach(thread)
  }
}

private final class Box: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

/// Something that a test waited for did not happen in time.
package struct TimedOut: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// The monotonic clock's reading, for deadlines of tests.
package func monotonicSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
