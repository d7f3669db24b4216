import CSystemd
import EventLoop

/// The result of a call.
enum BusReply: Hashable {
  /// systemd queued this job.
  case returned(Job)
  /// The error's D-Bus name, and its message.
  case failed(name: String, message: String)
  /// The connection broke while the call waited.
  case disconnected
}

/// A job of systemd.
struct Job: Hashable {
  let path: String
  /// systemd's own name on the bus, which no other program can have.
  let owner: String?

  /// The next member of the message is the job's path.
  init?(_ message: OpaquePointer?) {
    var path: UnsafePointer<CChar>?
    guard unsafe sd_bus_message_read_basic(message, CChar(UInt8(ascii: "o")), &path) > 0, let path = unsafe path else {
      return nil
    }
    self.path = unsafe String(cString: path)
    self.owner = unsafe sd_bus_message_get_sender(message).map { unsafe String(cString: $0) }
  }
}

/// A call that waits for its reply and keeps its connection open. Releasing it cancels it: its handler is not called
/// then. It has no deadline of its own.
@safe final class BusCall {
  let connection: BusConnection
  private let handler: (BusReply) -> Void
  private var slot: OpaquePointer?

  /// Asks systemd to start a unit. The handler is called once, later, from the loop.
  ///
  /// The bus must not start systemd if it is missing, and nobody can be asked for a password.
  init(startingUnit unit: String, over connection: BusConnection, handler: @escaping (BusReply) -> Void)
    throws(SystemError)
  {
    self.connection = connection
    self.handler = handler
    let call = "call StartUnit"
    var made: OpaquePointer?
    try SystemError.checkNegative(
      unsafe sd_bus_message_new_method_call(
        connection.bus, &made, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
        "org.freedesktop.systemd1.Manager", "StartUnit"), call)
    let message = unsafe made
    defer { _ = unsafe sd_bus_message_unref(message) }
    try SystemError.checkNegative(unsafe sd_bus_message_set_auto_start(message, 0), call)
    try SystemError.checkNegative(unsafe sd_bus_message_set_allow_interactive_authorization(message, 0), call)
    for text in [unit, StartMode.fail.rawValue] {
      try SystemError.checkNegative(
        unsafe sd_bus_message_append_basic(message, CChar(UInt8(ascii: "s")), text), call)
    }
    try SystemError.checkNegative(
      unsafe sd_bus_call_async(
        connection.bus, &self.slot, message,
        { reply, context, _ in
          guard let context = unsafe context else { preconditionFailure("a bus call without its object") }
          let call = unsafe Unmanaged<BusCall>.fromOpaque(context).takeUnretainedValue()
          unsafe call.replied(reply)
          return 0
        }, Unmanaged.passUnretained(self).toOpaque(), .max), call)
  }

  deinit {
    _ = unsafe sd_bus_slot_unref(self.slot)
  }

  private func replied(_ reply: OpaquePointer?) {
    guard self.connection.isOpen else { return self.handler(.disconnected) }
    guard let error = unsafe sd_bus_message_get_error(reply)?.pointee else {
      guard let job = unsafe Job(reply) else {
        return self.handler(.failed(name: "", message: "the reply names no job"))
      }
      return self.handler(.returned(job))
    }
    self.handler(
      .failed(
        name: unsafe error.name.map { unsafe String(cString: $0) } ?? "",
        message: unsafe error.message.map { unsafe String(cString: $0) } ?? ""))
  }
}

/// What systemd does if the start contradicts a queued job.
private enum StartMode: String {
  /// It refuses. `replace`, as `systemctl start` uses it, would cancel the other job: an event would restart a unit
  /// that an administrator is stopping, or that stops with the machine.
  case fail
}
