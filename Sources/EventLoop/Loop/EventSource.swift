import CLinux
import CSystemd
import Glibc
import Positioning

/// One source of sd-event, or of a kernel in memory, and the handler it calls.
///
/// libsystemd holds an unretained pointer to this object: the source is disabled before the object is released, so no
/// call can follow. A call in progress retains the object and the handler, so a handler may release both.
@safe final class EventSource {
  @safe private enum Source {
    case system(OpaquePointer)
    case memory(KernelSource)
  }

  private enum Handler {
    case descriptor((Interest) -> Void)
    case plain(() -> Void)
    case child((ChildExit) -> Void)
  }

  /// nil once cancelled.
  private var source: Source?
  private var handler: Handler?
  /// The moment for which a timer was armed last, in microseconds since boot.
  private var moment: UInt64 = 0

  private init(_ handler: Handler) {
    self.handler = handler
  }

  deinit {
    cancel()
  }

  /// Ends it: the handler is not called again and is released.
  func cancel() {
    guard let ending = source else { return }
    source = nil
    handler = nil
    switch ending {
    case .system(let source): unsafe sd_event_source_disable_unref(source)
    case .memory(let source): source.cancel()
    }
  }

  var isCancelled: Bool {
    guard case nil = source else { return false }
    return true
  }

  // MARK: Making

  /// A source that reports for which of the interest a descriptor is ready.
  static func descriptor(
    on loop: EventLoop, _ descriptor: FileDescriptor, for interest: Interest, handler: @escaping (Interest) -> Void
  ) throws(SystemError) -> EventSource {
    switch (loop.backend, descriptor.handle) {
    case (.memory(let kernel), .memory(let stream)):
      let made = make(.descriptor(handler), .stream(stream), in: kernel)
      made.setInterest(interest)
      return made
    case (.system, _), (.memory, .number), (.memory, .closed):
      return try self.descriptor(on: loop, descriptor.rawValue, for: interest, handler: handler)
    }
  }

  private static func descriptor(
    on loop: EventLoop, _ number: Int32, for interest: Interest, handler: @escaping (Interest) -> Void
  ) throws(SystemError) -> EventSource {
    try unsafe make(.descriptor(handler), "sd_event_add_io") { source, context in
      unsafe sd_event_add_io(
        loop.event, &source, number, interest.epollEvents,
        { _, _, events, context in
          unsafe EventSource.called(context) { $0.descriptorReady(Interest(epollEvents: events)) }
        }, context)
    }
  }

  /// A source for the jobs that the queue gets.
  static func jobs(on loop: EventLoop, _ queue: JobQueue, handler: @escaping () -> Void) throws(SystemError)
    -> EventSource
  {
    switch loop.backend {
    case .system:
      try self.descriptor(on: loop, try queue.openWakeDescriptor(), for: .read) { _ in handler() }
    case .memory(let kernel): make(.plain(handler), .jobs, in: kernel)
    }
  }

  /// A disarmed timer on the clock since boot. `accuracy` is in microseconds, 1 or more.
  static func timer(
    on loop: EventLoop, accuracy: UInt64, handler: @escaping () -> Void
  ) throws(SystemError) -> EventSource {
    if case .memory(let kernel) = loop.backend {
      return make(.plain(handler), .timer(accuracy: .microseconds(accuracy)), in: kernel)
    }
    let timer = try unsafe make(.plain(handler), "sd_event_add_time") { source, context in
      unsafe sd_event_add_time(
        loop.event, &source, CLOCK_BOOTTIME, .max, accuracy,
        { _, _, context in unsafe EventSource.called(context) { $0.plainReady() } }, context)
    }
    timer.disable()
    return timer
  }

  /// A source for a signal that the thread has blocked.
  static func signal(
    on loop: EventLoop, _ number: Int32, handler: @escaping () -> Void
  ) throws(SystemError) -> EventSource {
    if case .memory(let kernel) = loop.backend { return make(.plain(handler), .signal(number), in: kernel) }
    return try unsafe make(.plain(handler), "sd_event_add_signal") { source, context in
      unsafe sd_event_add_signal(
        loop.event, &source, number, { _, _, context in unsafe EventSource.called(context) { $0.plainReady() } },
        context)
    }
  }

  /// A source for the end of a child process; SIGCHLD is blocked.
  static func child(
    on loop: EventLoop, _ pid: pid_t, handler: @escaping (ChildExit) -> Void
  ) throws(SystemError) -> EventSource {
    if case .memory(let kernel) = loop.backend { return make(.child(handler), .child(pid), in: kernel) }
    return try unsafe make(.child(handler), "sd_event_add_child") { source, context in
      unsafe sd_event_add_child(
        loop.event, &source, pid, WEXITED,
        { _, information, context in
          guard let information = unsafe information else { return 0 }
          let exit = unsafe ChildExit(information)
          return unsafe EventSource.called(context) { $0.childExited(exit) }
        }, context)
    }
  }

  private static func make(
    _ handler: Handler, _ call: String, add: (inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32
  ) throws(SystemError) -> EventSource {
    let made = EventSource(handler)
    var source: OpaquePointer?
    let result = unsafe add(&source, Unmanaged.passUnretained(made).toOpaque())
    try SystemError.checkNegative(result, call)
    made.source = unsafe source.map { unsafe .system($0) }
    return made
  }

  private static func make(
    _ handler: Handler, _ subject: KernelSource.Subject, in kernel: any Kernel
  ) -> EventSource {
    let made = EventSource(handler)
    let source = KernelSource(subject) { [weak made] in made?.found($0) }
    made.source = .memory(source)
    kernel.add(source)
    return made
  }

  // MARK: Changing

  func setInterest(_ interest: Interest) {
    switch source {
    case nil: break
    case .system(let source)?:
      assertDone(
        unsafe sd_event_source_set_io_events(source, interest.epollEvents), "sd_event_source_set_io_events")
    case .memory(let source)?: source.interest = interest
    }
  }

  /// There are jobs; only in memory, where no descriptor wakes the loop.
  func setJobs() {
    if case .memory(let source)? = source { source.hasJobs = true }
  }

  /// Arms a timer for the moment, in microseconds since boot.
  func arm(at microseconds: UInt64) {
    switch source {
    case nil: break
    case .system(let source)?:
      moment = microseconds
      assertDone(unsafe sd_event_source_set_time(source, microseconds), "sd_event_source_set_time")
      assertDone(unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT)), "sd_event_source_set_enabled")
    case .memory(let source)?:
      moment = microseconds
      source.moment = Instant(microseconds: microseconds)
    }
  }

  /// The moment for which a timer is armed, in microseconds since boot; `nil`: it is not.
  var armedMoment: UInt64? { isEnabled ? moment : nil }

  /// Disarms a timer.
  func disable() {
    switch source {
    case nil: break
    case .system(let source)?:
      assertDone(unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
    case .memory(let source)?: source.moment = nil
    }
  }

  /// Whether a timer is armed.
  var isEnabled: Bool {
    switch source {
    case nil: false
    case .system(let source)?: unsafe sd_event_source_get_enabled(source, nil) > 0
    case .memory(let source)?: source.moment != nil
    }
  }

  /// These calls fail only for a source of another kind, or if the kernel is out of memory.
  private func assertDone(_ result: Int32, _ call: String) {
    precondition(result >= 0, "\(SystemError(code: -result, call: call))")
  }

  // MARK: Being called

  private static func called(_ context: UnsafeMutableRawPointer?, _ body: (EventSource) -> Void) -> Int32 {
    guard let context = unsafe context else { preconditionFailure("an event source without its object") }
    let source = unsafe Unmanaged<EventSource>.fromOpaque(context).takeUnretainedValue()
    body(source)
    return 0
  }

  private func found(_ finding: KernelSource.Finding) {
    switch finding {
    case .stream(let interest): descriptorReady(interest)
    case .child(let exit): childExited(exit)
    case .happened: plainReady()
    }
  }

  private func descriptorReady(_ interest: Interest) {
    guard case .descriptor(let handler) = handler else { return }
    handler(interest)
  }

  private func plainReady() {
    guard case .plain(let handler) = handler else { return }
    handler()
  }

  private func childExited(_ exit: ChildExit) {
    guard case .child(let handler) = handler else { return }
    handler(exit)
  }
}

extension Duration {
  /// The duration in whole microseconds, rounded up so that a wait is never too short; 0 when negative.
  var microsecondsRoundedUp: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return .max }
    let part = (UInt64(attoseconds) + 999_999_999_999) / 1_000_000_000_000
    let (sum, carries) = whole.addingReportingOverflow(part)
    return carries ? .max : sum
  }
}

extension Instant {
  /// sd-event's time: microseconds of CLOCK_BOOTTIME.
  init(microseconds: UInt64) {
    let (seconds, part) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    self.init(sinceBoot: .seconds(seconds) + .microseconds(part))
  }
}
