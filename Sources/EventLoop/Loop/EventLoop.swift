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
  private var gaps = GapDetector()
  private var gapHandler: ((Duration) -> Void)?
  private var timers = TimerList()

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
      _ = try turn(microseconds: .max)
    }
  }

  /// Waits until a source is ready and serves one source.
  ///
  /// - Parameter timeout: How long to wait; `nil`: without limit.
  /// - Returns: false if nothing happened in time; a spurious wake-up counts as something.
  package func runOnce(timeout: Duration?) throws(SystemError) -> Bool {
    claim()
    return try turn(microseconds: timeout.map { $0.microsecondsRoundedUp } ?? .max)
  }

  /// What `sd_event_run` does, with a moment between the wait and the source that is served.
  private func turn(microseconds: UInt64) throws(SystemError) -> Bool {
    var found = try SystemError.checkNegative(unsafe sd_event_prepare(event), "sd_event_prepare")
    if found == 0 {
      gaps.waits(now: EventLoop.readClock())
      found = try SystemError.checkNegative(unsafe sd_event_wait(event, microseconds), "sd_event_wait")
    }
    guard found > 0 else { return false }
    let gap = gaps.woke(now: now, monotonic: Instant(microseconds: moment(CLOCK_MONOTONIC)).sinceBoot) {
      timers.soonest
    }
    if let gap { gapHandler?(gap) }
    try SystemError.checkNegative(unsafe sd_event_dispatch(event), "sd_event_dispatch")
    return true
  }

  /// Calls the handler when the loop did not run for a time, before it serves what happened meanwhile.
  ///
  /// Timers are late then, and what they measure may not have happened: the handler may arm them again.
  package func onGap(_ handler: @escaping (Duration) -> Void) {
    claim()
    gapHandler = handler
  }

  func add(_ timer: EventSource) { timers.add(timer) }

  /// Makes ``run()`` return once the handler or job that calls this has returned.
  package func stop(code: Int32 = 0) {
    claim()
    stopCode = code
  }

  /// The moment of this wake-up, which does not change during a handler; outside of handlers, the clock.
  package var now: Instant {
    claim()
    let state = unsafe sd_event_get_state(event)
    guard state == Int32(SD_EVENT_RUNNING) || state == Int32(SD_EVENT_PENDING) else { return EventLoop.readClock() }
    return Instant(microseconds: moment(CLOCK_BOOTTIME))
  }

  /// The moment of this wake-up on a clock of the system, in microseconds.
  private func moment(_ clock: clockid_t) -> UInt64 {
    var microseconds: UInt64 = 0
    let result = unsafe sd_event_now(event, clock, &microseconds)
    precondition(result >= 0, "sd_event_now lacks a clock")
    return microseconds
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
