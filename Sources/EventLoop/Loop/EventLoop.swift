import CLinux
import CSystemd
import Glibc
package import Positioning
import Synchronization

/// The single thread that serves descriptors, timers, signals and the jobs of all its actors.
///
/// It wraps libsystemd's sd-event as a Swift executor. An actor whose `unownedExecutor` is this loop runs on the loop's
/// thread, so a handler calls it with `assumeIsolated`, without a lock or a suspension.
///
/// - The loop belongs to the thread that first runs it or watches something on it. Only ``call(_:)``, ``enqueue(_:)``
///   and ``readClock()`` may be used by other threads; everything else traps there.
/// - Each turn serves one source, the one that has waited longest, so nothing starves: jobs that jobs enqueue wait for
///   the next turn.
/// - Without an armed source it sleeps: there is no periodic wake-up.
/// - A handler may cancel or release any watch, even its own, and arm any timer again.
///
/// `@unchecked Sendable`: only the owning thread uses `event`, `stopCode` and the sources, which every entry point
/// asserts; `owner` is atomic; `queue` has its own lock.
@safe package final class EventLoop: SerialExecutor, @unchecked Sendable {
  /// For parts of libsystemd that attach to a loop, such as sd-bus; only for the owning thread.
  package let event: OpaquePointer
  let owner = Atomic<UInt>(0)
  let queue = JobQueue()
  private var stopCode: Int32?
  private var wakeSource: EventSource?

  /// Creates a loop that no thread owns yet. Throws if the process is out of descriptors or memory.
  package init() throws(SystemError) {
    var created: OpaquePointer?
    try SystemError.checkNegative(unsafe sd_event_new(&created), "sd_event_new")
    guard let created = unsafe created else { preconditionFailure("sd_event_new succeeded without a loop") }
    unsafe event = unsafe created
    // The sources hold the loop's parts, not the loop, which can be released before them.
    let wake = try queue.openWakeDescriptor()
    wakeSource = try EventSource.descriptor(on: self, wake, events: EPOLLIN.rawValue) { [unowned self] _ in
      self.queue.readWakeDescriptor()
      self.runQueuedJobs()
    }
  }

  deinit {
    wakeSource = nil
    unsafe sd_event_unref(event)
  }

  /// Serves everything until ``stop(code:)``; the calling thread owns the loop from then on.
  ///
  /// - Returns: the code given to `stop`. The loop can run again, for example to drain.
  /// - Throws: If waiting itself fails; the process cannot continue then.
  package func run() throws(SystemError) -> Int32 {
    claim()
    while true {
      if let code = stopCode {
        stopCode = nil
        return code
      }
      try SystemError.checkNegative(unsafe sd_event_run(event, .max), "sd_event_run")
    }
  }

  /// Waits until a source is ready and serves one source.
  ///
  /// - Parameter timeout: How long to wait; `nil`: without limit.
  /// - Returns: false if nothing happened in time; a spurious wake-up counts as something.
  package func runOnce(timeout: Duration?) throws(SystemError) -> Bool {
    claim()
    let microseconds = timeout.map { $0.microsecondsRoundedUp } ?? .max
    return try SystemError.checkNegative(unsafe sd_event_run(event, microseconds), "sd_event_run") > 0
  }

  /// Makes ``run()`` return once the handler or job that calls this has returned.
  package func stop(code: Int32 = 0) {
    claim()
    stopCode = code
  }

  /// The moment of this wake-up, which does not change during a handler; outside of handlers, the clock.
  package var now: Instant {
    claim()
    guard unsafe sd_event_get_state(event) == Int32(SD_EVENT_RUNNING) else { return EventLoop.readClock() }
    var microseconds: UInt64 = 0
    let result = unsafe sd_event_now(event, CLOCK_BOOTTIME, &microseconds)
    precondition(result >= 0, "sd_event_now has no CLOCK_BOOTTIME")
    return Instant(microseconds: microseconds)
  }

  /// The clock since boot, including suspend, read now; from any thread.
  package static func readClock() -> Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Instant(sinceBoot: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }

  /// The wall clock's time since 1970; from any thread.
  package static func readWallClock() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Notifies systemd's watchdog from this loop, so that systemd notices a hanging loop.
  ///
  /// - Returns: false if systemd requested no watchdog.
  package func feedWatchdog() throws(SystemError) -> Bool {
    claim()
    return try SystemError.checkNegative(unsafe sd_event_set_watchdog(event, 1), "sd_event_set_watchdog") > 0
  }
}
