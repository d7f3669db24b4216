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
/// The program meets the world through it: clocks, descriptors, timers, signals and workers. They are the system's, or
/// those of a ``Kernel`` in memory, which is decided once, when the loop is made.
///
/// - The loop belongs to the thread that first runs it or watches something on it. Only ``call(_:)``, ``enqueue(_:)``
///   and ``clocks`` may be used by other threads; everything else traps there.
/// - Each turn serves one source, the one that has waited longest, so nothing starves: jobs that jobs enqueue wait for
///   the next turn.
/// - Without an armed source it sleeps: there is no periodic wake-up.
/// - A handler may cancel or release any watch, even its own, and arm any timer again.
///
/// `@unchecked Sendable`: only the owning thread uses `backend`, `stopCode` and the sources, which every entry point
/// asserts; `owner` is atomic; `queue` has its own lock.
@safe package final class EventLoop: SerialExecutor, @unchecked Sendable {
  /// Whose clocks, descriptors and signals they are.
  @safe enum Backend {
    /// The loop of sd-event.
    case system(OpaquePointer)
    case memory(any Kernel)
  }

  let backend: Backend
  /// The clocks by which this loop lives; for any thread.
  package let clocks: Clocks
  let owner = Atomic<UInt>(0)
  let queue = JobQueue()
  private var stopCode: Int32?
  /// Wakes the loop for the jobs in its queue.
  private(set) var wakeSource: EventSource?
  private var gaps = GapDetector()
  private var gapHandler: ((Duration) -> Void)?
  private var timers = TimerList()
  /// The moment of this wake-up, with a kernel in memory; `nil` outside of handlers.
  private var wokeAt: Instant?

  /// Creates a loop that no thread owns yet. Throws if the process is out of descriptors or memory.
  package init() throws(SystemError) {
    var created: OpaquePointer?
    try SystemError.checkNegative(unsafe sd_event_new(&created), "sd_event_new")
    guard let created = unsafe created else { preconditionFailure("sd_event_new succeeded without a loop") }
    backend = unsafe .system(created)
    clocks = .system
    // The sources hold the loop's parts, not the loop, which can be released before them.
    wakeSource = try EventSource.jobs(on: self, queue) { [unowned self] in
      self.queue.readWakeDescriptor()
      self.runQueuedJobs()
    }
  }

  /// Creates a loop in a kernel in memory.
  package init(in kernel: any Kernel) throws(SystemError) {
    backend = .memory(kernel)
    clocks = Clocks(of: kernel)
    wakeSource = try EventSource.jobs(on: self, queue) { [unowned self] in self.runQueuedJobs() }
  }

  deinit {
    wakeSource = nil
    switch backend {
    case .system(let event): unsafe sd_event_unref(event)
    case .memory: break
    }
  }

  /// For parts of libsystemd that attach to a loop, such as sd-bus; only for the owning thread. `nil`: the kernel in
  /// memory has none.
  package var event: OpaquePointer? {
    switch backend {
    case .system(let event): unsafe event
    case .memory: nil
    }
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
      _ = try turn(timeout: nil)
    }
  }

  /// Waits until a source is ready and serves one source.
  ///
  /// - Parameter timeout: How long to wait; `nil`: without limit.
  /// - Returns: false if nothing happened in time; a spurious wake-up counts as something.
  package func runOnce(timeout: Duration?) throws(SystemError) -> Bool {
    claim()
    return try turn(timeout: timeout)
  }

  private func turn(timeout: Duration?) throws(SystemError) -> Bool {
    switch backend {
    case .system(let event):
      unsafe try turn(event, microseconds: timeout.map { $0.microsecondsRoundedUp } ?? .max)
    case .memory(let kernel): turn(kernel, timeout: timeout)
    }
  }

  /// What `sd_event_run` does, with a moment between the wait and the source that is served.
  private func turn(_ event: OpaquePointer, microseconds: UInt64) throws(SystemError) -> Bool {
    var found = try SystemError.checkNegative(unsafe sd_event_prepare(event), "sd_event_prepare")
    if found == 0 {
      gaps.waits(now: readClock())
      found = try SystemError.checkNegative(unsafe sd_event_wait(event, microseconds), "sd_event_wait")
    }
    guard found > 0 else { return false }
    woke(
      now: unsafe Self.moment(CLOCK_BOOTTIME, event),
      monotonic: unsafe Self.moment(CLOCK_MONOTONIC, event).sinceBoot)
    try SystemError.checkNegative(unsafe sd_event_dispatch(event), "sd_event_dispatch")
    return true
  }

  private func turn(_ kernel: any Kernel, timeout: Duration?) -> Bool {
    var isFound = kernel.prepare()
    if !isFound {
      gaps.waits(now: readClock())
      isFound = kernel.wait(atMost: timeout)
    }
    guard isFound else { return false }
    let now = readClock()
    wokeAt = now
    defer { wokeAt = nil }
    woke(now: now, monotonic: clocks.monotonic())
    kernel.dispatch()
    return true
  }

  private func woke(now: Instant, monotonic: Duration) {
    let gap = gaps.woke(now: now, monotonic: monotonic) { timers.soonest }
    if let gap { gapHandler?(gap) }
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

  /// Whether ``stop(code:)`` was called, and ``run()`` has not returned since.
  package var isStopped: Bool { stopCode != nil }

  /// The moment of this wake-up, which does not change during a handler; outside of handlers, the clock.
  package var now: Instant {
    claim()
    switch backend {
    case .system(let event):
      let state = unsafe sd_event_get_state(event)
      guard state == Int32(SD_EVENT_RUNNING) || state == Int32(SD_EVENT_PENDING) else { return readClock() }
      return unsafe Self.moment(CLOCK_BOOTTIME, event)
    case .memory: return wokeAt ?? readClock()
    }
  }

  /// The moment of this wake-up on a clock of the system.
  private static func moment(_ clock: clockid_t, _ event: OpaquePointer) -> Instant {
    var microseconds: UInt64 = 0
    let result = unsafe sd_event_now(event, clock, &microseconds)
    precondition(result >= 0, "sd_event_now lacks a clock")
    return Instant(microseconds: microseconds)
  }

  /// The clock since boot, including suspend, read now.
  package func readClock() -> Instant { clocks.sinceBoot() }

  /// The wall clock's time since 1970, read now.
  package func readWallClock() -> Duration { clocks.wall() }

  /// A number that nobody can predict.
  package func randomNumber() -> UInt64 {
    switch backend {
    case .system: UInt64.random(in: 0...UInt64.max)
    case .memory(let kernel): kernel.randomNumber()
    }
  }

  /// Gives back the memory that this process does not need while it only waits; see ``OwnMemory``.
  package func giveBackMemory() {
    switch backend {
    case .system: OwnMemory.giveBack()
    case .memory: break
    }
  }

  /// Notifies systemd's watchdog from this loop, so that systemd notices a hanging loop.
  ///
  /// - Returns: false if systemd requested no watchdog.
  package func feedWatchdog() throws(SystemError) -> Bool {
    claim()
    switch backend {
    case .system(let event):
      return try SystemError.checkNegative(unsafe sd_event_set_watchdog(event, 1), "sd_event_set_watchdog") > 0
    case .memory: return false
    }
  }
}

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

extension EventLoop {
  /// Ends the source of a watch whose last reference was released, on any thread.
  ///
  /// On another thread the loop may be using its sources, so the loop does it. If the loop never runs again, the source
  /// is released with the queue.
  ///
  /// - Parameter descriptor: The descriptor, which must stay open until the source has ended.
  func release(_ source: EventSource, then descriptor: FileDescriptor?) {
    if isOnLoop || source.isCancelled {
      source.cancel()
      return
    }
    let remains = ReleasedResources(source: source, descriptor: descriptor)
    call { remains.source.cancel() }
  }
}

/// `@unchecked Sendable`: the thread that gave these up keeps no reference to them; the loop's is the only one.
private final class ReleasedResources: @unchecked Sendable {
  let source: EventSource
  private let descriptor: FileDescriptor?

  init(source: EventSource, descriptor: FileDescriptor?) {
    self.source = source
    self.descriptor = descriptor
  }

  deinit {
    source.cancel()
  }
}

extension EventLoop {
  /// The identifier of this boot of the loop's kernel; `nil` if it cannot be read.
  package func bootIdentifier() -> String? {
    switch backend {
    case .system: Self.systemBootIdentifier()
    case .memory(let kernel): kernel.boot
    }
  }

  /// The identifier of this boot of the system.
  private static func systemBootIdentifier() -> String? {
    let number = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    defer { close(number) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe read(number, &bytes, bytes.count)
    let boot = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
    return boot.isEmpty ? nil : String(decoding: boot, as: UTF8.self)
  }
}

/// The timers of a loop, which it does not keep.
struct TimerList {
  private struct Entry {
    weak var timer: EventSource?
  }

  private var entries: [Entry] = []
  /// With more entries, those whose timers are gone are removed.
  private var limit = 64

  mutating func add(_ timer: EventSource) {
    if self.entries.count >= self.limit {
      self.entries.removeAll { $0.timer?.isCancelled ?? true }
      self.limit = max(64, 2 * self.entries.count)
    }
    self.entries.append(Entry(timer: timer))
  }

  /// The soonest moment for which one is armed.
  var soonest: Instant? {
    self.entries.compactMap { $0.timer?.armedMoment }.min().map { Instant(microseconds: $0) }
  }
}
