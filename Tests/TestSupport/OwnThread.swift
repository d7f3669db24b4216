import Glibc

/// Runs a test's body on a thread of its own and awaits it.
///
/// Tests that use real processes block: they wait for a socket with a deadline. On Swift's own pool, which has as many
/// threads as the machine has cores, they would delay every other test.
///
/// The thread runs a task, because a failing expectation asks the task which test it belongs to.
package func onOwnThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await Task(executorPreference: OwnThread()) { try body() }.value
}

/// Gives each job a thread; a body that never suspends is one job.
private final class OwnThread: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let work = Work(job: UnownedJob(job), executor: self)
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(work).toOpaque())
    precondition(code == 0, "a thread could not be made")
    pthread_detach(thread)
  }

  private final class Work: Sendable {
    private let job: UnownedJob
    private let executor: OwnThread

    init(job: UnownedJob, executor: OwnThread) {
      self.job = job
      self.executor = executor
    }

    func run() { unsafe self.job.runSynchronously(on: self.executor.asUnownedTaskExecutor()) }
  }
}

/// An awaited event did not occur in time.
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
