import CLinux
import CSystemd
import Glibc
import Positioning

/// One sd-event source and the handler it calls.
///
/// libsystemd holds an unretained pointer to this object: the source is disabled before the object is released, so no
/// call can follow. A call in progress retains the object and the handler, so a handler may release both.
@safe final class EventSource {
  private enum Handler {
    case descriptor((UInt32) -> Void)
    case plain(() -> Void)
    case child((ChildExit) -> Void)
  }

  /// nil once cancelled.
  private var source: OpaquePointer?
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
    guard let ending = unsafe source else { return }
    unsafe source = nil
    handler = nil
    unsafe sd_event_source_disable_unref(ending)
  }

  var isCancelled: Bool { unsafe source == nil }

  // MARK: Making

  /// A source that reports for which of `events` (epoll's bits) a descriptor is ready.
  static func descriptor(
    on loop: EventLoop, _ descriptor: Int32, events: UInt32, handler: @escaping (UInt32) -> Void
  ) throws(SystemError) -> EventSource {
    try unsafe make(.descriptor(handler), "sd_event_add_io") { source, context in
      unsafe sd_event_add_io(
        loop.event, &source, descriptor, events,
        { _, _, events, context in unsafe EventSource.called(context) { $0.descriptorReady(events) } }, context)
    }
  }

  /// A disarmed timer on the clock since boot. `accuracy` is in microseconds, 1 or more.
  static func timer(
    on loop: EventLoop, accuracy: UInt64, handler: @escaping () -> Void
  ) throws(SystemError) -> EventSource {
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
    try unsafe make(.plain(handler), "sd_event_add_signal") { source, context in
      unsafe sd_event_add_signal(
        loop.event, &source, number, { _, _, context in unsafe EventSource.called(context) { $0.plainReady() } },
        context)
    }
  }

  /// A source for the end of a child process; SIGCHLD is blocked.
  static func child(
    on loop: EventLoop, _ pid: pid_t, handler: @escaping (ChildExit) -> Void
  ) throws(SystemError) -> EventSource {
    try unsafe make(.child(handler), "sd_event_add_child") { source, context in
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
    let result = unsafe add(&made.source, Unmanaged.passUnretained(made).toOpaque())
    try SystemError.checkNegative(result, call)
    return made
  }

  // MARK: Changing

  func setEvents(_ events: UInt32) {
    guard let source = unsafe source else { return }
    assertDone(unsafe sd_event_source_set_io_events(source, events), "sd_event_source_set_io_events")
  }

  /// Arms a timer for the moment, in microseconds since boot.
  func arm(at microseconds: UInt64) {
    guard let source = unsafe source else { return }
    moment = microseconds
    assertDone(unsafe sd_event_source_set_time(source, microseconds), "sd_event_source_set_time")
    assertDone(unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT)), "sd_event_source_set_enabled")
  }

  /// The moment for which a timer is armed, in microseconds since boot; `nil`: it is not.
  var armedMoment: UInt64? { isEnabled ? moment : nil }

  func disable() {
    guard let source = unsafe source else { return }
    assertDone(unsafe sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF)), "sd_event_source_set_enabled")
  }

  var isEnabled: Bool {
    guard let source = unsafe source else { return false }
    return unsafe sd_event_source_get_enabled(source, nil) > 0
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

  private func descriptorReady(_ events: UInt32) {
    guard case .descriptor(let handler) = handler else { return }
    handler(events)
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
