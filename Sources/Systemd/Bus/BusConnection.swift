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
    try SystemError.checkNegative(unsafe sd_bus_attach_event(made, loop.event, 0), call)
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

  /// Whether the bus has greeted, so that calls are sent.
  var isReady: Bool { unsafe sd_bus_is_ready(self.bus) > 0 }
}
