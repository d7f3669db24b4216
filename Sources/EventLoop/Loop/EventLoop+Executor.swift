import Glibc
import Synchronization

/// The loop as an executor: jobs and calls from any thread, run in the order in which they came.
extension EventLoop {
  /// Runs the work on the loop's thread, after all work that was enqueued before; callable from any thread.
  ///
  /// It never runs during this call, not even on the loop's own thread.
  package func call(_ work: @escaping @Sendable () -> Void) {
    enqueue(work: .call(work))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(work: .job(UnownedJob(job)))
  }

  /// Traps on any other thread than the loop's. The first thread that asserts this becomes the owner, so that actors
  /// can be used during setup, before the loop runs.
  package func checkIsolated() {
    claim()
  }

  /// Whether the calling thread owns the loop; `nil`, which leaves it to ``checkIsolated()``, if no thread does yet.
  package func isIsolatingCurrentContext() -> Bool? {
    owner.load(ordering: .acquiring) == 0 ? nil : isOnLoop
  }

  /// Whether the calling thread owns the loop.
  package var isOnLoop: Bool {
    owner.load(ordering: .acquiring) == EventLoop.currentThread
  }

  /// Asserts that the calling thread owns the loop, and makes it the owner if there is none.
  func claim() {
    let thread = EventLoop.currentThread
    let (isFirst, current) = owner.compareExchange(
      expected: 0, desired: thread, ordering: .acquiringAndReleasing)
    precondition(isFirst || current == thread, "the event loop belongs to another thread")
  }

  /// pthread_t is never 0 on glibc: it is the address of the thread's descriptor.
  private static var currentThread: UInt { UInt(pthread_self()) }

  private func enqueue(work: JobQueue.Work) {
    // Also from the loop's own thread, because a deferred source of sd-event would precede descriptors that wait
    // longer.
    switch queue.append(work) {
    case .alreadyAwake: break
    case .mustWake:
      switch backend {
      case .system: queue.writeWakeDescriptor()
      case .memory: wakeSource?.setJobs()
      }
    }
  }

  /// Runs the queued jobs; jobs that these enqueue wait until the descriptors had their turn.
  func runQueuedJobs() {
    for work in queue.takeAll() {
      switch work {
      case .call(let work): work()
      case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }
  }
}
