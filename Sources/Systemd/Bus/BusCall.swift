import CSystemd
package import EventLoop
import Glibc
import Positioning

/// The result of a call.
package enum BusReply: Hashable, Sendable {
  case returned(BusReturn)
  case failed(BusError)
  /// The connection broke while the call waited.
  case disconnected
}

/// What a call returned.
package struct BusReturn: Hashable, Sendable {
  package let values: [BusValue]
  /// The answering program's own name on the bus, which no other program can have.
  package let sender: String?

  package init(values: [BusValue], sender: String?) {
    self.values = values
    self.sender = sender
  }
}

/// A method that a program on the bus offers.
package struct BusMethod: Hashable, Sendable {
  package let destination: String
  package let path: String
  package let interface: String
  package let member: String

  package init(_ destination: String, _ path: String, _ interface: String, _ member: String) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
  }

  /// A method of the bus itself.
  package static func ofBus(_ member: String) -> BusMethod {
    BusMethod("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member)
  }
}

/// A call that waits for its reply and keeps its connection open. Releasing it cancels it: its handler is not called
/// then.
@safe package final class BusCall {
  let connection: BusConnection
  private let handler: (BusReply) -> Void
  private var slot: OpaquePointer?

  /// Calls a method. The handler is called once, later, from the loop.
  ///
  /// Nobody can be asked for a password for it.
  ///
  /// - Parameters:
  ///   - startsService: Whether the bus starts the program if it is missing.
  ///   - time: The longest time until the reply; `nil`: without a limit.
  package init(
    _ method: BusMethod, _ arguments: [BusValue], over connection: BusConnection, startsService: Bool = false,
    within time: Duration? = nil, handler: @escaping (BusReply) -> Void
  ) throws(SystemError) {
    self.connection = connection
    self.handler = handler
    let call = "call \(method.member)"
    var made: OpaquePointer?
    try SystemError.checkNegative(
      unsafe sd_bus_message_new_method_call(
        connection.bus, &made, method.destination, method.path, method.interface, method.member), call)
    let message = unsafe made
    defer { _ = unsafe sd_bus_message_unref(message) }
    try SystemError.checkNegative(unsafe sd_bus_message_set_auto_start(message, startsService ? 1 : 0), call)
    try SystemError.checkNegative(unsafe sd_bus_message_set_allow_interactive_authorization(message, 0), call)
    for value in arguments { try value.append(to: unsafe BusMessage(message)) }
    try SystemError.checkNegative(
      unsafe sd_bus_call_async(
        connection.bus, &self.slot, message,
        { reply, context, _ in
          guard let context = unsafe context else { preconditionFailure("a bus call without its object") }
          let call = unsafe Unmanaged<BusCall>.fromOpaque(context).takeUnretainedValue()
          unsafe call.replied(reply)
          return 0
        }, Unmanaged.passUnretained(self).toOpaque(), time.map { UInt64(max(1, $0.seconds * 1e6)) } ?? .max), call)
  }

  deinit {
    _ = unsafe sd_bus_slot_unref(self.slot)
  }

  private func replied(_ reply: OpaquePointer?) {
    guard self.connection.isOpen else { return self.handler(.disconnected) }
    if let error = unsafe sd_bus_message_get_error(reply)?.pointee {
      return self.handler(
        .failed(
          BusError(
            name: unsafe error.name.map { unsafe String(cString: $0) } ?? "",
            message: unsafe error.message.map { unsafe String(cString: $0) } ?? "")))
    }
    let sender = unsafe sd_bus_message_get_sender(reply).map { unsafe String(cString: $0) }
    self.handler(.returned(BusReturn(values: BusValue.all(of: unsafe BusMessage(reply)) ?? [], sender: sender)))
  }
}

/// A connection to a message bus that never blocks: the loop connects, greets and serves it.
///
/// It closes when its last reference is released; unsent messages are dropped.
@safe package final class BusConnection {
  let bus: OpaquePointer

  /// Starts to connect; the loop does the greeting, and calls wait for it.
  ///
  /// - Throws: when nothing listens at the address, or the address cannot be read.
  package init(to address: String, on loop: EventLoop) throws(SystemError) {
    var made: OpaquePointer?
    try SystemError.checkNegative(unsafe sd_bus_new(&made), "sd_bus_new")
    guard let made = unsafe made else { preconditionFailure("sd_bus_new succeeded without a bus") }
    unsafe self.bus = unsafe made
    let call = "connect to \(address)"
    try SystemError.checkNegative(unsafe sd_bus_set_address(made, address), call)
    try SystemError.checkNegative(unsafe sd_bus_set_bus_client(made, 1), call)
    // Otherwise each message of another program could bring open files, which would fill this program's own table.
    try SystemError.checkNegative(unsafe sd_bus_negotiate_fds(made, 0), call)
    guard let event = unsafe loop.event else {
      throw SystemError(code: ENOTSUP, call: call, message: "the loop's kernel is in memory and has no message bus")
    }
    try SystemError.checkNegative(unsafe sd_bus_attach_event(made, event, 0), call)
    try SystemError.checkNegative(unsafe sd_bus_start(made), call)
  }

  deinit {
    _ = unsafe sd_bus_close_unref(self.bus)
  }

  /// Whether no error of the connection was noticed.
  package var isOpen: Bool { unsafe sd_bus_is_open(self.bus) > 0 }

  /// The system bus: the address from the environment, or the default one.
  package static var systemBus: String {
    guard let address = unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS") else { return "unix:path=/run/dbus/system_bus_socket" }
    return unsafe String(cString: address)
  }

  /// The bus of the user's session: the address from the environment, or systemd's; `nil`: there is no session.
  package static var sessionBus: String? {
    if let address = unsafe getenv("DBUS_SESSION_BUS_ADDRESS") { return unsafe String(cString: address) }
    return unsafe getenv("XDG_RUNTIME_DIR").map { unsafe "unix:path=\(String(cString: $0))/bus" }
  }

  /// Whether the bus has greeted, so that calls are sent.
  var isReady: Bool { unsafe sd_bus_is_ready(self.bus) > 0 }
}
