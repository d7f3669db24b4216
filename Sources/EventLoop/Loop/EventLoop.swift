import CLinux
import CSystemd
import Glibc
package import Positioning
import Synchronization

/// The one thread that owns the daemon's world: descriptors, timers, signals and the jobs of every actor on it.
///
/// It is libsystemd's sd-event, made a Swift executor. An actor whose `unownedExecutor` is this loop runs on the loop's
/// thread, so a handler reaches it with `assumeIsolated`: no lock, no hop, no suspension.
///
/// - The loop belongs to the thread that first runs it or watches something on it. Everything but ``call(_:)``,
///   ``enqueue(_:)`` and ``readClock()`` is that thread's alone, and traps elsewhere.
/// - One source is served each turn, the one that has waited longest, so nothing starves: jobs that jobs enqueue wait
///   for the next turn.
/// - With nothing armed it sleeps for ever: there is no periodic wake-up.
/// - A handler may cancel or drop any watch, its own too, and arm any timer again.
///
/// `@unchecked Sendable`: `event`, `stopCode` and the sources are touched by the owning thread alone, which every entry
/// point asserts; `owner` is atomic; `queue` is behind its own lock.
@safe package final class EventLoop: SerialExecutor, @unchecked Sendable {
  /// For what of libsystemd attaches itself to a loop, as sd-bus does; the owning thread's alone.
  package let event: OpaquePointer
  let owner = Atomic<UInt>(0)
  let queue = JobQueue()
  private var stopCode: Int32?
  private var wakeSource: EventSource?

  /// Makes a loop that no thread owns yet. Throws when the process is out of descriptors or memory.
  package init() throws(SystemError) {
    var created: OpaquePointer?
    try SystemError.checkNegative(unsafe sd_event_new(&created), "sd_event_new")
    guard let created = unsafe created else { preconditionFailure("sd_event_new succeeded without a loop") }
    unsafe event = unsafe created
    // The sources hold the loop's pieces, not the loop: it must be able to go while they exist.
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
  /// - Returns: the code given to `stop`. The loop can be run again, for example to drain.
  /// - Throws: when waiting itself fails, which means that the process cannot go on.
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

  /// Waits until something is ready and serves one such thing.
  ///
  /// - Parameter timeout: how long to wait; nil waits for ever.
  /// - Returns: false when nothing happened in time. A wake-up for nothing counts as something.
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

  /// The moment of this wake-up, the same for everything that the handler does; outside a handler, the clock itself.
  package var now: Instant {
    claim()
    guard unsafe sd_event_get_state(event) == Int32(SD_EVENT_RUNNING) else { return EventLoop.readClock() }
    var microseconds: UInt64 = 0
    let result = unsafe sd_event_now(event, CLOCK_BOOTTIME, &microseconds)
    precondition(result >= 0, "sd_event_now has no CLOCK_BOOTTIME")
    return Instant(microseconds: microseconds)
  }

  /// The clock since boot, suspend included, read now, from any thread.
  package static func readClock() -> Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Instant(sinceBoot: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }

  /// What the wall clock shows now, since 1970, from any thread.
  package static func readWallClock() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Feeds systemd's watchdog from this loop, so that a loop that hangs is noticed.
  ///
  /// - Returns: false where systemd asked for none.
  package func feedWatchdog() throws(SystemError) -> Bool {
    claim()
    return try SystemError.checkNegative(unsafe sd_event_set_watchdog(event, 1), "sd_event_set_watchdog") > 0
  }
}
