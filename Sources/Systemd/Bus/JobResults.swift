import CSystemd
import EventLoop

/// The results of systemd's jobs, as it announces them to whoever queued them.
///
/// Releasing it ends the announcements. It keeps its connection open.
@safe final class JobResults {
  private let connection: BusConnection
  private let handler: (_ job: Job, _ result: String) -> Void
  private var slot: OpaquePointer?

  init(over connection: BusConnection, handler: @escaping (_ job: Job, _ result: String) -> Void)
    throws(SystemError)
  {
    self.connection = connection
    self.handler = handler
    try SystemError.checkNegative(
      unsafe sd_bus_match_signal_async(
        connection.bus, &self.slot, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
        "org.freedesktop.systemd1.Manager", "JobRemoved",
        { message, context, _ in
          guard let context = unsafe context else { preconditionFailure("a bus match without its object") }
          unsafe Unmanaged<JobResults>.fromOpaque(context).takeUnretainedValue().removed(message)
          return 0
        }, nil, Unmanaged.passUnretained(self).toOpaque()), "watch systemd's jobs")
  }

  deinit {
    _ = unsafe sd_bus_slot_unref(self.slot)
  }

  /// The signal has the job's number and path, its unit, and its result.
  private func removed(_ message: OpaquePointer?) {
    var number: UInt32 = 0
    guard unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &number) > 0,
      let job = unsafe Job(message), unsafe self.text(message) != nil, let result = unsafe self.text(message)
    else { return }
    self.handler(job, result)
  }

  private func text(_ message: OpaquePointer?) -> String? {
    var text: UnsafePointer<CChar>?
    guard unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text) > 0 else { return nil }
    return unsafe text.map { unsafe String(cString: $0) }
  }
}
