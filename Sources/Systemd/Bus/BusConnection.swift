import CSystemd
package import EventLoop
import Glibc

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
